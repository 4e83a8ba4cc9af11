package record

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// ArrowBuilder collects values and makes Arrow record batches of them, with the types of ArrowSchema. It keeps its memory
// from batch to batch and is for one goroutine at a time.
type ArrowBuilder struct {
	schema   *arrow.Schema
	builders []*builder
	n        int
}

// NewArrowBuilder compiles a builder for rows of these columns.
func NewArrowBuilder(columns []catalog.Column) (*ArrowBuilder, error) {
	fields, err := layout(columns)
	if err != nil {
		return nil, err
	}
	return &ArrowBuilder{schema: arrowSchema(fields), builders: newBuilders(fields)}, nil
}

// Schema is that of the batches.
func (b *ArrowBuilder) Schema() *arrow.Schema { return b.schema }

// Len is the number of rows so far.
func (b *ArrowBuilder) Len() int { return b.n }

// Size is about the bytes that the rows take.
func (b *ArrowBuilder) Size() int {
	n := 0
	for _, c := range b.builders {
		n += c.size()
	}
	return n
}

// Append appends a row, whose value of column i is what value returns. A *ValueError tells that the Arrow type of a column
// cannot hold a value: a TIMESTAMP(9) far off, a TIME or TIMESTAMP with more fraction digits than its type has. The row is
// then dropped.
func (b *ArrowBuilder) Append(value func(i int) *row.Datum) error {
	for i, c := range b.builders {
		if err := c.append(value(i)); err != nil {
			for _, c := range b.builders[:i+1] {
				c.truncate(b.n)
			}
			return named(err, c.field.name)
		}
	}
	b.n++
	return nil
}

// NewBatch returns the rows as a record batch that the caller releases, and begins anew.
func (b *ArrowBuilder) NewBatch() arrow.RecordBatch {
	arrays := make([]arrow.Array, len(b.builders))
	for i, c := range b.builders {
		v := c.vector()
		arrays[i] = v.arrow(b.schema.Field(i).Type, b.n, copied)
	}
	batch := array.NewRecordBatch(b.schema, arrays, int64(b.n))
	for i, c := range b.builders {
		arrays[i].Release()
		c.reset()
	}
	b.n = 0
	return batch
}
