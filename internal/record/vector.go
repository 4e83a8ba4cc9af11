package record

import (
	"encoding/binary"
	"math"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Vector is the values of one column of a decoded batch, or of the elements, keys, values or members inside
// one. Everything in it was checked when the batch was decoded, so that no access with i < Len() can fail; a
// value under a NULL is meaningless but safe to read. It aliases the batch or the decoder's buffers.
//
// Which accessor fits follows from the type; any other returns nonsense or panics.
type Vector struct {
	field    *field
	n        int
	nulls    int
	valid    []byte // bit i%8 of byte i/8 set: value i is there; nil: no NULL
	data     []byte // fixed values little-endian, bits, or the bytes of variable values
	offsets  []byte // n+1 int32, rising, the last one within data or the child
	big      []byte // DECIMAL of precision > 18: data with every value turned big-endian
	children []Vector
	skipped  bool
}

// Type is the column's type.
func (v *Vector) Type() *catalog.Type { return v.field.typ }

// Len is the number of values.
func (v *Vector) Len() int { return v.n }

// Nulls is the number of NULLs among them, as the batch states it.
func (v *Vector) Nulls() int { return v.nulls }

// Selected reports whether the column was decoded at all; see LogDecoder.Select. A column that was not reads
// as NULL through IsNull and Datum.
func (v *Vector) Selected() bool { return !v.skipped }

// IsNull reports whether value i is NULL.
func (v *Vector) IsNull(i int) bool {
	if v.valid == nil {
		return v.skipped
	}
	return v.valid[i>>3]&(1<<(i&7)) == 0
}

// Bool returns a BOOLEAN.
func (v *Vector) Bool(i int) bool { return v.data[i>>3]&(1<<(i&7)) != 0 }

// Int64 returns a TINYINT, SMALLINT, INT, BIGINT or DATE (days since 1970-01-01).
func (v *Vector) Int64(i int) int64 {
	switch v.field.width {
	case 8:
		return int64(binary.LittleEndian.Uint64(v.data[i*8:]))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(v.data[i*4:])))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(v.data[i*2:])))
	}
	return int64(int8(v.data[i]))
}

// Float64 returns a FLOAT or DOUBLE.
func (v *Vector) Float64(i int) float64 {
	if v.field.width == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(v.data[i*4:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(v.data[i*8:]))
}

// Bytes returns a CHAR, STRING, BINARY or BYTES. The slice aliases the vector.
func (v *Vector) Bytes(i int) []byte {
	if v.field.shape == fixed {
		from := i * v.field.width
		return v.data[from : from+v.field.width : from+v.field.width]
	}
	from, to := v.span(i)
	return v.data[from:to:to]
}

// span returns where variable value or list i begins and ends.
func (v *Vector) span(i int) (from, to int) {
	o := v.offsets[i*4 : i*4+8]
	return int(binary.LittleEndian.Uint32(o)), int(binary.LittleEndian.Uint32(o[4:]))
}

// Unscaled returns the unscaled value of a DECIMAL of precision 18 or less.
func (v *Vector) Unscaled(i int) int64 { return int64(binary.LittleEndian.Uint64(v.data[i*16:])) }

// BigUnscaled returns the unscaled value of a DECIMAL of precision above 18 as minimal big-endian two's
// complement. The slice aliases the vector.
func (v *Vector) BigUnscaled(i int) []byte {
	b := v.big[i*16 : i*16+16 : i*16+16]
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}

// MillisOfDay returns a TIME.
func (v *Vector) MillisOfDay(i int) int64 {
	switch raw := v.Int64(i); v.field.unit {
	case seconds:
		return raw * 1000
	case micros:
		return floorDiv(raw, 1000)
	case nanos:
		return floorDiv(raw, 1_000_000)
	default:
		return raw
	}
}

// Timestamp returns a TIMESTAMP or TIMESTAMP_LTZ: milliseconds since the epoch, floored, and the nanoseconds
// of that millisecond.
func (v *Vector) Timestamp(i int) (millis int64, nanosOfMilli int32) {
	raw := int64(binary.LittleEndian.Uint64(v.data[i*8:]))
	switch v.field.unit {
	case seconds:
		return raw * 1000, 0
	case micros:
		millis = floorDiv(raw, 1000)
		return millis, int32(raw-millis*1000) * 1000
	case nanos:
		millis = floorDiv(raw, 1_000_000)
		return millis, int32(raw - millis*1_000_000)
	default:
		return raw, 0
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Span returns where value i of an ARRAY lies in Elem, or of a MAP in Key and Elem.
func (v *Vector) Span(i int) (from, to int) { return v.span(i) }

// Elem is the elements of an ARRAY or the values of a MAP.
func (v *Vector) Elem() *Vector {
	if v.field.typ.Kind == catalog.Map {
		return &v.children[0].children[1]
	}
	return &v.children[0]
}

// Key is the keys of a MAP.
func (v *Vector) Key() *Vector { return &v.children[0].children[0] }

// Member is the j-th field of a ROW. Its value i belongs to row i.
func (v *Vector) Member(j int) *Vector { return &v.children[j] }

// datum sets dst to value i. Lists are taken from the arena.
func (v *Vector) datum(dst *row.Datum, i int, a *arena) {
	if v.IsNull(i) {
		*dst = row.Datum{Null: true}
		return
	}
	switch v.field.typ.Kind {
	case catalog.Boolean:
		*dst = row.Datum{I: int64(v.data[i>>3] >> (i & 7) & 1)}
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Date, catalog.Double:
		*dst = row.Datum{I: v.Int64(i)}
	case catalog.Float:
		*dst = row.Datum{I: int64(binary.LittleEndian.Uint32(v.data[i*4:]))}
	case catalog.Decimal:
		v.decimal(dst, i)
	case catalog.Time:
		*dst = row.Datum{I: v.MillisOfDay(i)}
	case catalog.Timestamp, catalog.TimestampLTZ:
		m, n := v.Timestamp(i)
		*dst = row.Datum{I: m, N: n}
	case catalog.Array, catalog.Map:
		v.list(dst, i, a)
	case catalog.Row:
		v.group(dst, i, a)
	default:
		*dst = row.Datum{B: v.Bytes(i)}
	}
}

func (v *Vector) decimal(dst *row.Datum, i int) {
	if !v.field.typ.IsCompactDecimal() {
		*dst = row.Datum{B: v.BigUnscaled(i)}
		return
	}
	*dst = row.Datum{I: v.Unscaled(i)}
}

func (v *Vector) list(dst *row.Datum, i int, a *arena) {
	from, to := v.span(i)
	if v.field.typ.Kind == catalog.Array {
		l := a.take(to - from)
		for j := range l {
			v.children[0].datum(&l[j], from+j, a)
		}
		*dst = row.Datum{L: l}
		return
	}
	l := a.take(2 * (to - from))
	key, value := v.Key(), v.Elem()
	for j := 0; j < len(l); j += 2 {
		key.datum(&l[j], from+j/2, a)
		value.datum(&l[j+1], from+j/2, a)
	}
	*dst = row.Datum{L: l}
}

func (v *Vector) group(dst *row.Datum, i int, a *arena) {
	l := a.take(len(v.children))
	for j := range l {
		v.children[j].datum(&l[j], i, a)
	}
	*dst = row.Datum{L: l}
}

// arena hands out the lists of nested values, cut from chunks so that most of them cost no allocation. A list is
// never handed out twice.
type arena struct{ free []row.Datum }

const arenaChunk = 256

func (a *arena) take(n int) []row.Datum {
	if n > arenaChunk/4 {
		return make([]row.Datum, n)
	}
	if n > len(a.free) {
		a.free = make([]row.Datum, arenaChunk)
	}
	l := a.free[:n:n]
	a.free = a.free[n:]
	return l
}
