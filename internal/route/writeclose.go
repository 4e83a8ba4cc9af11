package route

import (
	"sync"
	"time"
)

// closeGrace is how long Close waits for open writes.
const closeGrace = 5 * time.Second

// writeSide holds a Client's writer, made with the first write. Its zero value is ready to use.
type writeSide struct {
	mu     sync.Mutex
	w      *writer
	closed bool
	sticky stickyBuckets
}

func (s *writeSide) writer(c *Client) (*writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	if s.w == nil {
		s.w = newWriter(clientCluster{c}, writerConfig{
			acks:           c.cfg.Acks,
			requestTimeout: c.cfg.RequestTimeout,
			writeTimeout:   c.cfg.WriteTimeout,
			maxInflight:    c.cfg.MaxInflightBytes,
			maxResponse:    c.cfg.MaxResponseBytes,
		})
	}
	return s.w, nil
}

// close gives open writes a bounded time to settle. Connections still work while it runs.
func (s *writeSide) close(*Client) {
	s.mu.Lock()
	w := s.w
	s.closed = true
	s.mu.Unlock()
	if w != nil {
		w.close(closeGrace)
	}
}

// close refuses new writes, tries for the time of grace to settle what is open, also what no caller waits for,
// and gives up what is left: queued rows are not stored, sent ones unknown. No timer of the writer runs on.
func (w *writer) close(grace time.Duration) {
	w.mu.Lock()
	w.closing = true
	w.checkQuiet()
	for _, b := range w.buckets {
		w.stir(b)
	}
	w.run()
	w.mu.Unlock()

	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-w.quiet:
	case <-timer.C:
	}

	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for w.pinnedAny() {
		w.unpinned.Wait()
	}
	w.expiry.stop()
	for _, ln := range w.lanes {
		ln.stop()
	}
	for _, b := range w.buckets {
		if b.seek != nil {
			b.seek.cancel()
		}
		w.failQueue(b, ErrClosed)
		for _, t := range b.open {
			w.resolve(t, Unknown, -1, &UnknownWriteError{Cause: ErrClosed, Last: t.last})
		}
		b.open = nil
	}
}

// pinnedAny reports whether a batch is being encoded.
func (w *writer) pinnedAny() bool {
	for _, b := range w.buckets {
		for _, t := range b.open {
			if t.pinned {
				return true
			}
		}
	}
	return false
}

// lessBusy counts down what Close waits for.
func (w *writer) lessBusy() {
	w.busy--
	w.checkQuiet()
}

func (w *writer) checkQuiet() {
	if w.closing && w.busy == 0 {
		select {
		case <-w.quiet:
		default:
			close(w.quiet)
		}
	}
}
