package row

import (
	"database/sql/driver"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// ValueReader reads COMPACTED rows straight into driver.Values: what Decode and Value give, in half the time, since no
// value lies in a Datum in between. It is compiled once, immutable and safe for concurrent use.
type ValueReader struct {
	codec   *Codec
	columns []valueColumn
	same    []repeated
}

// valueColumn is a column of the row.
type valueColumn struct {
	form valueForm
	out  int // where its value goes
	typ  *catalog.Type
}

// repeated is a column of the result that is the same as an earlier one.
type repeated struct{ to, from int }

// valueForm is how a value is read.
type valueForm uint8

const (
	formSkipped  valueForm = iota
	formInt                // INT
	formBigInt             // BIGINT
	formDay                // DATE
	formUnscaled           // DECIMAL up to 18 digits
	formText               // CHAR, STRING
	formOther              // by way of a Datum
)

// NewValueReader compiles a reader of rows of c, which are of those types. Column i of the result is the row's column
// out[i]. It is nil for rows that are not COMPACTED.
func NewValueReader(c *Codec, types []*catalog.Type, out []int) *ValueReader {
	if c.format != Compacted {
		return nil
	}
	r := &ValueReader{codec: c, columns: make([]valueColumn, len(types))}
	for i, at := range out {
		col := &r.columns[at]
		if col.form != formSkipped {
			r.same = append(r.same, repeated{i, col.out})
			continue
		}
		*col = valueColumn{form: formOf(types[at]), out: i, typ: types[at]}
	}
	return r
}

func formOf(t *catalog.Type) valueForm {
	switch t.Kind {
	case catalog.Int:
		return formInt
	case catalog.BigInt:
		return formBigInt
	case catalog.Date:
		return formDay
	case catalog.Char, catalog.String:
		return formText
	case catalog.Decimal:
		if t.IsCompactDecimal() {
			return formUnscaled
		}
	}
	return formOther
}

// Read reads src, which must be exactly one row, into dst, whose values are as Value gives them. What columns that are not
// wanted hold is not looked at. The error is a *DecodeError, and dst is undefined then.
func (r *ValueReader) Read(dst []driver.Value, src []byte, a *Arena, loc *time.Location) error {
	c := r.codec
	budget := len(src) * c.depth
	if len(src) < c.nullBytes {
		return c.fault(0, 0, faultShort)
	}
	at := c.nullBytes
	for i := range r.columns {
		col := &r.columns[i]
		if src[i>>3]>>(i&7)&1 != 0 {
			if col.form != formSkipped {
				dst[col.out] = nil
			}
			continue
		}
		next := 0
		switch col.form {
		case formBigInt:
			var v int64
			v, next = readVarint64(src, at)
			dst[col.out] = box(aInt, &a.ints, v)
		case formInt:
			var v int32
			v, next = readVarint32(src, at)
			dst[col.out] = box(aInt, &a.ints, int64(v))
		case formDay:
			var v int32
			v, next = readVarint32(src, at)
			dst[col.out] = dayValue(int64(v))
		case formUnscaled:
			var v int64
			v, next = readVarint64(src, at)
			a.room(formatted)
			dst[col.out] = box(aString, &a.strings, a.cut(AppendCompact(a.text, v, col.typ.Scale)))
		case formText:
			var b []byte
			b, next = readLengthBytes(src, at)
			dst[col.out] = a.boxedText(b)
		case formSkipped:
			next = c.columns[i].skipCompacted(src, at)
		default:
			if next = c.columns[i].readCompacted(&a.datum, src, at, &budget); next >= 0 {
				dst[col.out] = a.Value(&a.datum, col.typ, loc)
			}
		}
		if next < 0 {
			return c.fault(i, at, fault(-next))
		}
		at = next
	}
	if at != len(src) {
		return c.fault(len(c.columns), at, faultTrailing)
	}
	for _, s := range r.same {
		dst[s.to] = dst[s.from]
	}
	return nil
}

// boxedText is the value of a text.
func (a *Arena) boxedText(b []byte) driver.Value {
	s := a.Text(b)
	if len(s) > largeText {
		return s
	}
	return box(aString, &a.strings, s)
}
