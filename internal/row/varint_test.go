package row

import (
	"encoding/binary"
	"testing"
)

// A varint is read the same whatever lies behind it, which decides in how many steps.
func TestVarints(t *testing.T) {
	for shift := range 64 {
		for _, v := range []uint64{1<<shift - 1, 1 << shift, 1<<shift + 1, 0xaaaaaaaaaaaaaaaa >> shift, 0x5555555555555555 >> shift, ^uint64(0) >> shift} {
			text := binary.AppendUvarint([]byte{0xff}, v)
			for _, behind := range []string{"", "\x00", "\xff", "\x01\x02\x03", "\x80\x80\x80\x80\x80\x80\x80\x80\x80", "\x7f\xff\x7f\xff\x7f\xff\x7f\xff"} {
				got, next := readVarint64(append(text[:len(text):len(text)], behind...), 1)
				if uint64(got) != v || next != len(text) {
					t.Fatalf("%#x before %x: got %#x up to %d, want up to %d", v, behind, uint64(got), next, len(text))
				}
			}
			if _, next := readVarint64(text[:len(text)-1], 1); next >= 0 {
				t.Fatalf("%#x without its last byte is read", v)
			}
		}
	}
	if got, next := readVarint64([]byte("\x81\x80\x00\x00\x00\x00\x00\x00"), 0); got != 1 || next != 3 {
		t.Errorf("1 in three bytes: got %d up to %d", got, next)
	}
	if _, next := readVarint64([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), 0); next >= 0 {
		t.Error("65 bits are read")
	}
}
