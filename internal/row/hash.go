package row

import (
	"encoding/binary"
	"math/bits"
)

// The hash functions behind the bucket of a key. Both are Murmur3 x86-32 over little-endian words of 4 bytes;
// they part at the tail. Source: MurmurHashUtils, FlussBucketingFunction (Java, v0.9.1-incubating).

const (
	murmurC1 = 0xcc9e2d51
	murmurC2 = 0x1b873593
	murmurC3 = 0xe6546b64
)

// Hash42 is the hash of Fluss and Paimon: seed 42, and every byte of the tail (len % 4) sign-extended to a word of
// its own.
func Hash42(key []byte) int32 {
	h, tail := murmurWords(42, key)
	for _, b := range tail {
		h = murmurMix(h, uint32(int32(int8(b))))
	}
	return int32(murmurFinish(h ^ uint32(len(key))))
}

// HashIceberg is stock Murmur3 with seed 0, the hash of Iceberg.
func HashIceberg(key []byte) int32 {
	h, tail := murmurWords(0, key)
	var k uint32
	for i, b := range tail {
		k |= uint32(b) << (8 * i)
	}
	if len(tail) > 0 {
		h ^= murmurScramble(k)
	}
	return int32(murmurFinish(h ^ uint32(len(key))))
}

// HashFluss is the second round that Fluss gives to Hash42: the hash as one word of 4 bytes, seed 0, without a
// sign; the smallest int becomes 0.
func HashFluss(key []byte) int32 {
	h := murmurMix(0, uint32(Hash42(key)))
	v := int32(murmurFinish(h ^ 4))
	switch {
	case v >= 0:
		return v
	case v == -v: // the smallest int
		return 0
	}
	return -v
}

// murmurWords mixes the whole words of key and returns what remains.
func murmurWords(seed uint32, key []byte) (h uint32, tail []byte) {
	for h = seed; len(key) >= 4; key = key[4:] {
		h = murmurMix(h, binary.LittleEndian.Uint32(key))
	}
	return h, key
}

func murmurScramble(k uint32) uint32 { return bits.RotateLeft32(k*murmurC1, 15) * murmurC2 }

func murmurMix(h, k uint32) uint32 {
	return bits.RotateLeft32(h^murmurScramble(k), 13)*5 + murmurC3
}

func murmurFinish(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
