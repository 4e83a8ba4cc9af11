package flusstest

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until it is told to move. Make one with NewClock.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	moved []func()
}

// NewClock returns a clock that shows t.
func NewClock(t time.Time) *Clock { return &Clock{now: t} }

// Now returns the time shown.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock to t, backwards too, and lets the servers that go by it act on that before it returns.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	c.now = t
	moved := c.moved[:len(c.moved):len(c.moved)]
	c.mu.Unlock()
	for _, f := range moved {
		f()
	}
}

// Advance moves the clock forward, as Set does.
func (c *Clock) Advance(d time.Duration) { c.Set(c.Now().Add(d)) }

// onMove registers f, which must be harmless after its server's end.
func (c *Clock) onMove(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved = append(c.moved, f)
}
