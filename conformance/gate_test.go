package conformance

import (
	"context"
	"database/sql"
	"encoding/binary"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/internal/wire"
)

// gate stands between a pool and all servers: it sees every request, and can hold back all answers.
type gate struct {
	dials atomic.Int64

	mu      sync.Mutex
	open    chan struct{} // closed while answers pass
	waiting map[wire.APIKey][]chan struct{}
}

// openGated opens the target through a gate, closed when the test ends.
func openGated(t *testing.T, change func(*fluss.Config)) (*sql.DB, *gate) {
	t.Helper()
	g := &gate{open: make(chan struct{}), waiting: map[wire.APIKey][]chan struct{}{}}
	close(g.open)
	db := openConfig(t, func(cfg *fluss.Config) {
		cfg.Dial = g.dial
		if change != nil {
			change(cfg)
		}
	})
	t.Cleanup(g.thaw)
	return db, g
}

func (g *gate) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	g.dials.Add(1)
	nc, err := new(net.Dialer).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return &gatedConn{Conn: nc, gate: g, closed: make(chan struct{})}, nil
}

// freeze holds back what servers send, on connections old and new.
func (g *gate) freeze() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut()
}

func (g *gate) shut() {
	select {
	case <-g.open:
		g.open = make(chan struct{})
	default:
	}
}

// thaw lets it pass.
func (g *gate) thaw() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

// freezeAt freezes when the next request of an API goes out, and closes the channel then.
func (g *gate) freezeAt(api wire.APIKey) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := make(chan struct{})
	g.waiting[api] = append(g.waiting[api], c)
	return c
}

func (g *gate) saw(api wire.APIKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.waiting[api] {
		g.shut()
		close(c)
	}
	delete(g.waiting, api)
}

type gatedConn struct {
	net.Conn
	gate   *gate
	once   sync.Once
	closed chan struct{}
	skip   int // bytes of the request under way
}

// Write tells the gate of each request that begins in b: a frame has its length in front, then the API's number.
func (c *gatedConn) Write(b []byte) (int, error) {
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

func (c *gatedConn) Read(b []byte) (int, error) {
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

func (c *gatedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
