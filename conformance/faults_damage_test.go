package conformance

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// editFetch changes the records of the answers to FETCH_LOG, behind the server's back.
func editFetch(change func(records []byte) []byte) flusstest.Action {
	return flusstest.Action{Edit: func(frame []byte) []byte {
		const head = 9 // length, type and request id
		var m flusspb.FetchLogResponse
		if proto.Unmarshal(frame[head:], &m) != nil {
			return frame
		}
		for _, t := range m.TablesResp {
			for _, b := range t.BucketsResp {
				if len(b.Records) > 0 {
					b.Records = change(slices.Clone(b.Records))
				}
			}
		}
		body, err := proto.Marshal(&m)
		if err != nil {
			return frame
		}
		frame = append(slices.Clone(frame[:head]), body...)
		binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
		return frame
	}}
}

// D14: a batch that is damaged ends a scan with one error that names bucket and offset, behind the rows in front of it: no
// panic, no endless loop, no allocation of what the damage claims; and the scan can go on behind it.
func TestD14DamagedBatch(t *testing.T) {
	const perBatch, batches = 5, 4
	put32 := func(at int, v uint32) func([]byte) {
		return func(b []byte) { binary.LittleEndian.PutUint32(b[at:], v) }
	}
	for _, c := range []struct {
		name string
		hurt func(batch []byte)
	}{
		{"a byte behind the CRC", func(b []byte) { b[len(b)-1] ^= 1 }},
		{"the schema id", func(b []byte) { b[26] ^= 0x40 }},
		{"length 0", put32(8, 0)},
		{"length -1", put32(8, 1<<32-1)},
		{"the largest length", put32(8, 1<<31-1)},
		{"a length within the header", put32(8, 30)},
		{"magic 9", func(b []byte) { b[12] = 9 }},
		{"a base offset behind", func(b []byte) { b[0] ^= 0x40 }},
		{"a base offset in front", func(b []byte) { binary.LittleEndian.PutUint64(b, 1) }},
	} {
		for number := range 3 {
			t.Run(fmt.Sprintf("%s of batch %d", c.name, number), func(t *testing.T) {
				inRules(t, nil, func(t *testing.T, r *ruleRig) {
					mustExec(t, r.db, "CREATE TABLE d.damaged (n INT, v STRING) WITH ('bucket.num'='1', 'table.log.arrow.compression.type'='none')")
					for b := range batches {
						mustExec(t, r.db, fmt.Sprintf("INSERT INTO d.damaged VALUES (%d, 'a'), (%d, 'b'), (%d, 'c'), (%d, 'd'), (%d, 'e')", 5*b, 5*b+1, 5*b+2, 5*b+3, 5*b+4))
					}
					r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
						if q.API != flusstest.FetchLog {
							return flusstest.Action{}
						}
						return editFetch(func(records []byte) []byte {
							for at := records; len(at) > 0; { // by its offset: later answers begin elsewhere
								b, rest, err := record.NextLogBatch(at)
								if err != nil {
									break
								}
								if b.BaseOffset == int64(perBatch*number) {
									c.hurt(at[:len(b.Bytes)])
									break
								}
								at = rest
							}
							return records
						})
					})
					before := r.requests(flusstest.FetchLog)
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					used, begin := m.TotalAlloc, time.Now()
					rows, err := countRows(r.db, "SELECT n, v FROM d.damaged")
					runtime.ReadMemStats(&m)
					if used = m.TotalAlloc - used; used > 32<<20 {
						t.Errorf("%d bytes allocated", used)
					}
					offset := fmt.Sprintf("offset %d", perBatch*number)
					if !errors.Is(err, fluss.ErrCorruptRecord) || !strings.Contains(err.Error(), "bucket 0") || !strings.Contains(err.Error(), offset) {
						t.Fatalf("got %v, want ErrCorruptRecord at %s", err, offset)
					}
					if rows != perBatch*number || time.Since(begin) > time.Second || r.requests(flusstest.FetchLog)-before > 5 {
						t.Errorf("%d rows in front of the damage, want %d; %v, %d fetches", rows, perBatch*number, time.Since(begin), r.requests(flusstest.FetchLog)-before)
					}
					behind := fmt.Sprintf("SELECT /*+ OFFSET(%d) */ n, v FROM d.damaged", perBatch*(number+1))
					if rows, err := countRows(r.db, behind); err != nil || rows != perBatch*(batches-number-1) {
						t.Errorf("behind the damage: %d rows, %v", rows, err)
					}
				})
			})
		}
	}
}

func countRows(db *sql.DB, query string) (n int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// D14: batches without a record take an offset and are stepped past. A key table's log has one where a DELETE by another
// client met no row, which a raw frame does here; the write behind it is stored and read.
func TestD14EmptyBatch(t *testing.T) {
	inRules(t, nil, func(t *testing.T, r *ruleRig) {
		r.oneBucket()
		mark := r.mark()
		mustExec(t, r.db, "INSERT INTO d.t1 VALUES (42, 'known')") // shows how the key is written
		known := r.since(mark)[0]
		batch, err := record.ReadKVBatch(known.bytes)
		if err != nil {
			t.Fatal(err)
		}
		records := batch.Records()
		records.Next()
		mustExec(t, r.db, "CREATE TABLE d.e (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='1', 'table.log.arrow.compression.type'='none')")
		mustExec(t, r.db, "INSERT INTO d.e VALUES (1, 'v1')")
		sent := r.since(mark)
		raw, err := wire.Dial(context.Background(), r.srv.Addresses()[1+r.srv.Leader("d.e", 0)], &wire.Config{Dial: r.srv.Dial})
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		remove := record.AppendKVBatch(nil, record.KVHeader{SchemaID: 1, WriterID: -1, Sequence: -1, Count: 1}, record.AppendKVRecord(nil, records.Key, nil))
		for range 3 {
			body, err := raw.Do(context.Background(), wire.APIPutKV, time.Second, func(b []byte) []byte {
				return wire.AppendPutKVRequest(b, -1, sent[len(sent)-1].bucket.TableID, 1000, nil, -1, []wire.RecordsBucket{{Partition: -1, Records: remove}})
			})
			if err != nil {
				t.Fatal(err)
			}
			if answer, err := wire.ParsePutKVResponse(nil, body); err != nil || len(answer) != 1 || answer[0].Code != 0 {
				t.Fatalf("%+v, %v", answer, err)
			}
		}
		if end := r.srv.LogEnd("d.e", 0); end != 4 {
			t.Fatalf("the log ends at %d, want 4: a row and three empty batches", end)
		}
		mustExec(t, r.db, "UPSERT INTO d.e VALUES (42, 'after')")
		if got := texts(queryAll(t, r.db, "SELECT v FROM d.e WHERE k = 42")); !slices.Equal(got, []string{"after"}) {
			t.Errorf("got %v", got)
		}
		if got := texts(queryAll(t, r.db, "SELECT _log_offset, k, v FROM d.e$changelog")); !slices.Equal(got, []string{"0 1 v1", "4 42 after"}) {
			t.Errorf("the change log has %q", got)
		}
	})
}
