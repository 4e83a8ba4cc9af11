package ring

import (
	"os"
	"runtime"
	"time"
)

// Footprint is what the process holds.
type Footprint struct {
	Goroutines int
	Files      int // descriptors; 0 elsewhere than on Linux
	Heap       int64
}

// Measure collects garbage and measures.
func Measure() Footprint {
	for range 3 { // pools are emptied in the second round, finalizers free more
		runtime.GC()
	}
	f := Footprint{Goroutines: runtime.NumGoroutine()}
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		f.Files = len(list)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.Heap = int64(m.HeapAlloc)
	return f
}

// settleTime is how long goroutines and descriptors may take to go after what owned them was closed.
const settleTime = 10 * time.Second

// measureLeaks waits for what the pools owned to go, ends a server in this process, and notes what stays.
func (r *Report) measureLeaks(before Footprint, stop func() error) {
	now := Measure()
	for end := time.Now().Add(settleTime); now.more(before) && time.Now().Before(end); now = Measure() {
		time.Sleep(stallTick) // a poll: what has to end tells nobody
	}
	r.Verdict.leaks(now, before)
	if r.Verdict.Goroutines > 0 {
		stacks := make([]byte, 1<<20)
		r.Findings = append(r.Findings, "goroutines left:\n"+string(stacks[:runtime.Stack(stacks, true)]))
	}
	if stop != nil {
		if err := stop(); err != nil {
			r.Findings = append(r.Findings, "end of the server: "+err.Error())
		}
	}
	r.Verdict.HeapLeft = max(0, Measure().Heap-before.Heap)
}

// leaks counts what there is more than before.
func (v *Verdict) leaks(now, before Footprint) {
	v.Goroutines = max(0, now.Goroutines-before.Goroutines)
	v.Files = max(0, now.Files-before.Files)
	v.HeapLeft = max(0, now.Heap-before.Heap)
}

func (f Footprint) more(before Footprint) bool {
	return f.Goroutines > before.Goroutines || f.Files > before.Files
}
