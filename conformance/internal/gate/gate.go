// Package gate is a place between a driver and its servers, for tests: it sees all requests and can hold back answers.
package gate

import (
	"context"
	"encoding/binary"
	"net"
	"sync"
	"sync/atomic"

	"github.com/gofluss/fluss/internal/wire"
)

// Gate stands between a pool and all servers. It counts connections and requests, and can hold back all answers.
type Gate struct {
	dials atomic.Int64

	mu      sync.Mutex
	open    chan struct{} // closed while answers pass
	waiting map[wire.APIKey][]chan struct{}
	seen    map[wire.APIKey]int
}

// New returns an open Gate.
func New() *Gate {
	g := &Gate{open: make(chan struct{}), waiting: map[wire.APIKey][]chan struct{}{}, seen: map[wire.APIKey]int{}}
	close(g.open)
	return g
}

// Dials is how many connections were asked for.
func (g *Gate) Dials() int64 { return g.dials.Load() }

// Requests is how many requests of an API went out.
func (g *Gate) Requests(api wire.APIKey) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen[api]
}

// Dial is for Config.Dial.
func (g *Gate) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	g.dials.Add(1)
	nc, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: nc, gate: g, closed: make(chan struct{})}, nil
}

// Freeze holds back what servers send, on connections old and new.
func (g *Gate) Freeze() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut()
}

func (g *Gate) shut() {
	select {
	case <-g.open:
		g.open = make(chan struct{})
	default:
	}
}

// Thaw lets it pass.
func (g *Gate) Thaw() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

// FreezeAt freezes when the next request of an API goes out, and closes the channel then.
func (g *Gate) FreezeAt(api wire.APIKey) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := make(chan struct{})
	g.waiting[api] = append(g.waiting[api], c)
	return c
}

func (g *Gate) saw(api wire.APIKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen[api]++
	for _, c := range g.waiting[api] {
		g.shut()
		close(c)
	}
	delete(g.waiting, api)
}

type conn struct {
	net.Conn
	gate   *Gate
	once   sync.Once
	closed chan struct{}
	skip   int // bytes of the request under way
}

// Write tells the gate of each request that begins in b: a frame has its length in front, then the API's number.
func (c *conn) Write(b []byte) (int, error) {
	for rest := b; ; {
		if c.skip >= len(rest) {
			c.skip -= len(rest)
			break
		}
		rest = rest[c.skip:]
		if len(rest) < 6 { // the driver writes whole headers
			break
		}
		c.skip = 4 + int(binary.BigEndian.Uint32(rest))
		c.gate.saw(wire.APIKey(binary.BigEndian.Uint16(rest[4:])))
	}
	return c.Conn.Write(b)
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.gate.mu.Lock()
	open := c.gate.open
	c.gate.mu.Unlock()
	select {
	case <-open:
	case <-c.closed:
	}
	return n, err
}

func (c *conn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
