package row

import "encoding/binary"

// readVariable reads a DECIMAL beyond 18 digits or a nested value from exactly its bytes.
func (c *codecColumn) readVariable(d *Datum, b []byte, budget *int) (f fault) {
	*d = Datum{}
	switch c.op {
	case opDecimal:
		d.B, f = trimDecimal(b)
	case opArray:
		d.L, f = c.elem.readArray(b, budget)
	case opMap:
		d.L, f = c.readMap(b, budget)
	case opRow:
		d.L, f = c.inner.readRow(b, budget)
	}
	return f
}

// nestedBody takes the size of a body from the budget. Offsets may lead several elements to the same bytes, and in
// nested types that multiplies; honest bodies are disjoint, so together they are no longer than the row times the
// depth of its types, with which the budget starts.
func nestedBody(b []byte, budget *int) fault {
	if *budget -= len(b); *budget < 0 {
		return faultOverlap
	}
	return faultNone
}

func (c *Codec) readRow(b []byte, budget *int) ([]Datum, fault) {
	// A row cannot be shorter than its null bits, so there are at most 8 fields a byte.
	if len(b) < c.nullBytes {
		return nil, faultShort
	}
	if f := nestedBody(b, budget); f != faultNone {
		return nil, f
	}
	list := make([]Datum, len(c.columns))
	_, _, f := c.decode(list, b, budget)
	return list, f
}

func (c *codecColumn) readArray(b []byte, budget *int) ([]Datum, fault) {
	n, f := c.elementCount(b, budget)
	if f != faultNone {
		return nil, f
	}
	list := make([]Datum, n)
	return list, c.readElements(list, 1, n, b, budget)
}

func (c *codecColumn) readMap(b []byte, budget *int) ([]Datum, fault) {
	if f := nestedBody(b, budget); f != faultNone {
		return nil, f
	}
	if len(b) < 4 {
		return nil, faultShort
	}
	size := int(int32(binary.LittleEndian.Uint32(b)))
	if b = b[4:]; size < 0 || size > len(b) {
		return nil, faultLength
	}
	keys, values := b[:size], b[size:]
	n, f := c.key.elementCount(keys, budget)
	if f != faultNone {
		return nil, f
	}
	m, f := c.elem.elementCount(values, budget)
	if f != faultNone {
		return nil, f
	}
	if m != n {
		return nil, faultCount
	}
	list := make([]Datum, 2*n)
	if f := c.key.readElements(list, 2, n, keys, budget); f != faultNone {
		return nil, f
	}
	if n == 0 {
		return list, faultNone
	}
	return list, c.elem.readElements(list[1:], 2, n, values, budget)
}

// elementCount returns the element count of a binary array, after checking that its slots are there.
func (c *codecColumn) elementCount(b []byte, budget *int) (int, fault) {
	if f := nestedBody(b, budget); f != faultNone {
		return 0, f
	}
	if len(b) < 4 {
		return 0, faultShort
	}
	n := int(int32(binary.LittleEndian.Uint32(b)))
	if n < 0 || n > len(b)/c.elementSize() || arrayHeader(n)+n*c.elementSize() > len(b) {
		return 0, faultCount
	}
	return n, faultNone
}

// readElements reads the n elements of a binary array into list[0], list[step], ...
func (c *codecColumn) readElements(list []Datum, step, n int, b []byte, budget *int) fault {
	at, size := arrayHeader(n), c.elementSize()
	for i := range n {
		d := &list[i*step]
		if b[4+i>>3]>>(i&7)&1 != 0 {
			d.Null = true
		} else if f := c.readSlot(d, b, at+i*size, budget); f != faultNone {
			return f
		}
	}
	return faultNone
}

// readSlot reads the element whose slot is at b[at:], within b.
func (c *codecColumn) readSlot(d *Datum, b []byte, at int, budget *int) fault {
	if c.op < opNanos {
		c.readFixed(d, b, at)
		return faultNone
	}
	slot := b[at : at+8 : at+8]
	low, offset := int(int32(binary.LittleEndian.Uint32(slot))), int(int32(binary.LittleEndian.Uint32(slot[4:])))
	size := low
	switch {
	case c.op == opNanos:
		size = 8
	case c.op <= opBytes && slot[7] >= 0x80:
		if size = int(slot[7] & 0x7f); size > 7 {
			return faultSlot
		}
		d.B = slot[:size:size]
		return faultNone
	}
	if offset < 0 || size < 0 || offset > len(b)-size {
		return faultSlot
	}
	value := b[offset : offset+size : offset+size]
	switch c.op {
	case opNanos:
		if low < 0 || low > maxNanos {
			return faultNanos
		}
		d.I, d.N = int64(binary.LittleEndian.Uint64(value)), int32(low)
	case opPadded, opBytes:
		d.B = value
	default:
		return c.readVariable(d, value, budget)
	}
	return faultNone
}
