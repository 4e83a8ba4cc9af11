package fuzzbound

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
)

// mutator changes values at random, one thing at a time.
type mutator struct{ *rand.Rand }

// value gives another value of the same type, which shares no memory with v.
func (m mutator) value(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Slice:
		out.SetBytes(m.change(bytes.Clone(v.Bytes())))
	case reflect.String:
		out.SetString(string(m.change([]byte(v.String()))))
	case reflect.Bool:
		out.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		out.SetInt(m.number(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		out.SetUint(uint64(m.number(int64(v.Uint()))))
	default:
		panic(fmt.Sprintf("no way to change a %s", v.Type()))
	}
	return out
}

// number makes a number out of another one, of which a smaller type takes the low bits.
func (m mutator) number(n int64) int64 {
	switch m.IntN(4) {
	case 0:
		return n + m.Int64N(33) - 16
	case 1:
		return n ^ 1<<m.IntN(64)
	case 2:
		return m.edge()
	}
	return int64(m.Uint64()) >> m.IntN(64)
}

// edge is a number at which things change: about a power of two, or about its negative.
func (m mutator) edge() int64 {
	n := int64(1)<<m.IntN(64) + m.Int64N(3) - 1
	if m.IntN(2) == 0 {
		n = -n
	}
	return n
}

// syntax has the bytes that mean something to the parsers under test.
const syntax = "\"\\'`.,;:(){}[]<>%@?=&/-+*#$_~! \n\x000159eTZ"

// most is the length beyond which bytes do not grow.
const most = 1 << 16

// change changes b, which it may write to.
func (m mutator) change(b []byte) []byte {
	if len(b) == 0 {
		return m.insert(b, m.piece(b))
	}
	at := m.IntN(len(b))
	switch m.IntN(10) {
	case 0:
		b[at] ^= 1 << m.IntN(8)
	case 1:
		b[at] = byte(m.Uint32())
	case 2:
		b[at] = syntax[m.IntN(len(syntax))]
	case 3:
		b[at] += byte(m.IntN(33) - 16)
	case 4: // one of the bytes that are there
		b[at] = b[m.IntN(len(b))]
	case 5:
		m.field(b[at:])
	case 6:
		return slices.Delete(b, at, at+1+m.IntN(min(len(b)-at, 1<<m.IntN(8))))
	case 7:
		copy(b[at:], m.piece(b))
	case 8:
		return b[:at]
	default:
		return m.insert(b, m.piece(b))
	}
	return b
}

// insert puts piece somewhere into b.
func (m mutator) insert(b, piece []byte) []byte {
	if len(b) > most {
		return b
	}
	return slices.Insert(b, m.IntN(len(b)+1), piece...)
}

// piece is a part of b, or bytes of its own.
func (m mutator) piece(b []byte) []byte {
	switch n := 1 + m.IntN(8); m.IntN(4) {
	case 0:
		return bytes.Repeat([]byte{byte(m.Uint32())}, n)
	case 1:
		return bytes.Repeat([]byte{syntax[m.IntN(len(syntax))]}, 1+n/4)
	case 2:
		return binary.LittleEndian.AppendUint64(nil, m.Uint64())[:n]
	default:
		at := m.IntN(len(b) + 1)
		return bytes.Clone(b[at:min(len(b), at+n*n)])
	}
}

// field takes the first bytes of b for a number of 1, 2, 4 or 8 bytes, in either order, and changes it.
func (m mutator) field(b []byte) {
	var order binary.ByteOrder = binary.LittleEndian
	if m.IntN(2) == 0 {
		order = binary.BigEndian
	}
	var whole [8]byte
	n := 1 << m.IntN(4)
	for n > len(b) {
		n /= 2
	}
	if order == binary.LittleEndian {
		copy(whole[:n], b)
		order.PutUint64(whole[:], uint64(m.number(int64(order.Uint64(whole[:])))))
		copy(b[:n], whole[:n])
		return
	}
	copy(whole[8-n:], b[:n])
	order.PutUint64(whole[:], uint64(m.number(int64(order.Uint64(whole[:])))))
	copy(b[:n], whole[8-n:])
}
