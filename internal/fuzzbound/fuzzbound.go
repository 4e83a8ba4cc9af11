// Package fuzzbound holds decoders and parsers under fuzzing to what every input may cost: memory in proportion to the
// input, and no hang. It is for tests.
package fuzzbound

import (
	"fmt"
	"runtime/metrics"
	"testing"
	"time"
)

const (
	factor = 16      // bytes that a byte of input may allocate
	slack  = 1 << 20 // bytes that any input may allocate

	// tries is how often the work is measured before it counts as too expensive. The counter is the process's: it also
	// sees what pools fill when first used, after a collection emptied them, and what the fuzzing engine allocates.
	tries = 4

	// hang is how long an input may take. It is far beyond the slowest on a busy machine: it finds loops without end.
	hang = 30 * time.Second
)

// Limit is how many bytes may be allocated, in all, for an input of that many bytes.
func Limit(input int) uint64 { return factor*uint64(input) + slack }

// Check runs work, which has to do the same each time it is called, and fails t when it allocates more than Limit(input)
// bytes. Where it does not come back the process panics, which the fuzzing engine takes for a finding.
func Check(t testing.TB, input int, work func()) {
	t.Helper()
	CheckWith(t, input, func() int { work(); return 0 })
}

// CheckTree is Check for what makes a tree of its input, where a token of two bytes becomes a node of a hundred bytes and more,
// by right. As long as the slack covers that the limit is the same: up to 4 KiB of input. Each byte beyond may take 256.
func CheckTree(t testing.TB, input int, work func()) {
	t.Helper()
	const small, node = 4 << 10, 256
	CheckWith(t, input, func() int { work(); return node * max(0, input-small) })
}

// CheckWith is Check where the result may take bytes beyond the limit: work returns how many. That is for results whose
// size the input's length does not bound, such as a bit of a row that stands for a NULL; the caller says why.
func CheckWith(t testing.TB, input int, work func() (beyond int)) {
	t.Helper()
	watch := time.AfterFunc(hang, func() { panic(fmt.Sprintf("%s: an input of %d bytes hangs", t.Name(), input)) })
	defer watch.Stop()
	least, limit := ^uint64(0), uint64(0)
	for range tries {
		before := allocated()
		beyond := work()
		least = min(least, allocated()-before)
		if limit = Limit(input) + uint64(beyond); least <= limit {
			return
		}
	}
	t.Fatalf("%d bytes allocated for %d of input, more than %d", least, input, limit)
}

// allocated is how many bytes the process has allocated on the heap. Small objects count by the span, of some kilobytes:
// the slack is far larger than that.
func allocated() uint64 {
	sample := [1]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample[:])
	return sample[0].Value.Uint64()
}
