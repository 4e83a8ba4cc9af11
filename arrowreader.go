package fluss

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// Batches that are made row by row end at so many rows or bytes.
const (
	arrowBatchRows  = 16 << 10
	arrowBatchBytes = 2 << 20
)

// arrowReader is what QueryArrow returns.
type arrowReader struct {
	refs    atomic.Int64
	rows    *rows // of a conn of the reader's own
	ctx     context.Context
	table   string
	schema  *arrow.Schema
	builder *record.ArrowBuilder // nil: batches of the log are handed out as they are
	batch   arrow.RecordBatch    // the current one, or nil
	err     error                // io.EOF at the end
}

var _ array.RecordReader = (*arrowReader)(nil)

func newArrowReader(r *rows) (array.RecordReader, error) {
	a := &arrowReader{rows: r, ctx: r.run.ctx, table: r.run.Table.Path.String()}
	a.refs.Store(1)
	list := make([]catalog.Column, len(r.columns))
	for i, c := range r.columns {
		list[i] = catalog.Column{Name: c.Name, Type: *c.Type}
	}
	var err error
	if a.builder, err = record.NewArrowBuilder(list); err != nil {
		_ = r.Close()
		return nil, translate(err, a.table)
	}
	if a.schema = a.builder.Schema(); a.whole() {
		a.builder = nil
		r.lazy.in.whole()
	}
	return a, nil
}

// whole reports whether nothing stands between the log's batches and the reader's.
func (a *arrowReader) whole() bool {
	r := a.rows
	if r.lazy == nil || r.filter != nil || r.run.Table.LogFormat != catalog.LogArrow {
		return false
	}
	for _, c := range r.columns {
		if c.Column >= len(r.run.Table.Schema.Columns) {
			return false // a pseudo column
		}
	}
	return true
}

// Schema is known before the first batch.
func (a *arrowReader) Schema() *arrow.Schema { return a.schema }

// Next moves to the next batch, which has at least one row, and releases the current one.
func (a *arrowReader) Next() bool {
	a.drop()
	if a.err != nil {
		return false
	}
	err := a.ctx.Err()
	if err == nil {
		if a.builder == nil {
			a.batch, err = a.stored()
		} else {
			a.batch, err = a.build()
		}
	}
	if err == nil && a.batch == nil {
		err = io.EOF
	}
	if err != nil {
		a.err = translate(err, a.table)
		_ = a.rows.Close()
	}
	return a.batch != nil
}

// stored returns the next batch of the log, cut to the offsets, OFFSET and LIMIT of the statement; nil at the end.
func (a *arrowReader) stored() (arrow.RecordBatch, error) {
	r := a.rows
	for r.left != 0 {
		b, err := r.lazy.in.next()
		if b == nil || err != nil {
			return nil, err
		}
		base := b.rows.Offset(0)
		from, to := max(b.chunk.Start-base, 0), min(b.chunk.End-base, int64(b.rows.Len()))
		skipped := max(min(r.skip, to-from), 0)
		from, r.skip = from+skipped, r.skip-skipped
		if r.left > 0 {
			to = min(to, from+r.left)
		}
		if from >= to {
			continue
		}
		if r.left > 0 {
			r.left -= to - from
		}
		return a.columns(b, from, to)
	}
	return nil, nil
}

// columns picks the columns of the result out of rows from to to-1 of a batch. One that is newer than the batch is NULL.
func (a *arrowReader) columns(b *logBatch, from, to int64) (arrow.RecordBatch, error) {
	all, err := b.rows.TakeArrow()
	if err != nil {
		return nil, err
	}
	defer all.Release()
	arrays := make([]arrow.Array, len(a.rows.columns))
	for i, c := range a.rows.columns {
		if at := b.decoder.from[c.Column]; at >= 0 {
			arrays[i] = array.NewSlice(all.Column(at), from, to)
		} else {
			arrays[i] = array.MakeArrayOfNull(memory.DefaultAllocator, a.schema.Field(i).Type, int(to-from))
		}
	}
	out := array.NewRecordBatch(a.schema, arrays, to-from)
	for _, x := range arrays {
		x.Release()
	}
	return out, nil
}

// build makes a batch of rows; nil at the end.
func (a *arrowReader) build() (arrow.RecordBatch, error) {
	r := a.rows
	for a.builder.Len() < arrowBatchRows && a.builder.Size() < arrowBatchBytes && !a.mustWait() {
		err := r.step(r.v)
		if err == nil {
			err = a.builder.Append(func(i int) *row.Datum { return r.datum(i) })
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if a.builder.Len() == 0 {
		return nil, nil
	}
	return a.builder.NewBatch(), nil
}

// mustWait reports whether there are rows to give before the statement, which follows the log, waits for more.
func (a *arrowReader) mustWait() bool {
	l := a.rows.lazy
	return l != nil && l.s.Log.Follow && a.builder.Len() > 0 && l.at == l.now.rows.Len()
}

// RecordBatch is the current batch.
func (a *arrowReader) RecordBatch() arrow.RecordBatch { return a.batch }

// Record is RecordBatch by its old name.
func (a *arrowReader) Record() arrow.RecordBatch { return a.batch }

// Err is the error that ended the batches; nil at their end.
func (a *arrowReader) Err() error {
	if a.err == io.EOF {
		return nil
	}
	return a.err
}

// Retain counts one more user.
func (a *arrowReader) Retain() { a.refs.Add(1) }

// Release lets go of what is fetched ahead, and of the current batch, when nobody uses the reader any more.
func (a *arrowReader) Release() {
	if a.refs.Add(-1) != 0 {
		return
	}
	a.drop()
	if a.err == nil {
		a.err = io.EOF
		_ = a.rows.Close()
	}
}

func (a *arrowReader) drop() {
	if a.batch != nil {
		a.batch.Release()
		a.batch = nil
	}
}
