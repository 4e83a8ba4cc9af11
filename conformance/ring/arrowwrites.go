package ring

import (
	"context"
	"database/sql"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gofluss/fluss"
)

// onArrow runs f on a connection of a pool.
func onArrow(ctx context.Context, db *sql.DB, f func(c fluss.ArrowConn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(dc any) error { return f(dc.(fluss.ArrowConn)) })
}

// arrowAppend appends some record batches to the log table.
func (w *worker) arrowAppend(kind string) {
	sizes := make([]int, 1+w.random.IntN(3))
	n := 0
	for i := range sizes {
		sizes[i] = 1 + w.random.IntN(20)
		n += sizes[i]
	}
	first := w.run.ledger.issue(n)
	batches, err := w.logBatches(first, sizes)
	if err != nil {
		w.run.fail(err)
		return
	}
	defer batches.Release()
	var result fluss.WriteResult
	_, err = w.call(kind, func(ctx context.Context) error {
		return onArrow(ctx, w.run.db, func(c fluss.ArrowConn) (err error) {
			result, err = c.AppendArrow(ctx, w.run.log.LogTable, batches)
			return err
		})
	})
	w.run.arrowAppended(kind, err, first, n, result)
}

// logBatches makes record batches of log rows with ids from first on, the columns in another order than the table's.
func (w *worker) logBatches(first int64, sizes []int) (array.RecordReader, error) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "v", Type: arrow.BinaryTypes.String}, {Name: "id", Type: arrow.PrimitiveTypes.Int64}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	var list []arrow.RecordBatch
	for _, n := range sizes {
		for range n {
			b.Field(0).(*array.StringBuilder).Append(logText(w.id, first, w.random.IntN(120)))
			b.Field(1).(*array.Int64Builder).Append(first)
			first++
		}
		batch := b.NewRecordBatch()
		defer batch.Release()
		list = append(list, batch)
	}
	return array.NewRecordReader(schema, list)
}

// arrowAppended files what became of n rows. An error accounts for the first of them: those that were read before it.
func (r *run) arrowAppended(kind string, err error, first int64, n int, result fluss.WriteResult) {
	c := counts{stored: n}
	if err != nil {
		buckets, _ := bucketsIn(err) // none where nothing was stored
		c = sumOf(buckets, anyBucket)
	}
	if c.rows() > n {
		r.judge.found(undocumented, "%s: the error accounts for more than its %d rows: %v", kind, n, err)
	}
	placed := 0
	for _, b := range result.Buckets {
		placed += b.Rows
	}
	if placed != c.stored {
		r.judge.found(wrong, "%s: the result has places of %d rows, %+v, %v", kind, placed, c, err)
	}
	r.ledger.settleCounts(first, n, c)
	r.countAll(c, n)
	if b := result.Buckets; len(b) == 1 && placed == n && b[0].Offset >= 0 { // else it is not told which rows are where
		for i := range int64(n) {
			r.ledger.placed(r.judge, first+i, b[0].Bucket, b[0].Offset+i)
		}
	}
}
