package record

import (
	"encoding/binary"
	"math"
	"sort"
	"unicode/utf8"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Whole reports whether every value of every column may be appended as it lies, a column at a time: none is NULL, nested or of
// a kind that has to be converted, and all are values of their types. What is not whole goes row by row.
func (r *LogRows) Whole() bool {
	if r.rowwise != nil || r.n == 0 {
		return false
	}
	for i := range r.vectors {
		if !r.vectors[i].whole() {
			return false
		}
	}
	return true
}

func (v *Vector) whole() bool {
	if v.skipped || v.valid != nil {
		return false
	}
	switch t := v.field.typ; t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Float, catalog.Double, catalog.Bytes:
		return true
	case catalog.String:
		return v.wholeText()
	case catalog.Date, catalog.Decimal:
		if t.Kind == catalog.Decimal && !t.IsCompactDecimal() {
			return false
		}
		var d row.Datum
		for i := range v.n {
			if t.Kind == catalog.Date {
				d.I = v.Int64(i)
			} else {
				d.I = v.Unscaled(i)
			}
			if row.Check(&d, t) != nil {
				return false
			}
		}
		return true
	}
	return false
}

// wholeText reports whether all texts are UTF-8: they are together, and none begins within a character.
func (v *Vector) wholeText() bool {
	first, _ := v.span(0)
	_, last := v.span(v.n - 1)
	if !utf8.Valid(v.data[first:last]) {
		return false
	}
	for i := 1; i < v.n; i++ {
		if at, _ := v.span(i); at < last && !utf8.RuneStart(v.data[at]) {
			return false
		}
	}
	return true
}

// FlatSize is about what rows from to from+n-1 of columns that are Whole take: 8 bytes a value, and the bytes of texts.
func (r *LogRows) FlatSize(from, n int) int {
	size := 8 * len(r.vectors) * n
	for i := range r.vectors {
		if v := &r.vectors[i]; v.field.shape == varlen && n > 0 {
			first, _ := v.span(from)
			_, last := v.span(from + n - 1)
			size += last - first
		}
	}
	return size
}

// FlatRows is how many rows from row from on have a FlatSize of limit at most.
func (r *LogRows) FlatRows(from, limit int) int {
	return sort.Search(r.n-from, func(n int) bool { return r.FlatSize(from, n+1) > limit })
}

// AppendColumns appends rows from to from+n-1, which are Whole. Column i goes to column to[i] of the table, of which each has
// to have one. It reports false, having done nothing, where the encoder goes row by row.
func (e *LogEncoder) AppendColumns(r *LogRows, to []int, from, n int) bool {
	a, ok := e.payload.(*arrowEncoder)
	if !ok || len(to) != len(a.builders) || e.Lossy {
		return false
	}
	for _, b := range a.builders {
		if b.nulls > 0 || len(b.data) > math.MaxInt32/2 {
			return false
		}
	}
	for i, col := range to {
		a.builders[col].appendVector(&r.vectors[i], from, n)
	}
	for range n {
		e.changes = append(e.changes, byte(Append))
	}
	e.count += n
	return true
}

// appendVector appends values from to from+n-1 of a column that is whole.
func (b *builder) appendVector(v *Vector, from, n int) {
	b.n += n
	if b.field.shape == fixed {
		w := b.field.width
		b.data = append(b.data, v.data[from*w:(from+n)*w]...)
		return
	}
	first, _ := v.span(from)
	_, last := v.span(from + n - 1)
	shift := len(b.data) - first
	b.data = append(b.data, v.data[first:last]...)
	for i := range n {
		_, end := v.span(from + i)
		b.offsets = binary.LittleEndian.AppendUint32(b.offsets, uint32(end+shift))
	}
}
