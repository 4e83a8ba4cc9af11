package row

import (
	"encoding/binary"
	"math/bits"
)

// Varints are unsigned LEB128, low 7 bits first. An int32 goes as its 32-bit pattern (1 to 5 bytes), an int64 as
// its 64-bit pattern (1 to 10 bytes). There is no zigzag: negative numbers take the most.
// Source: VarLengthUtils, CompactedRowWriter (Java, v0.9.1-incubating).

func appendVarint32(dst []byte, v int32) []byte {
	return binary.AppendUvarint(dst, uint64(uint32(v)))
}

func appendVarint64(dst []byte, v int64) []byte { return binary.AppendUvarint(dst, uint64(v)) }

// readVarint32 reads the varint at src[at:] and returns it with the offset behind it, or with a negated fault.
func readVarint32(src []byte, at int) (int32, int) {
	if at < len(src) && src[at] < 0x80 {
		return int32(src[at]), at + 1
	}
	return longVarint32(src, at)
}

// readVarint64 is readVarint32 for 64 bits.
func readVarint64(src []byte, at int) (int64, int) {
	if at < len(src) && src[at] < 0x80 {
		return int64(src[at]), at + 1
	}
	return longVarint64(src, at)
}

func longVarint32(src []byte, at int) (int32, int) {
	v, next := longVarint64(src, at)
	if next > at+5 || uint64(v) > 1<<32-1 {
		return 0, -int(faultVarint)
	}
	return int32(uint32(v)), next
}

// longVarint64 takes one of up to 8 bytes apart at once, where there are 8 bytes to look at.
func longVarint64(src []byte, at int) (int64, int) {
	const more = 0x8080808080808080
	if at >= 0 && len(src)-at >= 8 {
		x := binary.LittleEndian.Uint64(src[at:])
		if last := ^x & more; last != 0 {
			x &= last ^ (last - 1) // the bytes up to the last
			x &^= more
			x = x&0x007f007f007f007f | x>>1&0x3f803f803f803f80
			x = x&0x00003fff00003fff | x>>2&0x0fffc0000fffc000
			x = x&0x000000000fffffff | x>>4&0x00fffffff0000000
			return int64(x), at + bits.TrailingZeros64(last)/8 + 1
		}
	}
	v, n := binary.Uvarint(src[at:])
	switch {
	case n > 0:
		return int64(v), at + n
	case n == 0:
		return 0, -int(faultShort)
	}
	return 0, -int(faultVarint)
}
