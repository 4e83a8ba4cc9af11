package route

import (
	"context"
	"sync"
	"time"
)

// flight is one piece of work that many may wait for, each under its own context.
type flight[T any] struct {
	began time.Time
	done  chan struct{} // closed once val and err are set
	val   T
	err   error

	mu   sync.Mutex
	then []func() // called on landing
}

func newFlight[T any]() *flight[T] { return &flight[T]{began: time.Now(), done: make(chan struct{})} }

// landed is a flight that is over already.
func landed[T any](val T, err error) *flight[T] {
	f := newFlight[T]()
	f.land(val, err)
	return f
}

func (f *flight[T]) land(val T, err error) {
	f.val, f.err = val, err
	f.mu.Lock()
	close(f.done)
	then := f.then
	f.then = nil
	f.mu.Unlock()
	for _, call := range then {
		call()
	}
}

// landed reports whether the flight is over.
func (f *flight[T]) landed() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// onLand has call called when the flight is over, at once when it is. call must not block.
func (f *flight[T]) onLand(call func()) {
	f.mu.Lock()
	if !f.landed() {
		f.then = append(f.then, call)
		call = nil
	}
	f.mu.Unlock()
	if call != nil {
		call()
	}
}

// wait returns the result, or the context's error when that ends first.
func (f *flight[T]) wait(ctx context.Context) (T, error) {
	select {
	case <-f.done:
		return f.val, f.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}

// single runs at most one flight at a time.
type single[T any] struct {
	mu  sync.Mutex
	now *flight[T]
}

// start returns the flight under way, or starts one that runs f. mine tells which: a caller who must see what
// happened before its call starts another when it only joined one.
func (s *single[T]) start(c *Client, f func(ctx context.Context) (T, error)) (fl *flight[T], mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		return s.now, false
	}
	fl = newFlight[T]()
	run := func(ctx context.Context) {
		val, err := f(ctx)
		s.mu.Lock()
		s.now = nil
		s.mu.Unlock()
		fl.land(val, err)
	}
	if !c.spawn(run) {
		var zero T
		return landed(zero, ErrClosed), true
	}
	s.now = fl
	return fl, true
}
