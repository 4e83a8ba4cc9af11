package record

import (
	"database/sql/driver"
	"encoding/binary"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// stripText is how many bytes of text a strip cuts from one string: whoever keeps one of them keeps all.
const stripText = 4 << 10

// Strip makes the values of a run of rows of a column, a loop for each type: what does not change from row to row is looked
// at once. The zero Strip is ready; it is for one goroutine at a time.
type Strip struct {
	arena row.Arena
	digit []byte // texts of numbers
	ends  []int  // in digit
	texts []string
}

// Values sets dst[k*stride] to value from+k of v, n of them, as row.Value gives them. They are good for ever.
func (s *Strip) Values(dst []driver.Value, stride, n int, v *Vector, from int, loc *time.Location) {
	if v.skipped {
		for k := range n {
			dst[k*stride] = nil
		}
		return
	}
	switch v.field.typ.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		row.Integers(dst, stride, v.integers(from, n))
	case catalog.Date:
		for k := range n {
			dst[k*stride] = row.Day(v.Int64(from + k))
		}
	case catalog.Float, catalog.Double:
		values := make([]float64, n)
		for k := range values {
			values[k] = v.Float64(from + k)
		}
		row.Floats(dst, stride, values)
	case catalog.Timestamp, catalog.TimestampLTZ:
		values := make([]time.Time, n)
		for k := range values {
			values[k] = v.Time(from+k, loc)
		}
		row.Times(dst, stride, values)
	default:
		s.other(dst, stride, n, v, from, loc)
		return
	}
	v.clearNulls(dst, stride, n, from)
}

// other is Values of texts and of the types that have no loop.
func (s *Strip) other(dst []driver.Value, stride, n int, v *Vector, from int, loc *time.Location) {
	values := make([]string, n)
	if s.cut(values, v, from) {
		row.Texts(dst, stride, values)
		v.clearNulls(dst, stride, n, from)
		return
	}
	var d row.Datum
	var lists arena
	for k := range n {
		v.datum(&d, from+k, &lists)
		dst[k*stride] = s.arena.Value(&d, v.field.typ, loc)
	}
}

func (v *Vector) clearNulls(dst []driver.Value, stride, n, from int) {
	if v.valid == nil {
		return
	}
	for k := range n {
		if v.IsNull(from + k) {
			dst[k*stride] = nil
		}
	}
}

func (v *Vector) integers(from, n int) []int64 {
	values := make([]int64, n)
	if v.field.width != 8 {
		for k := range values {
			values[k] = v.Int64(from + k)
		}
		return values
	}
	data := v.data[from*8 : (from+n)*8]
	for k := range values {
		values[k] = int64(binary.LittleEndian.Uint64(data[k*8:]))
	}
	return values
}

// Time returns a TIMESTAMP or TIMESTAMP_LTZ as row.Value gives it.
func (v *Vector) Time(i int, loc *time.Location) time.Time {
	var d row.Datum
	d.I, d.N = v.Timestamp(i)
	return row.TimeOf(&d, v.field.typ, loc)
}

// cut sets dst to the texts from row from on. It reports false, having done nothing, for types and texts that go one by one:
// what is not CHAR, STRING or a DECIMAL of 18 digits at most, and what is too much for one string.
func (s *Strip) cut(dst []string, v *Vector, from int) bool {
	switch {
	case v.field.typ.IsCompactDecimal():
		s.numbers(dst, v, from)
		return true
	case v.field.typ.Kind != catalog.Char && v.field.typ.Kind != catalog.String:
		return false
	}
	offsets := v.offsets[from*4 : (from+len(dst)+1)*4]
	first, last := binary.LittleEndian.Uint32(offsets), binary.LittleEndian.Uint32(offsets[len(dst)*4:])
	if last-first > stripText {
		return false
	}
	all := string(v.data[first:last])
	at := uint32(0)
	for k := range dst {
		end := binary.LittleEndian.Uint32(offsets[k*4+4:]) - first
		dst[k] = all[at:end]
		at = end
	}
	return true
}

// numbers is cut for a DECIMAL.
func (s *Strip) numbers(dst []string, v *Vector, from int) {
	s.digit, s.ends = s.digit[:0], s.ends[:0]
	scale := v.field.typ.Scale
	for k := range dst {
		s.digit = row.AppendCompact(s.digit, v.Unscaled(from+k), scale)
		s.ends = append(s.ends, len(s.digit))
	}
	all := string(s.digit)
	at := 0
	for k, end := range s.ends {
		dst[k] = all[at:end]
		at = end
	}
}

// Texts is the texts of rows from to from+n-1, as row.Value gives them, nil where cut makes none. The slice is good until the
// next call.
func (s *Strip) Texts(v *Vector, from, n int) []string {
	if v.skipped {
		return nil
	}
	if cap(s.texts) < n {
		s.texts = make([]string, n)
	}
	if !s.cut(s.texts[:n], v, from) {
		return nil
	}
	return s.texts[:n]
}
