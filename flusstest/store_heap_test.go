package flusstest

import (
	"runtime"
	"testing"
)

// TestHeap measures what the process really holds: a table takes no more than four times the bytes of its keys, values and change log, after every row was
// written once and updated four times.
func TestHeap(t *testing.T) {
	const rows = 50_000
	heap := func() uint64 {
		for range 3 { // pools give back what two collections found unused
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	m := filled(t, rows)
	for round := range 4 {
		for _, batch := range benchBatches(t, m.table(), rows, 10_000, round+1) {
			if _, err := m.put(batch, nil, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := m.store.sizes()
	used, stored := heap()-before, uint64(s.RowBytes+s.LogBytes)
	t.Logf("%d bytes for %d bytes of rows and log: %.2f times", used, stored, float64(used)/float64(stored))
	if used > 4*stored {
		t.Error("more than four times the data")
	}
	runtime.KeepAlive(m)
}
