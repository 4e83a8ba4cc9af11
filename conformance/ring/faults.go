package ring

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Faults happen to the cluster while the load runs.
type Faults interface {
	// Run makes faults until its plan is done or ctx ends, tells log of each one when it happens, heals the cluster and
	// returns. It is called once, when the tables are there and the load has started. An error means that the ring itself
	// broke, such as a server that does not start again; it ends the load.
	Run(ctx context.Context, log *FaultLog) error
}

// NoFaults leaves the cluster alone.
type NoFaults struct{}

// Run returns at once.
func (NoFaults) Run(context.Context, *FaultLog) error { return nil }

// FaultLog counts faults by kind and tells them how far the load is. It is safe for concurrent use.
type FaultLog struct {
	Database string   // of the load's tables
	KeyTable string   // "database.table" of the key table, 4 buckets
	LogTable string   // "database.table" of the log table, 3 buckets
	Parted   []string // "database.table" of the partitioned tables

	ops   atomic.Int64
	acked atomic.Int64

	mu    sync.Mutex
	kinds map[string]int
	times []faultTime
	start time.Time
}

// faultTime is when a fault happened, in nanoseconds since the run began.
type faultTime struct {
	at   int64
	kind string
}

// Happened counts a fault. The kind is a few words, such as "kill leader"; kinds become keys of the report.
func (l *FaultLog) Happened(kind string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kinds == nil {
		l.kinds = map[string]int{}
	}
	l.kinds[kind]++
	l.times = append(l.times, faultTime{int64(time.Since(l.start)), kind})
}

// Ops is how many calls of the load have ended.
func (l *FaultLog) Ops() int64 { return l.ops.Load() }

// Acknowledged is how many rows were acknowledged to the load, so that faults can wait until it runs again.
func (l *FaultLog) Acknowledged() int64 { return l.acked.Load() }

// Total is how many faults happened.
func (l *FaultLog) Total() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, k := range l.kinds {
		n += k
	}
	return n
}

// between lists what happened between two times.
func (l *FaultLog) between(begin, end int64) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	for _, f := range l.times {
		if f.at >= begin && f.at <= end {
			fmt.Fprintf(&b, "%s [%.3f]; ", f.kind, float64(f.at)/1e6)
		}
	}
	return b.String()
}

func (l *FaultLog) byKind() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.kinds)
}
