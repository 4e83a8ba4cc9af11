// Package fuzzbound holds decoders and parsers under fuzzing to what every input may cost: memory in proportion to the
// input, and no hang. It is for tests.
package fuzzbound

import (
	"fmt"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	factor = 16      // bytes that a byte of input may allocate
	slack  = 1 << 20 // bytes that any input may allocate

	// tries is how often the work is measured by itself before it counts as too expensive. The counter is the process's: it also
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
	if why := exceeds(t, input, func() int { work(); return 0 }); why != "" {
		t.Helper()
		t.Fatal(why)
	}
}

// CheckTree is Check for what makes a tree of its input, where a token of two bytes becomes a node of a hundred bytes and more,
// by right. As long as the slack covers that the limit is the same: up to 4 KiB of input. Each byte beyond may take 256.
func CheckTree(t testing.TB, input int, work func()) {
	const small, node = 4 << 10, 256
	if why := exceeds(t, input, func() int { work(); return node * max(0, input-small) }); why != "" {
		t.Helper()
		t.Fatal(why)
	}
}

// CheckWith is Check where the result may take bytes beyond the limit: work returns how many. That is for results whose
// size the input's length does not bound, such as a bit of a row that stands for a NULL; the caller says why.
func CheckWith(t testing.TB, input int, work func() (beyond int)) {
	if why := exceeds(t, input, work); why != "" {
		t.Helper()
		t.Fatal(why)
	}
}

// seen is what allocated gave last. Reading it costs more than small work does: from an earlier reading on, everything
// counts that was allocated since, and within the limit that is good enough.
var seen atomic.Uint64

func exceeds(t testing.TB, input int, work func() (beyond int)) string {
	w := watch(t.Name(), input)
	defer w.stop()
	least, limit, before := ^uint64(0), uint64(0), seen.Load()
	for range 1 + tries {
		limit = Limit(input) + uint64(work())
		now := allocated()
		seen.Store(now)
		if least = min(least, now-before); least <= limit {
			return ""
		}
		before = allocated()
	}
	return fmt.Sprintf("%d bytes allocated for %d of input, more than %d", least, input, limit)
}

// allocated is how many bytes the process has allocated on the heap. Small objects count by the span, of some kilobytes:
// the slack is far larger than that.
func allocated() uint64 {
	sample := [1]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample[:])
	return sample[0].Value.Uint64()
}

// watcher ends the process when its time is over before stop was called.
type watcher struct {
	timer *time.Timer
	name  string
	input int
}

// watchers are at rest: to start a timer again is cheaper than to make one.
var watchers = sync.Pool{New: func() any {
	w := new(watcher)
	w.timer = time.AfterFunc(hang, func() { panic(fmt.Sprintf("%s: an input of %d bytes hangs", w.name, w.input)) })
	w.timer.Stop()
	return w
}}

func watch(name string, input int) *watcher {
	w := watchers.Get().(*watcher)
	w.name, w.input = name, input
	w.timer.Reset(hang)
	return w
}

func (w *watcher) stop() {
	w.timer.Stop()
	watchers.Put(w)
}
