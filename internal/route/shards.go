package route

import (
	"hash/maphash"
	"iter"
	"maps"
	"sync/atomic"
)

// shardCount bounds what a change copies: of 10,000 entries 40.
const shardCount = 256

// shards is a map that is read without a lock and without memory. A change copies one of its immutable parts; whoever
// makes one holds a lock of his own.
type shards[K comparable, V any] struct {
	seed  maphash.Seed
	parts [shardCount]atomic.Pointer[map[K]V]
}

func newShards[K comparable, V any]() *shards[K, V] { return &shards[K, V]{seed: maphash.MakeSeed()} }

func (s *shards[K, V]) part(key K) *atomic.Pointer[map[K]V] {
	return &s.parts[maphash.Comparable(s.seed, key)%shardCount]
}

// get returns the zero V for a key that is not there.
func (s *shards[K, V]) get(key K) (v V) {
	if m := s.part(key).Load(); m != nil {
		v = (*m)[key]
	}
	return v
}

func (s *shards[K, V]) set(key K, v V) {
	p := s.part(key)
	m := map[K]V{}
	if old := p.Load(); old != nil {
		m = maps.Clone(*old)
	}
	m[key] = v
	p.Store(&m)
}

func (s *shards[K, V]) delete(key K) {
	p := s.part(key)
	old := p.Load()
	if old == nil {
		return
	}
	m := maps.Clone(*old)
	delete(m, key)
	p.Store(&m)
}

// keys gives those of some moment of each part.
func (s *shards[K, V]) keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		for i := range s.parts {
			m := s.parts[i].Load()
			if m == nil {
				continue
			}
			for key := range *m {
				if !yield(key) {
					return
				}
			}
		}
	}
}
