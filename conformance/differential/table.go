package differential

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// table is one that both servers have.
type table struct {
	name    string
	path    catalog.TablePath
	symbol  int64
	latest  *catalog.Table
	schemas []*catalog.Schema // by schema id, from 1
	text    string            // the descriptor

	partitions []*partition // one that is none for a table without
	keys       *row.KeyEncoder

	// again: there was a table of this name before. When the coordinator of 0.9.1 is done with that one, which for a
	// table with partitions may be long after, it forgets what id the name stands for and overlooks ALTER TABLE
	// (CoordinatorContext.removeTable).
	again bool
}

// partition has buckets.
type partition struct {
	symbol int64 // -1: that of a table without partitions
	values []string
	places []*place // by bucket
}

// place is one bucket.
type place struct {
	partition *partition
	bucket    int32
	end       int64            // of its log
	next      map[int64]int32  // sequence by writer
	sent      map[int64][]byte // the batch before, by writer
}

func (t *table) schema(id int) *catalog.Schema {
	if id < 1 || id > len(t.schemas) {
		return nil
	}
	return t.schemas[id-1]
}

func (t *table) kvFormat() row.Format {
	if t.latest.KVFormat == catalog.KVIndexed {
		return row.Indexed
	}
	return row.Compacted
}

func (t *table) pbPath() *flusspb.PbTablePath {
	return &flusspb.PbTablePath{DatabaseName: &t.path.Database, TableName: &t.path.Table}
}

// id is the partition's in a request.
func (p *partition) id() *int64 {
	if p.symbol < 0 {
		return nil
	}
	return &p.symbol
}

// place is any bucket, nil when the table has no partition.
func (w *world) place(t *table) *place {
	if len(t.partitions) == 0 {
		return nil
	}
	return pick(w.dice, pick(w.dice, t.partitions...).places...)
}

func (t *table) addPartition(symbol int64, values []string) *partition {
	p := &partition{symbol: symbol, values: values}
	for b := range t.latest.BucketCount {
		p.places = append(p.places, &place{partition: p, bucket: int32(b), next: map[int64]int32{}, sent: map[int64][]byte{}})
	}
	t.partitions = append(t.partitions, p)
	return p
}

// createTable makes a table of that name, unless there is one, and waits until the real server can use it.
func (w *world) createTable(name string) error {
	d := w.descriptor(w.log != "")
	t := &table{name: name, path: catalog.TablePath{Database: w.database, Table: name}, text: string(catalog.EncodeDescriptor(&d)), again: w.dropped[name]}
	const tries = 4
	for try := 1; ; try++ {
		before := size(w.log)
		answers, err := w.both(w.coordinator(wire.APICreateTable, &flusspb.CreateTableRequest{
			TablePath: t.pbPath(), TableJson: []byte(t.text), IgnoreIfExists: proto.Bool(false)}))
		if err != nil || answers[0].err != nil || answers[1].err != nil {
			return err
		}
		if err := w.learn(t, firstTable+w.symbol()); err != nil {
			return err
		}
		if len(t.latest.PartitionKeys) > 0 && w.noticed(t, before) {
			break
		}
		if len(t.latest.PartitionKeys) == 0 && w.ready(t, t.addPartition(-1, nil)) {
			break
		}
		if try == tries {
			return fmt.Errorf("%s has no leaders after %d tries", t.path, try)
		}
		// The coordinator of 0.9.1 now and then misses that a table was created: again.
		t.partitions, t.again = nil, true
		if err := w.drop(t); err != nil {
			return err
		}
	}
	w.tables = append(w.tables, t)
	for range 2 {
		if len(t.latest.PartitionKeys) > 0 {
			if err := w.createPartition(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// noticed waits until the real coordinator's log tells of a table, in what came after that many bytes.
func (w *world) noticed(t *table, before int64) bool {
	return w.eventually(func(s *server) bool {
		f, err := os.Open(w.log)
		if err != nil {
			return false
		}
		defer f.Close()
		if _, err := f.Seek(before, io.SeekStart); err != nil {
			return false
		}
		text, err := io.ReadAll(f)
		return err == nil && bytes.Contains(text, fmt.Appendf(nil, "New table: %s with id %d,", t.path, s.real[t.symbol]))
	})
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (w *world) symbol() int64 { w.symbols++; return w.symbols }

// learn asks both servers for a table's state.
func (w *world) learn(t *table, symbol int64) error {
	answers, err := w.both(w.tablet(nil, wire.APIGetTableInfo, &flusspb.GetTableInfoRequest{TablePath: t.pbPath()}))
	if err != nil {
		return err
	}
	for i, a := range answers {
		if a.err != nil {
			return fmt.Errorf("%s: %w", t.path, a.err)
		}
		w.servers[i].learn(symbol, a.msg.(*flusspb.GetTableInfoResponse).GetTableId())
	}
	info := answers[0].msg.(*flusspb.GetTableInfoResponse)
	d, err := catalog.DecodeDescriptor(info.TableJson)
	if err != nil {
		return err
	}
	d.Schema.ID = int(info.GetSchemaId())
	if t.latest, err = catalog.NewTable(t.path, symbol, d); err != nil {
		return err
	}
	t.symbol, t.text = symbol, string(info.TableJson)
	if len(t.schemas) < d.Schema.ID {
		t.schemas = append(t.schemas, d.Schema)
	}
	if t.latest.IsKeyTable() {
		t.keys, err = row.NewKeyEncoder(t.latest)
	}
	return err
}

// patience is how long the real server gets for a change to reach all of it.
const patience = 8 * time.Second

// eventually asks until f is content; false when it never is. Nobody tells when a change has arrived, so that asking is
// all there is.
func (w *world) eventually(f func(s *server) bool) bool {
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if f(w.servers[1]) {
			return true
		}
		if time.Now().After(end) || w.ctx.Err() != nil {
			return false
		}
	}
}

// ready waits for the leaders of a partition.
func (w *world) ready(t *table, p *partition) bool {
	known := w.eventually(func(s *server) bool {
		m := new(flusspb.MetadataResponse)
		request := &flusspb.MetadataRequest{TablePath: []*flusspb.PbTablePath{t.pbPath()}}
		if p.symbol >= 0 {
			request.PartitionsId = []int64{p.symbol}
		}
		if s.call(w.ctx, wire.TabletServer, wire.APIGetMetadata, request, m) != nil || len(m.TableMetadata) != 1 {
			return false
		}
		buckets := m.TableMetadata[0].BucketMetadata
		if p.symbol >= 0 && len(m.PartitionMetadata) == 1 {
			buckets = m.PartitionMetadata[0].BucketMetadata
		}
		for _, b := range buckets {
			if b.LeaderId == nil {
				return false
			}
		}
		return len(buckets) == len(p.places) && m.TableMetadata[0].GetTableId() == s.real[t.symbol]
	})
	return known && w.eventually(func(s *server) bool { return s.leads(w, t, p) })
}

// leads asks for what only a leader tells: LIST_OFFSETS is answered before it is one.
func (s *server) leads(w *world, t *table, p *partition) bool {
	table := &flusspb.PbFetchLogReqForTable{TableId: &t.symbol, ProjectionPushdownEnabled: proto.Bool(false)}
	for _, at := range p.places {
		table.BucketsReq = append(table.BucketsReq, &flusspb.PbFetchLogReqForBucket{
			PartitionId: p.id(), BucketId: &at.bucket, FetchOffset: proto.Int64(0), MaxFetchBytes: proto.Int32(oneBatch)})
	}
	m := new(flusspb.FetchLogResponse)
	err := s.call(w.ctx, wire.TabletServer, wire.APIFetchLog, &flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1),
		MaxBytes: proto.Int32(allBytes), TablesReq: []*flusspb.PbFetchLogReqForTable{table}}, m)
	if err != nil {
		return false
	}
	for _, b := range m.TablesResp[0].BucketsResp {
		if b.GetErrorCode() != 0 {
			return false
		}
	}
	return true
}

// offsets asks for the end of every bucket and gives the first code that is not success.
func (s *server) offsets(w *world, t *table, p *partition) wire.ErrorCode {
	request := &flusspb.ListOffsetsRequest{
		FollowerServerId: proto.Int32(-1), OffsetType: proto.Int32(1), TableId: &t.symbol, PartitionId: p.id()}
	for _, at := range p.places {
		request.BucketId = append(request.BucketId, at.bucket)
	}
	m := new(flusspb.ListOffsetsResponse)
	if s.call(w.ctx, wire.TabletServer, wire.APIListOffsets, request, m) != nil {
		return wire.CodeUnknownServerError
	}
	for _, b := range m.BucketsResp {
		if b.GetErrorCode() != 0 {
			return wire.ErrorCode(b.GetErrorCode())
		}
	}
	return wire.CodeNone
}

// gone waits until the tablet server has forgotten a partition.
func (w *world) gone(t *table, p *partition) {
	w.eventually(func(s *server) bool { return s.offsets(w, t, p) == wire.CodeUnknownTableOrBucket })
}

// drop removes a table from both servers.
func (w *world) drop(t *table) error {
	if err := w.call(w.coordinator(wire.APIDropTable, &flusspb.DropTableRequest{
		TablePath: t.pbPath(), IgnoreIfNotExists: proto.Bool(false)})); err != nil {
		return err
	}
	w.dropped[t.name] = true
	for _, p := range t.partitions {
		w.gone(t, p)
	}
	return nil
}
