package conformance

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// stall is where a request may come to a halt on its way there and back.
type stall int

const (
	stallNothing stall = iota
	stallRequest       // the frame of the request is stuck in the middle
	stallBefore        // the request waits in front of the server
	stallAfter         // it was performed, and the answer waits
	stallAnswer        // the frame of the answer is stuck in the middle
	stallPartly        // one server of several holds its part of the write
	stallConnect       // the connection is not made
	stallHello         // the handshake is not answered
	stallLogin         // the credentials are not answered
	stallKinds
)

func (s stall) String() string {
	return [...]string{"no stall", "request stuck", "request held", "answer held", "answer stuck", "one server holds", "connect", "handshake", "login"}[s]
}

// staller stands between a pool and an embedded server. What is armed hits the next frame of its kind, whose it may be.
type staller struct {
	srv   *flusstest.Server
	dials atomic.Int64
	hits  [stallKinds]atomic.Int64

	mu    sync.Mutex
	armed [stallKinds]time.Duration // 0: not armed
}

func newStaller(srv *flusstest.Server) *staller {
	s := &staller{srv: srv}
	srv.Hook(s.hook)
	return s
}

// arm has the next frame that kind is about wait for d.
func (s *staller) arm(kind stall, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.armed[kind] = d
}

// hit takes what was armed.
func (s *staller) hit(kind stall) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.armed[kind]
	s.armed[kind] = 0
	if d > 0 {
		s.hits[kind].Add(1)
	}
	return d
}

func (s *staller) hook(r *flusstest.Request) flusstest.Action {
	if r.API == flusstest.APIVersions {
		return waiting(s.hit(stallHello))
	}
	if r.API == flusstest.Authenticate {
		return waiting(s.hit(stallLogin))
	}
	if r.API == flusstest.PutKV && r.Server == 0 {
		if d := s.hit(stallPartly); d > 0 {
			return flusstest.Action{Delay: d}
		}
	}
	if d := s.hit(stallBefore); d > 0 {
		return waiting(d)
	}
	if d := s.hit(stallAfter); d > 0 {
		return flusstest.Action{Delay: d}
	}
	return flusstest.Action{}
}

// waiting holds a request for d before it is performed, and those behind it on the connection.
func waiting(d time.Duration) flusstest.Action {
	if d <= 0 {
		return flusstest.Action{}
	}
	release := make(chan struct{})
	time.AfterFunc(d, func() { close(release) })
	return flusstest.Action{Wait: release}
}

// Dial is for Config.Dial.
func (s *staller) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	s.dials.Add(1)
	if d := s.hit(stallConnect); d > 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(d):
		}
	}
	nc, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &stallConn{Conn: nc, s: s, closed: make(chan struct{})}, nil
}

// stallConn is a connection whose bytes may come to a halt anywhere in both directions.
type stallConn struct {
	net.Conn
	s      *staller
	once   sync.Once
	closed chan struct{}

	held []byte        // read and not yet handed on
	hold time.Duration // for which it is not
}

func (c *stallConn) halt(d time.Duration) {
	select {
	case <-c.closed:
	case <-time.After(d):
	}
}

func (c *stallConn) Write(b []byte) (int, error) {
	d := c.s.hit(stallRequest)
	if d == 0 {
		return c.Conn.Write(b)
	}
	n, err := c.Conn.Write(b[:rand.IntN(len(b))])
	if err != nil {
		return n, err
	}
	c.halt(d)
	more, err := c.Conn.Write(b[n:])
	return n + more, err
}

func (c *stallConn) Read(b []byte) (int, error) {
	if len(c.held) > 0 {
		c.halt(c.hold)
		n := copy(b, c.held)
		c.held, c.hold = c.held[n:], 0
		return n, nil
	}
	n, err := c.Conn.Read(b)
	if n < 2 {
		return n, err
	}
	if d := c.s.hit(stallAnswer); d > 0 {
		part := 1 + rand.IntN(n-1)
		c.held, c.hold = append([]byte(nil), b[part:n]...), d
		return part, nil
	}
	return n, err
}

func (c *stallConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
