package differential

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Sizes of the measurement.
const (
	speedRows  = 200_000
	batchRows  = 1000
	lookupKeys = 128
	underWay   = 4 // requests at a time
	scans      = 20
	rounds     = 3 // of which the best counts
)

// TestSpeed sends the same requests to both servers, one server after the other, and demands that the embedded one takes
// no longer: it must not be what a client's benchmark measures. With the race detector, which slows the embedded one alone,
// it only tells the figures.
func TestSpeed(t *testing.T) {
	address, _ := realAddress(t)
	srv := flusstest.Run(t)
	best := [2]map[string]time.Duration{{}, {}}
	for round := range rounds {
		for i, target := range []string{srv.Addresses()[0], address} {
			for what, d := range measureOne(t, target, uint64(round)) {
				if old, ok := best[i][what]; !ok || d < old {
					best[i][what] = d
				}
			}
		}
	}
	for _, what := range []string{"upserts", "lookups", "appends", "scan"} {
		e, r := best[0][what], best[1][what]
		rows := float64(speedRows)
		if what == "scan" {
			rows *= scans
		}
		t.Logf("%-8s %9.0f rows/s embedded, %9.0f real", what, rows/e.Seconds(), rows/r.Seconds())
		if e > r*6/5 && !raceDetector { // the rest is noise
			t.Errorf("%s: the embedded server takes %s, the real one %s", what, e, r)
		}
	}
}

func measureOne(t *testing.T, address string, seed uint64) map[string]time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	s, err := connect(ctx, address, address, true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	return measure(t, newWorld(ctx, seed, s, s, options{}))
}

// speedTable is made with both servers of w being the same.
func speedTable(t *testing.T, w *world, name string, key bool) *table {
	t.Helper()
	d := catalog.Descriptor{Schema: &catalog.Schema{Columns: []catalog.Column{
		{Name: "id", Type: catalog.Type{Kind: catalog.BigInt}}, {Name: "name", Type: catalog.Type{Kind: catalog.String}},
		{Name: "day", Type: catalog.Type{Kind: catalog.Date}}}}, BucketCount: 1}
	if key {
		d.Schema.PrimaryKey, d.BucketKeys = []string{"id"}, []string{"id"}
	}
	d.Schema.AssignIDs()
	made := &table{name: name, path: catalog.TablePath{Database: w.database, Table: name}}
	s := w.servers[1]
	for range 4 {
		err := s.call(w.ctx, wire.CoordinatorServer, wire.APICreateTable, &flusspb.CreateTableRequest{
			TablePath: made.pbPath(), TableJson: catalog.EncodeDescriptor(&d), IgnoreIfExists: proto.Bool(false)}, new(flusspb.CreateTableResponse))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.learn(made, firstTable+w.symbol()); err != nil {
			t.Fatal(err)
		}
		if w.ready(made, made.addPartition(-1, nil)) {
			return made
		}
		made.partitions = nil
		if err := w.drop(made); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no leader")
	return nil
}

func measure(t *testing.T, w *world) map[string]time.Duration {
	t.Helper()
	s := w.servers[1]
	database := &flusspb.CreateDatabaseRequest{DatabaseName: &w.database, IgnoreIfExists: proto.Bool(false)}
	if err := s.call(w.ctx, wire.CoordinatorServer, wire.APICreateDatabase, database, new(flusspb.CreateDatabaseResponse)); err != nil {
		t.Fatal(err)
	}
	defer s.call(w.ctx, wire.CoordinatorServer, wire.APIDropDatabase, &flusspb.DropDatabaseRequest{
		DatabaseName: &w.database, IgnoreIfNotExists: proto.Bool(true), Cascade: proto.Bool(true)}, new(flusspb.DropDatabaseResponse))
	kv, logs := speedTable(t, w, "kv", true), speedTable(t, w, "log", false)
	times := map[string]time.Duration{}
	clock := func(what string, f func()) {
		start := time.Now()
		f()
		times[what] = time.Since(start)
	}
	upserts, appends, lookups := kvRequests(s, kv), logRequests(t, s, logs), lookupRequests(s, kv)
	clock("upserts", func() { s.pipeline(t, wire.APIPutKV, upserts) })
	clock("lookups", func() { s.pipeline(t, wire.APILookup, lookups) })
	clock("appends", func() { s.pipeline(t, wire.APIProduceLog, appends) })
	clock("scan", func() {
		for range scans {
			s.scan(t, w.ctx, logs)
		}
	})
	return times
}

func speedRow(i int) []row.Datum {
	return []row.Datum{{I: int64(i)}, {B: fmt.Appendf(nil, "customer#%09d", i)}, {I: int64(8000 + i%2000)}}
}

func kvRequests(s *server, t *table) (list [][]byte) {
	codec := row.NewCodec(row.Compacted, t.latest.Schema.Types())
	for from := 0; from < speedRows; from += batchRows {
		var records, key []byte
		for i := from; i < from+batchRows; i++ {
			key, _ = t.keys.Append(key[:0], speedRow(i))
			records = record.AppendKVRecord(records, key, codec.Append(nil, speedRow(i)))
		}
		batch := record.AppendKVBatch(nil, record.KVHeader{SchemaID: 1, WriterID: -1, Sequence: -1, Count: batchRows}, records)
		list = append(list, wire.AppendPutKVRequest(nil, -1, s.real[t.symbol], 10_000, nil, 0,
			[]wire.RecordsBucket{{Partition: -1, Bucket: 0, Records: batch}}))
	}
	return list
}

func logRequests(t *testing.T, s *server, made *table) (list [][]byte) {
	e, err := record.NewLogEncoder(made.latest)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < speedRows; from += batchRows {
		for i := from; i < from+batchRows; i++ {
			if err := e.Append(speedRow(i)); err != nil {
				t.Fatal(err)
			}
		}
		batch := e.Finish(nil, record.LogHeader{WriterID: -1, Sequence: -1})
		list = append(list, wire.AppendProduceLogRequest(nil, -1, s.real[made.symbol], 10_000,
			[]wire.RecordsBucket{{Partition: -1, Bucket: 0, Records: batch}}))
	}
	return list
}

func lookupRequests(s *server, t *table) (list [][]byte) {
	for from := 0; from < speedRows; from += lookupKeys {
		keys := make([][]byte, lookupKeys)
		for i := range keys {
			keys[i], _ = t.keys.Append(nil, speedRow((from+i)*7919%speedRows))
		}
		list = append(list, wire.AppendLookupRequest(nil, s.real[t.symbol], []wire.KeyBucket{{Partition: -1, Bucket: 0, Keys: keys}}))
	}
	return list
}

// pipeline sends requests, a few at a time, and demands that none is refused.
func (s *server) pipeline(t *testing.T, api wire.APIKey, bodies [][]byte) {
	t.Helper()
	answers := make(handler, underWay)
	for i, body := range bodies {
		if i >= underWay {
			answers.take(t)
		}
		s.conns[wire.TabletServer].Start(api, callTimeout, func(dst []byte) []byte { return append(dst, body...) }, answers)
	}
	for range min(underWay, len(bodies)) {
		answers.take(t)
	}
}

// handler passes answers on.
type handler chan error

func (h handler) Answered(_ []byte, err error) { h <- err }

func (h handler) take(t *testing.T) {
	if err := <-h; err != nil {
		t.Fatal(err)
	}
}

// scan fetches the whole log.
func (s *server) scan(t *testing.T, ctx context.Context, made *table) {
	t.Helper()
	for offset := int64(0); offset < speedRows; {
		body, err := s.conns[wire.TabletServer].Do(ctx, wire.APIFetchLog, callTimeout, func(dst []byte) []byte {
			return wire.AppendFetchLogRequest(dst, &wire.FetchRequest{MaxBytes: allBytes, WaitMillis: -1, MinBytes: -1, Table: s.real[made.symbol],
				Buckets: []wire.FetchBucket{{Partition: -1, Bucket: 0, Offset: offset, MaxBytes: 1 << 20}}})
		})
		if err != nil {
			t.Fatal(err)
		}
		found, err := wire.ParseFetchLogResponse(nil, body)
		if err != nil || found[0].Code != 0 {
			t.Fatal(err, found)
		}
		for b := found[0].Records; len(b) > 0; {
			batch, rest, err := record.NextLogBatch(b)
			if err != nil {
				break
			}
			offset, b = batch.NextOffset(), rest
		}
	}
}
