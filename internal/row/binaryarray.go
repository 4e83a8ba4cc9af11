package row

import (
	"encoding/binary"
	"math"
)

// A binary array, all offsets from its start:
//
//	0  int32 element count n
//	4  null bits, 4 bytes per 32 elements, lowest bit first
//	   n slots of 1 (BOOLEAN, TINYINT), 2 (SMALLINT), 4 (INT, FLOAT, DATE, TIME) or 8 bytes (all others);
//	   a NULL keeps its slot, zero-filled
//	   zeros up to a multiple of 8
//	   variable part, each value padded with zeros to a multiple of 8
//
// A slot of 8 bytes holds
//
//	numbers                       the value
//	STRING, CHAR, BYTES, BINARY   up to 7 bytes: the bytes, and 80+length in byte 7; more: size | offset
//	DECIMAL p > 18                size | offset, 16 bytes reserved there
//	TIMESTAMP p > 3               nanoseconds of the millisecond | offset, int64 milliseconds there
//	ARRAY, MAP, ROW               size | offset
//
// where "a | b" is two int32. A binary map is
//
//	0  int32 size of the key array in bytes
//	4  key array, value array
//
// Source: BinaryArrayWriter, BinaryMap, AbstractBinaryWriter (Java, v0.9.1-incubating).

// appendNested appends the body of an ARRAY, MAP or ROW.
func (c *codecColumn) appendNested(dst []byte, d *Datum) []byte {
	switch c.op {
	case opArray:
		return c.elem.appendElements(dst, d.L, 0, 1)
	case opMap:
		from := len(dst)
		dst = c.key.appendElements(appendZeros(dst, 4), d.L, 0, 2)
		binary.LittleEndian.PutUint32(dst[from:], uint32(len(dst)-from-4))
		return c.elem.appendElements(dst, d.L, 1, 2)
	}
	return c.inner.Append(dst, d.L)
}

// elementSize is the size of the column's slot in an array.
func (c *codecColumn) elementSize() int {
	if c.op >= opNanos {
		return 8
	}
	return fixedSizes[c.op]
}

// arrayHeader is the size of count and null bits.
func arrayHeader(n int) int { return 4 + (n+31)/32*4 }

// appendElements appends a binary array of list[first], list[first+step], ...
func (c *codecColumn) appendElements(dst []byte, list []Datum, first, step int) []byte {
	n := len(list) / step
	base, header, size := len(dst), arrayHeader(n), c.elementSize()
	dst = appendZeros(dst, roundTo8(header+n*size))
	binary.LittleEndian.PutUint32(dst[base:], uint32(n))
	for i := range n {
		d := &list[first+i*step]
		if d.Null {
			dst[base+4+i>>3] |= 1 << (i & 7)
			continue
		}
		at := base + header + i*size
		switch c.op {
		case opFloat:
			binary.LittleEndian.PutUint32(dst[at:], canonicalFloat(uint32(d.I)))
		case opDouble:
			binary.LittleEndian.PutUint64(dst[at:], canonicalDouble(uint64(d.I)))
		default:
			dst = c.appendSlot(dst, base, at, d)
		}
	}
	return dst
}

// appendSlot fills the zeroed slot at dst[at:] and appends what does not fit it. base is where offsets count from,
// len(dst)-base a multiple of 8, before and after.
func (c *codecColumn) appendSlot(dst []byte, base, at int, d *Datum) []byte {
	switch c.op {
	case opBool, opInt8:
		dst[at] = byte(d.I)
	case opInt16:
		binary.LittleEndian.PutUint16(dst[at:], uint16(d.I))
	case opInt32, opFloat:
		binary.LittleEndian.PutUint32(dst[at:], uint32(d.I))
	case opInt64, opDouble:
		binary.LittleEndian.PutUint64(dst[at:], uint64(d.I))
	case opNanos:
		putPair(dst[at:], int(d.N), len(dst)-base)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(d.I))
	case opPadded, opBytes:
		if n := len(d.B); n <= 7 {
			copy(dst[at:], d.B)
			dst[at+7] = 0x80 | byte(n)
			return dst
		}
		putPair(dst[at:], len(d.B), len(dst)-base)
		dst = padTo8(append(dst, d.B...), base)
	case opDecimal:
		putPair(dst[at:], len(d.B), len(dst)-base)
		dst = appendZeros(append(dst, d.B...), maxDecimalBytes-len(d.B))
	default:
		from := len(dst)
		dst = c.appendNested(dst, d)
		putPair(dst[at:], len(dst)-from, from-base)
		dst = padTo8(dst, base)
	}
	return dst
}

func putPair(slot []byte, low, high int) {
	binary.LittleEndian.PutUint32(slot, uint32(low))
	binary.LittleEndian.PutUint32(slot[4:], uint32(high))
}

func roundTo8(n int) int { return (n + 7) &^ 7 }

// padTo8 appends zeros until len(dst)-base is a multiple of 8.
func padTo8(dst []byte, base int) []byte { return appendZeros(dst, (base-len(dst))&7) }

// canonicalFloat gives every NaN the one pattern that arrays hold; rows and keys keep the bits they were given.
func canonicalFloat(bits uint32) uint32 {
	if f := math.Float32frombits(bits); f != f {
		return 0x7fc00000
	}
	return bits
}

func canonicalDouble(bits uint64) uint64 {
	if f := math.Float64frombits(bits); f != f {
		return 0x7ff8000000000000
	}
	return bits
}
