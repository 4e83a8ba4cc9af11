package row

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// AppendCompact writes what appendScaled makes of the digits, whatever the number, the scale and the room.
func TestAppendCompact(t *testing.T) {
	numbers := []int64{0, 1, -1, 9, 10, -10, 99, 100, math.MaxInt64, math.MinInt64}
	for p := int64(1); p < math.MaxInt64/10; p *= 10 {
		numbers = append(numbers, p-1, p, p+1, -p, rand.Int64N(p))
	}
	for _, x := range numbers {
		abs, sign := uint64(x), ""
		if x < 0 {
			abs, sign = -abs, "-"
		}
		for scale := range 20 {
			want := sign + string(appendScaled(nil, strconv.AppendUint(nil, abs, 10), scale))
			if got := string(AppendCompact(nil, x, scale)); got != want {
				t.Fatalf("%d with scale %d: got %s, want %s", x, scale, got, want)
			}
			before := append(make([]byte, 0, 4), "ab"...)
			if got := string(AppendCompact(before, x, scale)); got != "ab"+want {
				t.Fatalf("%d with scale %d behind ab: got %s", x, scale, got)
			}
		}
	}
}

func BenchmarkAppendDecimal(b *testing.B) {
	buf := make([]byte, 0, 32)
	b.ReportAllocs()
	for i := int64(0); b.Loop(); i++ {
		buf = AppendCompact(buf[:0], i*104729%50_000_000, 2)
	}
}
