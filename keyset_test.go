package fluss

import (
	"fmt"
	"testing"
)

func TestKeySet(t *testing.T) {
	var keys [][]byte
	for i := range 3000 {
		keys = append(keys, []byte(fmt.Sprint(i*7%1000)))
	}
	var s keySet
	seen := map[string]bool{}
	for i, k := range keys {
		if got, want := s.add(i, func(i int) []byte { return keys[i] }), !seen[string(k)]; got != want {
			t.Fatalf("key %d %q: got %v, want %v", i, k, got, want)
		}
		seen[string(k)] = true
	}
}
