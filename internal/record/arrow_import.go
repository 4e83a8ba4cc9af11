package record

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/gofluss/fluss/internal/catalog"
)

// RowsFromArrow gives the rows of an Arrow record batch the form of a decoded batch, so that they can be
// bucketed, checked and appended to a LogEncoder. The columns of the batch have to be the given ones, in order
// and in the types that ArrowSchema gives them; whether values may be NULL in the batch's schema is not looked
// at, nor is a TIMESTAMP's time zone. The rows alias the batch and live as long as the caller retains it.
func RowsFromArrow(columns []catalog.Column, batch arrow.RecordBatch) (*LogRows, error) {
	fields, err := layout(columns)
	if err != nil {
		return nil, err
	}
	if int(batch.NumCols()) != len(fields) {
		return nil, fmt.Errorf("an Arrow batch of %d columns for %d", batch.NumCols(), len(fields))
	}
	r := &LogRows{n: int(batch.NumRows()), columns: columns, vectors: make([]Vector, len(fields))}
	for i, f := range fields {
		data := batch.Column(i).Data()
		if !compatible(f, data.DataType()) {
			return nil, fmt.Errorf("column %q: Arrow type %s, %s is wanted", f.name, data.DataType(), arrowType(f))
		}
		if err := r.vectors[i].alias(f, data, data.Offset(), data.Len()); err != nil {
			return nil, fmt.Errorf("column %q: %w", f.name, err)
		}
	}
	return r, nil
}

// compatible reports whether an Arrow type lies in memory as the field does and means the same.
func compatible(f *field, t arrow.DataType) bool {
	switch want := arrowType(f).(type) {
	case *arrow.TimestampType:
		got, ok := t.(*arrow.TimestampType)
		return ok && got.Unit == want.Unit
	case *arrow.ListType:
		got, ok := t.(*arrow.ListType)
		return ok && compatible(f.children[0], got.Elem())
	case *arrow.MapType:
		got, ok := t.(*arrow.MapType)
		entry := f.children[0].children
		return ok && compatible(entry[0], got.KeyType()) && compatible(entry[1], got.ItemType())
	case *arrow.StructType:
		got, ok := t.(*arrow.StructType)
		if !ok || got.NumFields() != len(f.children) {
			return false
		}
		for i, c := range f.children {
			if got.Field(i).Name != c.name || !compatible(c, got.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return arrow.TypeEqual(want, t)
	}
}

// alias points the vector to values from..from+n of an Arrow array.
func (v *Vector) alias(f *field, data arrow.ArrayData, from, n int) error {
	*v = Vector{field: f, n: n}
	if valid := bufferBytes(data, 0); valid != nil && data.NullN() != 0 {
		v.valid = shifted(valid, from, n)
		v.nulls = n - popcount(v.valid)
	}
	switch f.shape {
	case bitmap:
		v.data = shifted(bufferBytes(data, 1), from, n)
	case fixed:
		return v.aliasFixed(bufferBytes(data, 1), from)
	case varlen:
		v.aliasOffsets(bufferBytes(data, 1), from)
		v.data = bufferBytes(data, 2)
	case list:
		v.aliasOffsets(bufferBytes(data, 1), from)
		return v.aliasChild(0, data, 0, data.Children()[0].Len())
	case group:
		for i := range f.children {
			if err := v.aliasChild(i, data, from, n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *Vector) aliasFixed(b []byte, from int) error {
	w := v.field.width
	v.data = b[:len(b):len(b)]
	if v.n == 0 {
		return nil
	}
	v.data = b[from*w : (from+v.n)*w]
	switch t := v.field.typ; {
	case t.IsCompactDecimal():
		return v.checkCompact()
	case t.Kind == catalog.Decimal:
		v.big = new(vectorReader).bigEndian(v.data, 0)
	case v.field.unit == seconds && w == 8:
		return v.checkSeconds()
	}
	return nil
}

func (v *Vector) aliasOffsets(b []byte, from int) {
	if v.n > 0 {
		v.offsets = b[4*from : 4*(from+v.n+1)]
	}
}

// aliasChild takes values from..from+n of a child, counted from where the child itself begins.
func (v *Vector) aliasChild(i int, data arrow.ArrayData, from, n int) error {
	v.needChildren()
	child := data.Children()[i]
	return v.children[i].alias(v.field.children[i], child, child.Offset()+from, n)
}

func bufferBytes(data arrow.ArrayData, i int) []byte {
	if b := data.Buffers()[i]; b != nil {
		return b.Bytes()
	}
	return nil
}

// shifted returns n bits of b, the first of them bit number from.
func shifted(b []byte, from, n int) []byte {
	if n == 0 {
		return nil
	}
	out := make([]byte, (n+7)/8)
	bitutil.CopyBitmap(b, from, n, out, 0)
	return out
}
