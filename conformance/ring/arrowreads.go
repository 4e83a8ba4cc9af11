package ring

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gofluss/fluss"
)

// queryArrow runs a SELECT and gives its batches to f. The reader outlives the use of the connection.
func (r *run) queryArrow(ctx context.Context, f func(arrow.RecordBatch) error, query string, args ...any) error {
	var batches array.RecordReader
	err := onArrow(ctx, r.db, func(c fluss.ArrowConn) (err error) {
		batches, err = c.QueryArrow(ctx, query, args...)
		return err
	})
	if err != nil {
		return err
	}
	defer batches.Release()
	for batches.Next() {
		if err := f(batches.RecordBatch()); err != nil {
			return err
		}
	}
	return batches.Err()
}

// arrowLogScan reads a stretch of a bucket as logScan does.
func (w *worker) arrowLogScan(kind string) {
	w.scanLog(kind, w.run.readLogArrow)
}

// readLogArrow is readLog through Arrow. Every other stretch is read without pseudo columns, so that batches come as they are
// stored: then it is the order that says at which offset a row is.
func (r *run) readLogArrow(ctx context.Context, bucket int32, from, to int64) (next int64, err error) {
	next = from
	query, args := r.logStretch("id, v", bucket, from, to)
	if from%2 == 0 {
		query, args = r.logStretch("id, v, _bucket, _log_offset", bucket, from, to)
	}
	err = r.queryArrow(ctx, func(batch arrow.RecordBatch) error {
		for i := range int(batch.NumRows()) {
			at := place{bucket: bucket, offset: next}
			if batch.NumCols() > 2 {
				at.bucket, at.offset = batch.Column(2).(*array.Int32).Value(i), batch.Column(3).(*array.Int64).Value(i)
			}
			r.sawRow(r.ledger, batch.Column(0).(*array.Int64).Value(i), batch.Column(1).(*array.String).Value(i), at, place{bucket: bucket, offset: next}, from)
			next = at.offset + 1
		}
		return nil
	}, query, args...)
	return next, err
}

// arrowFullScan reads all rows of the key table.
func (w *worker) arrowFullScan(kind string) { w.fullScanBy(kind, w.run.readKeysArrow) }

// readKeysArrow is readKeys through Arrow, of all columns.
func (r *run) readKeysArrow(ctx context.Context, where string, args ...any) (out []keyRow, err error) {
	err = r.queryArrow(ctx, func(batch arrow.RecordBatch) error {
		for i := range int(batch.NumRows()) {
			row := keyRow{mask: allColumns, group: batch.Column(0).(*array.Int64).Value(i), item: int(batch.Column(1).(*array.Int32).Value(i))}
			r.rowsRead.Add(1)
			n := sql.NullInt64{Int64: batch.Column(4).(*array.Int64).Value(i), Valid: batch.Column(4).IsValid(i)}
			if r.decode(&row, arrowText(batch.Column(2), i), arrowText(batch.Column(3), i), n) {
				out = append(out, row)
			}
		}
		return nil
	}, fmt.Sprintf("SELECT %s FROM %s", textColumns[allColumns], where), args...)
	return out, err
}

func arrowText(column arrow.Array, i int) sql.NullString {
	return sql.NullString{String: column.(*array.String).Value(i), Valid: column.IsValid(i)}
}
