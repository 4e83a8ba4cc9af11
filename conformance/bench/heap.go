package main

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// heapPeak watches the live heap, which is what the collector found alive the last time.
type heapPeak struct {
	stop, done chan struct{}
	live       uint64 // the most seen, in bytes
}

// watchHeap begins to watch when the option heap asks for it: heap=64 makes more than 64 MiB an error.
func (b *bench) watchHeap() *heapPeak {
	if b.text("heap", "") == "" {
		return nil
	}
	runtime.GC()
	h := &heapPeak{stop: make(chan struct{}), done: make(chan struct{})}
	go h.watch() // until end
	return h
}

func (h *heapPeak) watch() {
	defer close(h.done)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		h.live = max(h.live, liveHeap())
		select {
		case <-tick.C:
		case <-h.stop:
			return
		}
	}
}

// liveHeap is what the last collection found alive, in bytes.
func liveHeap() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// end puts the most that was seen into the line, in MiB.
func (h *heapPeak) end(b *bench) error {
	if h == nil {
		return nil
	}
	close(h.stop)
	<-h.done
	mib := float64(h.live) / (1 << 20)
	b.extra["live_heap_mib"] = round(mib, 1)
	if limit := b.number("heap", 0); mib > float64(limit) {
		return fmt.Errorf("the live heap came to %.1f MiB, more than %d", mib, limit)
	}
	return nil
}

// settledHeap is the live heap after two collections, in bytes.
func settledHeap() uint64 {
	runtime.GC()
	runtime.GC()
	return liveHeap()
}
