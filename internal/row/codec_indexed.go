package row

import (
	"bytes"
	"encoding/binary"
)

// An INDEXED row is null bits, a list of lengths and then the non-null fields:
//
//	0  ceil(columns/8) bytes of null bits, as in a COMPACTED row
//	   int32 for every variable-length column, NULL or not: the lengths of the non-null ones, one after the
//	   other; the slots that NULLs leave over are zero and at the end
//
//	fixed     BOOLEAN, TINYINT 1; SMALLINT 2; INT, FLOAT, DATE, TIME 4; BIGINT, DOUBLE, DECIMAL p <= 18,
//	          TIMESTAMP p <= 3 8; TIMESTAMP p > 3 12 (int64 milliseconds, int32 nanoseconds);
//	          CHAR(n), BINARY(n) n bytes, padded with zeros that readers strip
//	variable  STRING, BYTES, DECIMAL p > 18, ARRAY, MAP, ROW (an INDEXED row)
//
// Source: IndexedRowWriter, IndexedRowReader (Java, v0.9.1-incubating).

func (c *Codec) appendIndexed(dst []byte, row []Datum) []byte {
	bits := len(dst)
	slot := bits + c.nullBytes
	dst = appendZeros(dst, c.nullBytes+4*c.variable)
	for i := range c.columns {
		col, d := &c.columns[i], &row[i]
		if d.Null {
			dst[bits+i>>3] |= 1 << (i & 7)
			continue
		}
		if !col.variable() {
			dst = col.appendIndexedFixed(dst, d)
			continue
		}
		from := len(dst)
		if dst = col.appendVariable(dst, d); len(dst) > from {
			binary.LittleEndian.PutUint32(dst[slot:], uint32(len(dst)-from))
		}
		slot += 4
	}
	return dst
}

func (c *codecColumn) appendIndexedFixed(dst []byte, d *Datum) []byte {
	if c.op != opPadded {
		return c.appendFixed(dst, d)
	}
	n := min(len(d.B), c.size)
	return appendZeros(append(dst, d.B[:n]...), c.size-n)
}

// appendVariable appends the bytes of a variable-length value, without their length.
func (c *codecColumn) appendVariable(dst []byte, d *Datum) []byte {
	if c.op >= opArray {
		return c.appendNested(dst, d)
	}
	return append(dst, d.B...)
}

// indexedCursor walks over the fields of one INDEXED row.
type indexedCursor struct {
	src  []byte
	slot int // offset of the next unused slot of the length list
	at   int // offset of the next field
}

func (c *Codec) openIndexed(src []byte) (indexedCursor, fault) {
	head := c.nullBytes + 4*c.variable
	if len(src) < head {
		return indexedCursor{}, faultShort
	}
	return indexedCursor{src: src, slot: c.nullBytes, at: head}, faultNone
}

func (c *Codec) decodeIndexed(dst []Datum, src []byte, budget *int) (column, at int, f fault) {
	cur, f := c.openIndexed(src)
	if f != faultNone {
		return 0, 0, f
	}
	for i := range c.columns {
		if src[i>>3]>>(i&7)&1 != 0 {
			dst[i] = Datum{Null: true}
			continue
		}
		if f := cur.read(&c.columns[i], &dst[i], budget); f != faultNone {
			return i, cur.at, f
		}
	}
	if cur.at != len(src) {
		return len(c.columns), cur.at, faultTrailing
	}
	return 0, cur.at, faultNone
}

func (c *Codec) decodeIndexedColumns(dst []Datum, src []byte, want []int, budget *int) (column, at int, f fault) {
	cur, f := c.openIndexed(src)
	if f != faultNone {
		return 0, 0, f
	}
	for i := 0; len(want) > 0; i++ {
		wanted := want[0] == i
		if wanted {
			want = want[1:]
		}
		null := src[i>>3]>>(i&7)&1 != 0
		switch {
		case null && wanted:
			dst[i] = Datum{Null: true}
		case wanted:
			f = cur.read(&c.columns[i], &dst[i], budget)
		case !null:
			_, f = cur.field(&c.columns[i])
		}
		if f != faultNone {
			return i, cur.at, f
		}
	}
	return 0, cur.at, faultNone
}

// field returns the bytes of the next field and steps over it.
func (r *indexedCursor) field(c *codecColumn) ([]byte, fault) {
	size := fixedSizes[c.op]
	switch {
	case c.op == opPadded:
		size = c.size
	case c.variable():
		size = int(int32(binary.LittleEndian.Uint32(r.src[r.slot:])))
		r.slot += 4
	}
	if size < 0 || size > len(r.src)-r.at {
		return nil, faultLength
	}
	from := r.at
	r.at += size
	return r.src[from:r.at:r.at], faultNone
}

func (r *indexedCursor) read(c *codecColumn, d *Datum, budget *int) fault {
	b, f := r.field(c)
	if f != faultNone {
		return f
	}
	switch c.op {
	case opPadded:
		*d = Datum{B: bytes.TrimRight(b, "\x00")}
	case opBytes:
		*d = Datum{B: b}
	case opDecimal, opArray, opMap, opRow:
		return c.readVariable(d, b, budget)
	default:
		if next := c.readFixed(d, b, 0); next < 0 {
			return fault(-next)
		}
	}
	return faultNone
}
