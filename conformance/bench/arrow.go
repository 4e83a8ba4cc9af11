package main

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gofluss/fluss"
)

// arrowConn runs f with a connection's Arrow side.
func (b *bench) arrowConn(f func(fluss.ArrowConn) error) error {
	c, err := b.db.Conn(b.ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(dc any) error { return f(dc.(fluss.ArrowConn)) })
}

// scanArrow is W7 with mode=arrow: the same rows as record batches, of which the first column is added up.
func (b *bench) scanArrow(query string, want int) error {
	return b.arrowConn(func(c fluss.ArrowConn) error {
		r, err := c.QueryArrow(b.ctx, query)
		if err != nil {
			return err
		}
		defer r.Release()
		n, sum := 0, int64(0)
		for r.Next() {
			batch := r.RecordBatch()
			for _, v := range batch.Column(0).(*array.Int64).Int64Values() {
				sum += v
			}
			n += int(batch.NumRows())
		}
		if r.Err() == nil && (n != want || sum != int64(n)*int64(n-1)/2) {
			return fmt.Errorf("%d rows with a key sum of %d, want %d rows", n, sum, want)
		}
		return r.Err()
	})
}

// arrowRows is how many rows the batches of W6 with mode=arrow have, as those of pyfluss.
const arrowRows = 8192

// appendArrow is W6 with mode=arrow: batches that were made before the clock starts.
func (b *bench) appendArrow(table string, n int) (*span, error) {
	var s *span
	return s, b.arrowConn(func(c fluss.ArrowConn) error {
		empty, err := c.QueryArrow(b.ctx, "SELECT * FROM "+table+" LIMIT 0")
		if err != nil {
			return err
		}
		schema := empty.Schema()
		empty.Release()
		var batches []arrow.RecordBatch
		for from := 0; from < n; from += arrowRows {
			batches = append(batches, logBatch(schema, from, min(from+arrowRows, n)))
		}
		r, err := array.NewRecordReader(schema, batches)
		if err != nil {
			return err
		}
		defer r.Release()
		s = begin(b)
		_, err = c.AppendArrow(b.ctx, table, r)
		return err
	})
}

// logBatch is the rows from to to-1 of a log table.
func logBatch(schema *arrow.Schema, from, to int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := from; i < to; i++ {
		order, customer, _, day, priority, clerk := logRow(i)
		b.Field(0).(*array.Int64Builder).Append(order)
		b.Field(1).(*array.Int32Builder).Append(int32(customer))
		b.Field(2).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i) * 104729 % 50_000_000))
		b.Field(3).(*array.Date32Builder).Append(arrow.Date32FromTime(day))
		b.Field(4).(*array.StringBuilder).Append(priority)
		b.Field(5).(*array.StringBuilder).Append(clerk)
	}
	return b.NewRecordBatch()
}
