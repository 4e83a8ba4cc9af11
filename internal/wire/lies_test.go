package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

// TestManySmallEntries: answers of a megabyte of the entries that take the fewest bytes for the most memory keep to the bound
// too, where it is not the slack that helps them.
func TestManySmallEntries(t *testing.T) {
	const size = 1 << 20
	entries := bytes.Repeat([]byte{0x0a, 2, 0x10, 0}, size/4)
	for _, c := range []struct {
		name  string
		body  []byte
		parse func(body []byte) error
		// beyond is what a byte may take over the bound: an entry of FETCH_LOG has 80 bytes in memory and 4 on the wire.
		beyond int
	}{
		{"LOOKUP entries", entries, func(b []byte) error { _, err := ParseLookupResponse(nil, b); return err }, 0},
		{"LOOKUP values", nest(size, 0x2a, 0), func(b []byte) error { _, err := ParseLookupResponse(nil, b); return err }, 0},
		{"PREFIX_LOOKUP entries", entries, func(b []byte) error { _, err := ParsePrefixLookupResponse(nil, b); return err }, 0},
		{"PREFIX_LOOKUP lists", nest(size, 0x2a, 0), func(b []byte) error { _, err := ParsePrefixLookupResponse(nil, b); return err }, 0},
		{"PUT_KV entries", entries, func(b []byte) error { _, err := ParsePutKVResponse(nil, b); return err }, 0},
		{"PRODUCE_LOG entries", entries, func(b []byte) error { _, err := ParseProduceLogResponse(nil, b); return err }, 0},
		{"FETCH_LOG entries", nest(size, 0x12, 2, 0x10, 0), func(b []byte) error { _, err := ParseFetchLogResponse(nil, b); return err }, 4},
	} {
		fuzzbound.CheckWith(t, size, func() int {
			if err := c.parse(c.body); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			return size * c.beyond
		})
	}
}

// nest makes an entry of about size bytes with that many parts in it, behind the field that it has to have: the number of the
// bucket, or of the table.
func nest(size int, part ...byte) []byte {
	head := []byte{0x10, 0}
	if part[0] == 0x12 {
		head = []byte{0x08, 0}
	}
	body := append(head, bytes.Repeat(part, (size-16)/len(part))...)
	return append(binary.AppendUvarint([]byte{0x0a}, uint64(len(body))), body...)
}

// TestLyingLengths: a length that claims more than is there is refused, and costs nothing, in every answer and in a frame.
func TestLyingLengths(t *testing.T) {
	for _, claim := range []uint64{5, 1000, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		for tag := byte(0x0a); tag < 0x50; tag += 8 {
			outer := append(binary.AppendUvarint([]byte{tag}, claim), 1, 2, 3)
			inner := append([]byte{0x0a, byte(len(outer))}, outer...)
			for _, body := range [][]byte{outer, inner, append([]byte{0x0a, byte(len(inner))}, inner...)} {
				fuzzbound.Check(t, len(body), func() {
					for _, parse := range []func([]byte) error{
						func(b []byte) error { _, err := ParseLookupResponse(nil, b); return err },
						func(b []byte) error { _, err := ParsePrefixLookupResponse(nil, b); return err },
						func(b []byte) error { _, err := ParsePutKVResponse(nil, b); return err },
						func(b []byte) error { _, err := ParseProduceLogResponse(nil, b); return err },
						func(b []byte) error { _, err := ParseFetchLogResponse(nil, b); return err },
						func(b []byte) error { _, err := ParseLimitScanResponse(b); return err },
						func(b []byte) error { _, _, err := parseErrorResponse(b); return err },
					} {
						if err := parse(body); err == nil && bytes.Equal(body, outer) {
							t.Errorf("a length of %d in %d bytes was taken", claim, len(body))
						} else if _, ok := errors.AsType[*DecodeError](err); err != nil && !ok {
							t.Errorf("%T: %v", err, err)
						}
					}
				})
			}
		}
		if claim > 1<<32-1 {
			continue
		}
		frame := append(binary.BigEndian.AppendUint32(nil, uint32(claim)), 0, 0, 0, 0, 1, 9)
		fuzzbound.Check(t, len(frame), func() {
			if r, err := ReadResponse(bytes.NewReader(frame), 64<<20); err == nil && claim != 5 {
				t.Errorf("a frame that claims %d bytes: %d", claim, len(r.Body))
			}
		})
	}
}
