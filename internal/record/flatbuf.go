package record

import "encoding/binary"

// flat reads a flatbuffer of which nothing is trusted. The first bad offset sets bad; from then on everything
// reads as absent or zero.
//
// A table begins with an int32 that, subtracted from the table's position, gives its vtable: uint16 size of the
// vtable, uint16 size of the table, then a uint16 per field, its place in the table or 0 when absent. A
// reference is a uint32 added to its own position. A vector is a uint32 count, then the elements.
type flat struct {
	b   []byte
	bad bool
}

// flatTable is a table in a flat. A table at 0 is an absent one; all its fields are absent.
type flatTable struct {
	at     int
	vtable int
	slots  int // fields that the vtable knows
}

func (f *flat) u16(at int) int {
	if at < 0 || at > len(f.b)-2 {
		f.bad = true
		return 0
	}
	return int(binary.LittleEndian.Uint16(f.b[at:]))
}

func (f *flat) u32(at int) int {
	if at < 0 || at > len(f.b)-4 {
		f.bad = true
		return 0
	}
	return int(binary.LittleEndian.Uint32(f.b[at:]))
}

func (f *flat) i64(at int) int64 {
	if at < 0 || at > len(f.b)-8 {
		f.bad = true
		return 0
	}
	return int64(binary.LittleEndian.Uint64(f.b[at:]))
}

// root is the table that the first four bytes point to.
func (f *flat) root() flatTable { return f.table(f.u32(0)) }

func (f *flat) table(at int) flatTable {
	vtable := at - int(int32(f.u32(at)))
	size := f.u16(vtable)
	if f.bad || size < 4 || vtable+size > len(f.b) {
		f.bad = true
		return flatTable{}
	}
	return flatTable{at: at, vtable: vtable, slots: (size - 4) / 2}
}

// field returns the position of a table's field, or 0 when it is absent.
func (f *flat) field(t flatTable, id int) int {
	if id >= t.slots {
		return 0
	}
	place := f.u16(t.vtable + 4 + 2*id)
	if place == 0 {
		return 0
	}
	return t.at + place
}

// byte returns a byte field, 0 being the default.
func (f *flat) byte(t flatTable, id int) byte {
	at := f.field(t, id)
	if at == 0 {
		return 0
	}
	if at >= len(f.b) {
		f.bad = true
		return 0
	}
	return f.b[at]
}

// int16 returns an int16 field, 0 being the default.
func (f *flat) int16(t flatTable, id int) int16 {
	if at := f.field(t, id); at != 0 {
		return int16(f.u16(at))
	}
	return 0
}

// int64 returns an int64 field, 0 being the default.
func (f *flat) int64(t flatTable, id int) int64 {
	if at := f.field(t, id); at != 0 {
		return f.i64(at)
	}
	return 0
}

// sub returns the table that a field refers to.
func (f *flat) sub(t flatTable, id int) (flatTable, bool) {
	at := f.field(t, id)
	if at == 0 {
		return flatTable{}, false
	}
	s := f.table(at + f.u32(at))
	return s, !f.bad
}

// vector returns the bytes of a vector of elements of that size; nil when absent.
func (f *flat) vector(t flatTable, id, size int) []byte {
	at := f.field(t, id)
	if at == 0 {
		return nil
	}
	at += f.u32(at)
	n := f.u32(at)
	if f.bad || n > (len(f.b)-at-4)/size {
		f.bad = true
		return nil
	}
	return f.b[at+4 : at+4+n*size]
}
