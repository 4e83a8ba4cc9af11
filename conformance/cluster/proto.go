package cluster

import (
	"encoding/binary"
	"fmt"
)

// The few bits of protobuf a probe needs, by hand: see doc.go for why.

func appendTag(dst []byte, number, wireType uint64) []byte {
	return binary.AppendUvarint(dst, number<<3|wireType)
}

func appendNumber(dst []byte, number, value uint64) []byte {
	return binary.AppendUvarint(appendTag(dst, number, 0), value)
}

func appendBytes(dst []byte, number uint64, value []byte) []byte {
	return append(binary.AppendUvarint(appendTag(dst, number, 2), uint64(len(value))), value...)
}

func appendText(dst []byte, number uint64, value string) []byte {
	return appendBytes(dst, number, []byte(value))
}

// field is one field of a message: value for a varint, bytes (aliasing the message) for the length-delimited.
type field struct {
	number uint64
	value  uint64
	bytes  []byte
}

// eachField calls f for every varint and length-delimited field of a message. Fluss uses no others.
func eachField(b []byte, f func(field)) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return fmt.Errorf("bad protobuf tag: % x", b[:min(10, len(b))])
		}
		b = b[n:]
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return fmt.Errorf("bad protobuf varint in field %d", tag>>3)
		}
		b = b[n:]
		switch tag & 7 {
		case 0:
			f(field{number: tag >> 3, value: v})
		case 2:
			if v > uint64(len(b)) {
				return fmt.Errorf("protobuf field %d of %d bytes, %d left", tag>>3, v, len(b))
			}
			f(field{number: tag >> 3, bytes: b[:v:v]})
			b = b[v:]
		default:
			return fmt.Errorf("protobuf wire type %d in field %d", tag&7, tag>>3)
		}
	}
	return nil
}
