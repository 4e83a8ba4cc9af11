package row

import "encoding/binary"

// fixedSizes is what a value takes where sizes are fixed: INDEXED rows and array elements. 0: depends on the type.
var fixedSizes = [...]int{
	opBool: 1, opInt8: 1, opInt16: 2, opInt32: 4, opInt64: 8, opFloat: 4, opDouble: 8, opNanos: 12,
	opPadded: 0, opBytes: 0, opDecimal: 0, opArray: 0, opMap: 0, opRow: 0,
}

// readFixed reads a number of fixed size at src[at:] and returns the offset behind it, or a negated fault.
func (c *codecColumn) readFixed(d *Datum, src []byte, at int) int {
	size := fixedSizes[c.op]
	if len(src)-at < size {
		return -int(faultShort)
	}
	b := src[at : at+size]
	switch c.op {
	case opBool:
		*d = Datum{}
		if b[0] != 0 {
			d.I = 1
		}
	case opInt8:
		*d = Datum{I: int64(int8(b[0]))}
	case opInt16:
		*d = Datum{I: int64(int16(binary.LittleEndian.Uint16(b)))}
	case opInt32:
		*d = Datum{I: int64(int32(binary.LittleEndian.Uint32(b)))}
	case opFloat:
		*d = Datum{I: int64(binary.LittleEndian.Uint32(b))}
	case opInt64, opDouble:
		*d = Datum{I: int64(binary.LittleEndian.Uint64(b))}
	case opNanos:
		n := int32(binary.LittleEndian.Uint32(b[8:]))
		if n < 0 || n > maxNanos {
			return -int(faultNanos)
		}
		*d = Datum{I: int64(binary.LittleEndian.Uint64(b)), N: n}
	}
	return at + size
}

// appendFixed appends a number in its fixed size.
func (c *codecColumn) appendFixed(dst []byte, d *Datum) []byte {
	switch c.op {
	case opBool, opInt8:
		return append(dst, byte(d.I))
	case opInt16:
		return binary.LittleEndian.AppendUint16(dst, uint16(d.I))
	case opInt32, opFloat:
		return binary.LittleEndian.AppendUint32(dst, uint32(d.I))
	case opInt64, opDouble:
		return binary.LittleEndian.AppendUint64(dst, uint64(d.I))
	case opNanos:
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint64(dst, uint64(d.I)), uint32(d.N))
	}
	return dst
}
