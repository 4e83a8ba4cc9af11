package fluss

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gofluss/fluss/internal/record"
)

// TestWithoutKey takes every key out of random records and compares with records that never had it.
func TestWithoutKey(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var all []byte
		var keys []int
		for range random.IntN(20) {
			k := random.IntN(6)
			keys = append(keys, k)
			all = appendRecord(all, k)
		}
		for gone := range 7 {
			var want []byte
			n := 0
			for _, k := range keys {
				if k != gone {
					want = appendRecord(want, k)
					n++
				}
			}
			got, count := withoutKey(append([]byte(nil), all...), len(keys), recordKey(gone))
			if string(got) != string(want) || count != n {
				t.Fatalf("keys %v without %d: %d records %x, want %d %x", keys, gone, count, got, n, want)
			}
		}
	}
}

func recordKey(k int) []byte { return []byte(fmt.Sprintf("%0*d", k*40+1, k)) }

// appendRecord appends a record of key k, a deletion when k is 3.
func appendRecord(dst []byte, k int) []byte {
	if k == 3 {
		return record.AppendKVRecord(dst, recordKey(k), nil)
	}
	return record.AppendKVRecord(dst, recordKey(k), []byte("value"))
}
