package flusstest

import (
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// links is what happens to connections as such.
type links struct {
	mu       sync.Mutex
	refusing bool
	stalling chan struct{} // closed when stalling ends; nil while it is not on

	requests, answers int64 // bytes after which new connections break
	limited           bool
}

// RefuseConnections makes all servers close new connections at once, until it is called with false.
func (s *Server) RefuseConnections(on bool) {
	s.links.mu.Lock()
	defer s.links.mu.Unlock()
	s.links.refusing = on
}

// StallConnections makes all servers take new connections but no bytes from them, until it is called with false. They
// then serve what has come.
func (s *Server) StallConnections(on bool) {
	s.links.mu.Lock()
	defer s.links.mu.Unlock()
	switch {
	case on && s.links.stalling == nil:
		s.links.stalling = make(chan struct{})
	case !on && s.links.stalling != nil:
		close(s.links.stalling)
		s.links.stalling = nil
	}
}

// CutAfter makes connections opened from now on break after so many bytes of requests were read or of answers written,
// in the midst of a frame if it comes so. Negative numbers mean no limit.
func (s *Server) CutAfter(requests, answers int64) {
	s.links.mu.Lock()
	defer s.links.mu.Unlock()
	s.links.requests, s.links.answers = requests, answers
	s.links.limited = requests >= 0 || answers >= 0
}

// DropConnections closes all connections that are open now.
func (s *Server) DropConnections() {
	for _, n := range s.nodes() {
		n.mu.Lock()
		var conns []*connection
		for c := range n.conns {
			conns = append(conns, c)
		}
		n.mu.Unlock()
		slices.SortFunc(conns, func(a, b *connection) int { return int(a.id - b.id) })
		for _, c := range conns {
			c.close()
		}
	}
}

// refuses says whether a new connection is closed at once.
func (l *links) refuses() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refusing
}

// stall waits while connections stall; false: the connection is over.
func (c *connection) stall() bool {
	l := &c.node.srv.links
	l.mu.Lock()
	stalling := l.stalling
	l.mu.Unlock()
	if stalling == nil {
		return true
	}
	select {
	case <-stalling:
		return true
	case <-c.closed:
	case <-c.node.srv.closing:
	}
	return false
}

// wrap puts the limits of the moment on a connection.
func (l *links) wrap(nc net.Conn) net.Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.limited {
		return nc
	}
	c := &limitedConn{Conn: nc}
	c.requests.Store(l.requests)
	c.answers.Store(l.answers)
	return c
}

// limitedConn closes itself when one of its two allowances is used up. Negative: without limit.
type limitedConn struct {
	net.Conn
	requests, answers atomic.Int64 // bytes left
}

func (c *limitedConn) Read(b []byte) (int, error) {
	left := c.requests.Load()
	if left < 0 {
		return c.Conn.Read(b)
	}
	if left == 0 {
		c.Close()
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Read(b[:min(len(b), int(left))])
	c.requests.Store(left - int64(n))
	return n, err
}

func (c *limitedConn) Write(b []byte) (int, error) {
	left := c.answers.Load()
	if left < 0 || int64(len(b)) < left {
		n, err := c.Conn.Write(b)
		if left >= 0 {
			c.answers.Store(left - int64(n))
		}
		return n, err
	}
	n, _ := c.Conn.Write(b[:left])
	c.answers.Store(0)
	c.Close()
	return n, net.ErrClosed
}
