package row

import (
	"encoding/binary"
	"slices"
)

// A COMPACTED row is null bits and then the non-null fields one after the other:
//
//	0  ceil(columns/8) bytes; column i is bit i%8, lowest first, of byte i/8; 1 = NULL
//
//	BOOLEAN, TINYINT           1 byte
//	SMALLINT                   2 bytes
//	INT, DATE, TIME            varint
//	BIGINT, DECIMAL p <= 18    varint of 64 bits
//	FLOAT, DOUBLE              4, 8 bytes
//	STRING, CHAR, BYTES,
//	BINARY, DECIMAL p > 18     varint length, bytes; nothing is padded
//	TIMESTAMP p <= 3           varint of milliseconds
//	TIMESTAMP p > 3            varint of milliseconds, varint of nanoseconds of the millisecond
//	ARRAY, MAP, ROW            varint length, binary array, binary map, COMPACTED row
//
// Source: CompactedRowWriter, CompactedRowReader (Java, v0.9.1-incubating).

func (c *Codec) appendCompacted(dst []byte, row []Datum) []byte {
	bits := len(dst)
	dst = appendZeros(dst, c.nullBytes)
	for i := range c.columns {
		if row[i].Null {
			dst[bits+i>>3] |= 1 << (i & 7)
			continue
		}
		dst = c.columns[i].appendCompacted(dst, &row[i])
	}
	return dst
}

// appendCompacted appends one field that is not NULL. Compacted keys are made of these.
func (c *codecColumn) appendCompacted(dst []byte, d *Datum) []byte {
	switch c.op {
	case opBool, opInt8:
		return append(dst, byte(d.I))
	case opInt16:
		return binary.LittleEndian.AppendUint16(dst, uint16(d.I))
	case opInt32:
		return appendVarint32(dst, int32(d.I))
	case opInt64:
		return appendVarint64(dst, d.I)
	case opFloat:
		return binary.LittleEndian.AppendUint32(dst, uint32(d.I))
	case opDouble:
		return binary.LittleEndian.AppendUint64(dst, uint64(d.I))
	case opNanos:
		return appendVarint32(appendVarint64(dst, d.I), d.N)
	case opPadded, opBytes, opDecimal:
		return append(appendVarint32(dst, int32(len(d.B))), d.B...)
	}
	from := len(dst)
	return insertLength(c.appendNested(dst, d), from)
}

// insertLength puts the varint length of dst[from:] in front of it. A body can be moved as its offsets are relative.
func insertLength(dst []byte, from int) []byte {
	var buf [binary.MaxVarintLen32]byte
	n := binary.PutUvarint(buf[:], uint64(len(dst)-from))
	return slices.Insert(dst, from, buf[:n]...)
}

func (c *Codec) decodeCompacted(dst []Datum, src []byte, budget *int) (column, at int, f fault) {
	if len(src) < c.nullBytes {
		return 0, 0, faultShort
	}
	at = c.nullBytes
	for i := range c.columns {
		if src[i>>3]>>(i&7)&1 != 0 {
			dst[i] = Datum{Null: true}
			continue
		}
		next := c.columns[i].readCompacted(&dst[i], src, at, budget)
		if next < 0 {
			return i, at, fault(-next)
		}
		at = next
	}
	if at != len(src) {
		return len(c.columns), at, faultTrailing
	}
	return 0, at, faultNone
}

func (c *Codec) decodeCompactedColumns(dst []Datum, src []byte, want []int, budget *int) (column, at int, f fault) {
	if len(src) < c.nullBytes {
		return 0, 0, faultShort
	}
	at = c.nullBytes
	for i := 0; len(want) > 0; i++ {
		wanted := want[0] == i
		if wanted {
			want = want[1:]
		}
		if src[i>>3]>>(i&7)&1 != 0 {
			if wanted {
				dst[i] = Datum{Null: true}
			}
			continue
		}
		var next int
		if wanted {
			next = c.columns[i].readCompacted(&dst[i], src, at, budget)
		} else {
			next = c.columns[i].skipCompacted(src, at)
		}
		if next < 0 {
			return i, at, fault(-next)
		}
		at = next
	}
	return 0, at, faultNone
}

// readCompacted reads the field at src[at:] and returns the offset behind it, or a negated fault.
func (c *codecColumn) readCompacted(d *Datum, src []byte, at int, budget *int) int {
	switch c.op {
	case opInt32:
		v, next := readVarint32(src, at)
		*d = Datum{I: int64(v)}
		return next
	case opInt64:
		v, next := readVarint64(src, at)
		*d = Datum{I: v}
		return next
	case opPadded, opBytes:
		b, next := readLengthBytes(src, at)
		*d = Datum{B: b}
		return next
	case opNanos:
		return readCompactedNanos(d, src, at)
	case opDecimal, opArray, opMap, opRow:
		b, next := readLengthBytes(src, at)
		if next < 0 {
			return next
		}
		if f := c.readVariable(d, b, budget); f != faultNone {
			return -int(f)
		}
		return next
	}
	return c.readFixed(d, src, at)
}

// skipCompacted returns the offset behind the field at src[at:], or a negated fault. Nested values are not read.
func (c *codecColumn) skipCompacted(src []byte, at int) int {
	if c.op >= opPadded {
		_, next := readLengthBytes(src, at)
		return next
	}
	var d Datum
	return c.readCompacted(&d, src, at, nil)
}

// readLengthBytes reads a varint length and as many bytes, which alias src.
func readLengthBytes(src []byte, at int) ([]byte, int) {
	n, next := readVarint32(src, at)
	if next < 0 {
		return nil, next
	}
	if n < 0 || int(n) > len(src)-next {
		return nil, -int(faultLength)
	}
	end := next + int(n)
	return src[next:end:end], end
}

func readCompactedNanos(d *Datum, src []byte, at int) int {
	millis, at := readVarint64(src, at)
	if at < 0 {
		return at
	}
	nanos, next := readVarint32(src, at)
	if next >= 0 && (nanos < 0 || nanos > maxNanos) {
		return -int(faultNanos)
	}
	*d = Datum{I: millis, N: nanos}
	return next
}
