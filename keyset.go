package fluss

import (
	"bytes"
	"hash/maphash"
)

// keySet finds keys that came before, without memory of its own for each: it keeps their positions in a list.
type keySet struct {
	seed  maphash.Seed
	slots []int32 // position+1 of a key, 0: free; the size is a power of two, at least twice the keys
	n     int
}

// add reports whether no key equal to that at position i was added before. key gives the keys by position.
func (s *keySet) add(i int, key func(int) []byte) bool {
	if 2*(s.n+1) > len(s.slots) {
		s.grow(key)
	}
	at := s.find(key(i), key)
	if s.slots[at] != 0 {
		return false
	}
	s.slots[at] = int32(i) + 1
	s.n++
	return true
}

// find returns the slot of an equal key, or the free one where it belongs.
func (s *keySet) find(k []byte, key func(int) []byte) int {
	mask := len(s.slots) - 1
	at := int(maphash.Bytes(s.seed, k)) & mask
	for s.slots[at] != 0 && !bytes.Equal(key(int(s.slots[at])-1), k) {
		at = (at + 1) & mask
	}
	return at
}

func (s *keySet) grow(key func(int) []byte) {
	old := s.slots
	if old == nil {
		s.seed = maphash.MakeSeed()
	}
	s.slots = make([]int32, max(16, 2*len(old)))
	for _, i := range old {
		if i != 0 {
			s.slots[s.find(key(int(i)-1), key)] = i
		}
	}
}
