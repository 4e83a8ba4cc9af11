package flusstest

import (
	"net"
	"sync"
)

// corkLimit is how many bytes of answers wait at most for more requests to be read.
const corkLimit = 256 << 10

// sender writes the answers of a connection. Whoever finds nobody writing writes, without a lock, until nothing is
// left: a slow reader thus never holds up anyone who needs the lock. While more requests are at hand the sender is
// corked, so that their answers share a write.
type sender struct {
	nc net.Conn

	mu      sync.Mutex
	pending []byte
	spare   []byte
	writing bool
	corked  bool
	err     error
	last    func() // called when all is written, once
}

// cork holds back answers until uncork.
func (s *sender) cork(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.corked = on
}

// uncork writes what waits.
func (s *sender) uncork() error {
	s.mu.Lock()
	s.corked = false
	return s.flushLocked()
}

// send queues a frame and writes it, unless corked or another goroutine is writing.
func (s *sender) send(frame []byte) error {
	s.mu.Lock()
	s.pending = append(s.pending, frame...)
	if s.corked && len(s.pending) < corkLimit {
		defer s.mu.Unlock()
		return s.err
	}
	return s.flushLocked()
}

// flushLocked is called with the lock held and releases it.
func (s *sender) flushLocked() error {
	if s.writing {
		defer s.mu.Unlock()
		return s.err
	}
	s.writing = true
	for len(s.pending) > 0 && s.err == nil {
		batch := s.pending
		s.pending = s.spare[:0]
		s.mu.Unlock()
		_, err := s.nc.Write(batch)
		s.mu.Lock()
		s.spare = nil
		if cap(batch) <= 1<<20 {
			s.spare = batch[:0]
		}
		if err != nil {
			s.err = err
		}
	}
	s.writing = false
	last, err := s.last, s.err
	s.last = nil
	s.mu.Unlock()
	if last != nil {
		last()
	}
	return err
}

// hangUp calls end after what is queued was written. Nothing is written after that if end closes the connection.
func (s *sender) hangUp(end func()) {
	s.mu.Lock()
	s.corked, s.last = false, end
	s.flushLocked()
}
