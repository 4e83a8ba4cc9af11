package record

import (
	"encoding/binary"
	"math"
	"slices"
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
		low, high := v.extremes()
		return row.Check(&row.Datum{I: low}, t) == nil && row.Check(&row.Datum{I: high}, t) == nil
	}
	return false
}

// extremes are the smallest and the largest value of a column of int32, or of DECIMALs that fit an int64.
func (v *Vector) extremes() (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	if v.field.width == 4 {
		for b := v.data; len(b) >= 4; b = b[4:] {
			x := int64(int32(binary.LittleEndian.Uint32(b)))
			low, high = min(low, x), max(high, x)
		}
		return low, high
	}
	for b := v.data; len(b) >= 16; b = b[16:] {
		x := int64(binary.LittleEndian.Uint64(b))
		low, high = min(low, x), max(high, x)
	}
	return low, high
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
// to have one. Once more than these come, memory is taken for full rows at once. It reports false, having done nothing, where
// the encoder goes row by row.
func (e *LogEncoder) AppendColumns(r *LogRows, to []int, from, n, full int) bool {
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
		a.builders[col].appendVector(&r.vectors[i], from, n, full)
	}
	for range n {
		e.changes = append(e.changes, byte(Append))
	}
	e.count += n
	return true
}

// appendVector appends values from to from+n-1 of a column that is whole.
func (b *builder) appendVector(v *Vector, from, n, full int) {
	if b.field.shape == fixed {
		w := b.field.width
		b.data = append(roomFor(b.data, n*w, b.n, full), v.data[from*w:(from+n)*w]...)
		b.n += n
		return
	}
	first, _ := v.span(from)
	_, last := v.span(from + n - 1)
	b.data = roomFor(b.data, last-first, b.n, full)
	b.offsets = roomFor(b.offsets, 4*n, b.n, full)
	b.n += n
	shift := len(b.data) - first
	b.data = append(b.data, v.data[first:last]...)
	for i := range n {
		_, end := v.span(from + i)
		b.offsets = binary.LittleEndian.AppendUint32(b.offsets, uint32(end+shift))
	}
}

// roomFor makes room for more bytes behind those of so many rows. Memory that has to grow grows to what full such rows
// take, and is not copied again and again; the first rows, which may be all, take no more than they need.
func roomFor(data []byte, more, rows, full int) []byte {
	if cap(data)-len(data) >= more {
		return data
	}
	if full += full / 16; rows > 0 && rows < full {
		more = max(more, int(int64(len(data))*int64(full-rows)/int64(rows)))
	}
	return slices.Grow(data, more)
}
