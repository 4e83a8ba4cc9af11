package ring

import (
	"math"
	"sync"
	"time"
)

// steps is how many buckets of a histogram a factor of two has: values are exact to about 9 %.
const steps = 8

// tally counts the calls of one kind and how long they took.
type tally struct {
	mu     sync.Mutex
	calls  int64
	failed int64
	max    time.Duration
	counts [64 * steps]int64
}

func (t *tally) add(took time.Duration, failed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	if failed {
		t.failed++
	}
	t.max = max(t.max, took)
	t.counts[int(math.Log2(float64(max(took, 1)))*steps)]++
}

func (t *tally) call() Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Call{Calls: t.calls, Failed: t.failed, P50: t.quantile(0.5), P99: t.quantile(0.99), Max: milliseconds(t.max)}
}

// quantile is in milliseconds. The lock is held.
func (t *tally) quantile(q float64) float64 {
	rest := int64(math.Ceil(q * float64(t.calls)))
	for i, n := range t.counts {
		if rest -= n; rest <= 0 {
			return milliseconds(min(t.max, time.Duration(math.Exp2((float64(i)+0.5)/steps))))
		}
	}
	return milliseconds(t.max)
}

// milliseconds with two digits behind the point.
func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e4) / 100 }
