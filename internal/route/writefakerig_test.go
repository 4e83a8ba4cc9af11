package route

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

var (
	logTable = testTable(7, false)
	keyTable = testTable(8, true)
)

func testTable(id int64, key bool) *catalog.Table {
	s := &catalog.Schema{ID: 1, Columns: []catalog.Column{
		{Name: "n", Type: catalog.Type{Kind: catalog.BigInt, NotNull: key}, ID: 0}, {Name: "s", Type: catalog.Type{Kind: catalog.String}, ID: 1},
	}}
	d := catalog.Descriptor{Schema: s, BucketCount: 8, Properties: map[string]string{"table.log.format": "indexed"}}
	if key {
		s.PrimaryKey, d.BucketKeys = []string{"n"}, []string{"n"}
	}
	t, err := catalog.NewTable(catalog.TablePath{Database: "db", Table: fmt.Sprintf("t%d", id)}, id, d)
	if err != nil {
		panic(err)
	}
	return t
}

// opOf makes a write of rows to a bucket of a table.
func opOf(t *catalog.Table, bucket int32, rows ...int64) *WriteOp {
	op := &WriteOp{Table: t, Bucket: catalog.Bucket{TableID: t.ID, PartitionID: catalog.NoPartition, ID: bucket}, Count: len(rows)}
	for _, r := range rows {
		if t.IsKeyTable() {
			var v [8]byte
			binary.BigEndian.PutUint64(v[:], uint64(r))
			op.Records = record.AppendKVRecord(op.Records, v[:], v[:])
		} else {
			op.Rows = append(op.Rows, row.Datum{I: r}, row.Datum{B: []byte("x")})
		}
	}
	return op
}

// writeRig is a writer on a fake cluster.
type writeRig struct {
	*modelCluster
	w *writer
}

// inBubble runs a test of a writer under a fake clock. At the end everything is closed, and no goroutine may be left.
func inBubble(t *testing.T, change func(c *writerConfig), test func(t *testing.T, r *writeRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := newModel(t)
		cfg := writerConfig{acks: -1, requestTimeout: 30 * time.Second, writeTimeout: 2 * time.Minute, maxInflight: 64 << 20, maxResponse: 64 << 20}
		if change != nil {
			change(&cfg)
		}
		r := &writeRig{f, newWriter(f, cfg)}
		test(t, r)
		r.w.close(closeGrace)
		f.stop()
		for b, s := range f.buckets {
			if s.bad != nil {
				t.Errorf("bucket %v: %v", b, s.bad)
			}
		}
	})
}

// left reports whether the writer counts anything as open.
func (r *writeRig) left() bool {
	synctest.Wait()
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	return r.w.budget.used != 0 || r.w.busy != 0 || r.w.expiry.head != nil
}

// start writes ops in a goroutine of its own and returns the channel its error comes on.
func (r *writeRig) start(ctx context.Context, ops ...*WriteOp) chan error {
	done := make(chan error, 1)
	go func() { done <- r.w.write(ctx, ops) }()
	return done
}

var bg = context.Background()

func keyOf(t *catalog.Table, bucket int32) catalog.Bucket {
	return catalog.Bucket{TableID: t.ID, PartitionID: catalog.NoPartition, ID: bucket}
}
