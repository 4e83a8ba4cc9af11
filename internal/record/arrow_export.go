package record

import (
	"bytes"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/gofluss/fluss/internal/row"
)

// ArrowSchema is the schema of the batches that Arrow returns.
func (r *LogRows) ArrowSchema() (*arrow.Schema, error) {
	if r.schema == nil {
		s, err := ArrowSchema(r.columns)
		if err != nil {
			return nil, err
		}
		r.schema = s
	}
	return r.schema, nil
}

// Arrow returns the rows as an Arrow record batch that owns its memory: the column buffers are copied, not the
// values one by one. Columns that were not selected are NULL throughout. The caller releases the batch.
func (r *LogRows) Arrow() (arrow.RecordBatch, error) { return r.batch(copied) }

// TakeArrow is Arrow that hands the memory of decompressed columns over to the batch: the rows must not be looked at again,
// and the decoder takes new memory for the next ones.
func (r *LogRows) TakeArrow() (arrow.RecordBatch, error) {
	if r.taken == nil {
		return r.batch(copied)
	}
	defer r.taken.forget()
	return r.batch(func(b []byte) *memory.Buffer {
		if r.taken.owns(b) {
			return memory.NewBufferBytes(b[:len(b):len(b)])
		}
		return copied(b)
	})
}

// batch makes buffers of what own gives.
func (r *LogRows) batch(own func([]byte) *memory.Buffer) (arrow.RecordBatch, error) {
	schema, err := r.ArrowSchema()
	if err != nil {
		return nil, err
	}
	vectors := r.vectors
	if r.rowwise != nil || r.n == 0 {
		if vectors, err = r.vectorsOfRows(); err != nil {
			return nil, err
		}
	}
	arrays := make([]arrow.Array, len(vectors))
	for i := range vectors {
		arrays[i] = vectors[i].arrow(schema.Field(i).Type, r.n, own)
	}
	batch := array.NewRecordBatch(schema, arrays, int64(r.n))
	for _, a := range arrays {
		a.Release()
	}
	return batch, nil
}

func (v *Vector) arrow(t arrow.DataType, rows int, own func([]byte) *memory.Buffer) arrow.Array {
	if v.skipped {
		return array.MakeArrayOfNull(memory.DefaultAllocator, t, rows)
	}
	data := v.arrowData(t, rows, own)
	defer data.Release()
	return array.MakeFromData(data)
}

// vectorsOfRows turns the rows of an INDEXED or COMPACTED batch into columns.
func (r *LogRows) vectorsOfRows() ([]Vector, error) {
	fields, err := layout(r.columns)
	if err != nil {
		return nil, err
	}
	vectors := make([]Vector, len(fields))
	for col, b := range newBuilders(fields) {
		b.setLossy(true) // a TIMESTAMP(0) keeps its fraction in these formats and cannot in Arrow
		var value row.Datum
		for i := range r.n {
			r.Datum(&value, col, i)
			if err := b.append(&value); err != nil {
				return nil, named(err, b.field.name)
			}
		}
		vectors[col] = b.vector()
	}
	return vectors, nil
}

// vector gives what was built as a vector that aliases the builder.
func (b *builder) vector() Vector {
	v := Vector{field: b.field, n: b.n, nulls: b.nulls, data: b.data, offsets: b.offsets}
	if b.nulls > 0 {
		v.valid = b.valid
	}
	for _, c := range b.children {
		v.children = append(v.children, c.vector())
	}
	return v
}

// arrowData puts the first n values of a vector into Arrow's form.
func (v *Vector) arrowData(t arrow.DataType, n int, own func([]byte) *memory.Buffer) arrow.ArrayData {
	nulls := v.nulls
	if n < v.n {
		nulls = array.UnknownNullCount
	}
	buffers := []*memory.Buffer{nil}
	if v.valid != nil {
		buffers[0] = own(v.valid)
	} else {
		nulls = 0
	}
	if v.field.shape == varlen || v.field.shape == list {
		offsets := v.offsets
		if len(offsets) == 0 {
			offsets = zeros[:4]
		}
		buffers = append(buffers, own(offsets))
	}
	if v.field.shape <= varlen {
		buffers = append(buffers, own(v.data))
	}
	var children []arrow.ArrayData
	for i := range v.children {
		c := &v.children[i]
		rows := c.n
		if v.field.shape == group {
			rows = n
		}
		children = append(children, c.arrowData(childType(t, i), rows, own))
	}
	data := array.NewData(t, n, buffers, children, nulls, 0)
	for _, c := range children {
		c.Release()
	}
	return data
}

func copied(b []byte) *memory.Buffer { return memory.NewBufferBytes(bytes.Clone(b)) }

// childType is the type of child i of a list, map or struct. The child of a map is the struct of its entries.
func childType(t arrow.DataType, i int) arrow.DataType {
	switch t := t.(type) {
	case *arrow.StructType:
		return t.Field(i).Type
	case *arrow.MapType:
		return t.Elem()
	}
	return t.(*arrow.ListType).Elem()
}
