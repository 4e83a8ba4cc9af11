package route

import (
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// gatherTurns bounds a gathering where the clock stands still.
	gatherTurns = 1 << 14
	// gatherPause is how many frames go without after a gathering that did not help. It doubles with each further
	// one, gatherDoublings times.
	gatherPause     = 4
	gatherDoublings = 4
)

// gathering holds what is small back for a moment after a frame with the keys or rows of several callers was answered:
// the callers it woke are likely to come again at once. Without it they fall apart in crowds, of which one waits while the
// frame of another is under way, and the server, whose cost is by frame and bucket more than by key and row, has
// several times the frames to handle. It ends as soon as as many writers came as were woken, or lookups of half of the crowd,
// or after a part of the time that the frame took. When few come it is left out for a while. A lone caller never waits. Guarded by the lock of
// the queue or lane that it belongs to, but for missing.
type gathering struct {
	missing  atomic.Int32 // callers still waited for; 0: it is over, or there is none
	want     int32        // those there were
	failures uint         // in a row
	pause    int          // frames that are not to be gathered for
}

// begin begins one for the callers of a frame, unless it is not worth it.
func (g *gathering) begin(callers int) bool {
	switch {
	case callers < 2 || g.holds():
		return false
	case g.pause > 0:
		g.pause--
		return false
	}
	g.want = int32(callers)
	g.missing.Store(g.want)
	return true
}

func (g *gathering) holds() bool { return g.missing.Load() > 0 }

// arrived counts a caller.
func (g *gathering) arrived() {
	if g.holds() && g.missing.Add(-1) == 0 {
		g.worked()
	}
}

// worked ends a gathering for which enough callers came.
func (g *gathering) worked() {
	g.missing.Store(0)
	g.failures = 0
}

// wait lets the callers run. It reports whether all of them came. It is called without the lock by the goroutine
// that brought the answer.
func (g *gathering) wait(limit time.Duration) bool {
	start := time.Now()
	for n := 0; n < gatherTurns && g.holds() && time.Since(start) < limit; n++ {
		runtime.Gosched()
	}
	return !g.holds()
}

// giveUp ends a gathering for which not all came in time.
func (g *gathering) giveUp() {
	left := g.missing.Swap(0)
	if left <= g.want/2 {
		g.failures = 0
		return
	}
	g.pause = gatherPause << min(g.failures, gatherDoublings)
	g.failures++
}

// end ends a gathering because there is nothing to gather for any more.
func (g *gathering) end() { g.missing.Store(0) }
