package record

import "encoding/binary"

// items walks over length-prefixed items: int32 length, that many bytes, and so on, left times and then the end.
type items struct {
	rest []byte
	left int32
	err  error
}

// next returns the bytes of the next item, false at the end and at damage, which it keeps in err.
func (it *items) next(what string) ([]byte, bool) {
	if it.err != nil {
		return nil, false
	}
	if it.left == 0 {
		if len(it.rest) != 0 {
			it.err = corruptf("%s: %d bytes behind the last record", what, len(it.rest))
		}
		return nil, false
	}
	if len(it.rest) < 4 {
		it.err = corruptf("%s: %d more records announced, %d bytes left", what, it.left, len(it.rest))
		return nil, false
	}
	n := int32(binary.LittleEndian.Uint32(it.rest))
	if n < 0 || int64(n) > int64(len(it.rest)-4) {
		it.err = corruptf("%s: record of %d bytes, %d left", what, n, len(it.rest)-4)
		return nil, false
	}
	end := 4 + int(n)
	p := it.rest[4:end:end]
	it.rest = it.rest[end:]
	it.left--
	return p, true
}
