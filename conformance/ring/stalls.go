package ring

import (
	"context"
	"sync"
	"time"
)

// stalls are the times in which this process itself did not get to run, such as on a machine that others keep busy. They
// are no fault of the driver's: they do not count when a call comes back late.
type stalls struct {
	mu   sync.Mutex
	list []span
	sum  time.Duration
}

const (
	stallTick = 20 * time.Millisecond
	stallMin  = 200 * time.Millisecond // shorter ones are not looked at
)

// watch notes when a tick came late. It ends with ctx.
func (s *stalls) watch(ctx context.Context, r *run) {
	last := r.now()
	for Pause(ctx, stallTick) == nil {
		now := r.now()
		if d := time.Duration(now - last); d > stallMin {
			s.mu.Lock()
			s.list = append(s.list, span{last, now})
			s.sum += d
			s.mu.Unlock()
		}
		last = now
	}
}

// between is for how long, in nanoseconds, the process stood still between two times.
func (s *stalls) between(begin, end int64) (sum int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.list {
		if overlap := min(end, t.end) - max(begin, t.begin); overlap > 0 {
			sum += overlap
		}
	}
	return sum
}

// Pause waits for d. It returns the context's error if that ends first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
