package ring

import (
	"context"
	"sync"
)

// tails follow the log table, and the change log of the key table, while the load runs.
type tails struct {
	next   []int64 // by bucket: the offset behind the last row read
	cancel context.CancelFunc
	all    sync.WaitGroup
}

func (r *run) startTails(ctx context.Context) *tails {
	ctx, cancel := context.WithCancel(ctx)
	t := &tails{next: make([]int64, logBuckets), cancel: cancel}
	for b := range t.next {
		t.all.Go(func() { r.tail(ctx, int32(b), &t.next[b]) }) // ends with ctx; waited for by stop
	}
	for _, l := range r.changes {
		t.all.Go(func() { r.followChanges(ctx, l) }) // the same
	}
	return t
}

func (t *tails) stop() {
	t.cancel()
	t.wait()
}

func (t *tails) wait() { t.all.Wait() }
