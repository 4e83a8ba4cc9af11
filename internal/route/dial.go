package route

import (
	"context"
	"fmt"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// dialLink returns the connection of a link as a flight: one dial for all who wait.
func (c *Client) dialLink(n *node, class connClass) *flight[*wire.Conn] {
	l := &n.links[class]
	l.mu.Lock()
	defer l.mu.Unlock()
	if conn := l.live(); conn != nil {
		return landed(conn, nil)
	}
	if l.dial != nil {
		return l.dial
	}
	if l.err != nil && time.Now().Before(l.retryAt) {
		return landed[*wire.Conn](nil, l.err)
	}
	f, ok := c.startDial(n, l)
	if ok {
		l.dial = f
	}
	return f
}

// dialBeside returns a second dial of a link whose first takes long. A server of which one thread is stuck leaves those
// connections unanswered that fall to it, and serves the others: seen of a new leader for as long as the one before it was
// frozen.
func (c *Client) dialBeside(n *node, class connClass) *flight[*wire.Conn] {
	l := &n.links[class]
	l.mu.Lock()
	defer l.mu.Unlock()
	if conn := l.live(); conn != nil {
		return landed(conn, nil)
	}
	if l.beside != nil {
		return l.beside
	}
	f, ok := c.startDial(n, l)
	if ok {
		l.beside = f
	}
	return f
}

// startDial starts a dial; not ok: the Client is closed. l.mu is held.
func (c *Client) startDial(n *node, l *link) (f *flight[*wire.Conn], ok bool) {
	old := l.conn.Load() // nil, broken or stale
	f = newFlight[*wire.Conn]()
	if !c.spawn(func(ctx context.Context) {
		if old != nil && l.conn.CompareAndSwap(old, nil) {
			c.linger(old)
		}
		c.runDial(ctx, n, l, f)
	}) {
		return landed[*wire.Conn](nil, ErrClosed), false
	}
	return f, true
}

func (c *Client) runDial(ctx context.Context, n *node, l *link, f *flight[*wire.Conn]) {
	conn, err := wire.Dial(ctx, n.addr, &c.cfg.Wire)
	l.mu.Lock()
	if l.dial == f {
		l.dial = nil
	} else {
		l.beside = nil
	}
	var old, late *wire.Conn
	winner := l.live()
	switch {
	case l.dropped:
		late, conn, err = conn, nil, fmt.Errorf("server %s left the cluster", n.addr)
	case winner != nil:
		late, conn, err = conn, winner, nil
	case err != nil:
		l.err = err
		l.retryAt = time.Now().Add(redialPause)
		c.cfg.Logger.Debug("fluss: cannot connect", "server", n.addr, "error", err)
		n.fault()
	default:
		old = l.conn.Swap(conn)
		l.err = nil
		n.trouble.Store(0)
	}
	l.mu.Unlock()
	if late != nil {
		late.Close()
	}
	if old != nil {
		c.linger(old)
	}
	f.land(conn, err)
}

// nodeConn returns a node's connection, dialing it when there is none. It waits no longer than dialPatience: the
// dial goes on, but by then somebody else may do what the node was wanted for.
func (c *Client) nodeConn(ctx context.Context, n *node, class connClass) (*wire.Conn, error) {
	if conn := n.links[class].live(); conn != nil {
		return conn, nil
	}
	f := c.dialLink(n, class)
	if f.landed() {
		return f.val, f.err
	}
	slow := time.NewTimer(c.shortDial() - time.Since(f.began))
	defer slow.Stop()
	over := time.NewTimer(c.dialPatience(n, f))
	defer over.Stop()
	first, second := f.done, (<-chan struct{})(nil)
	var beside *flight[*wire.Conn]
	for {
		select {
		case <-first:
			if f.err == nil || second == nil {
				return f.val, f.err
			}
			first = nil
		case <-second:
			if beside.err == nil || first == nil {
				return beside.val, beside.err
			}
			second = nil
		case <-slow.C:
			beside = c.dialBeside(n, class)
			second = beside.done
		case <-over.C:
			n.fault()
			return nil, errSlowDial(n.addr)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// dialing is nodeConn for who does not wait: the dial that may bring the connection, and until when it is worth waiting for.
func (c *Client) dialing(n *node, class connClass, now time.Time) (f *flight[*wire.Conn], until time.Time) {
	f = c.dialLink(n, class)
	if slow := f.began.Add(c.shortDial()); f.landed() || slow.After(now) {
		return f, slow
	}
	until = now
	if !n.troubled(now) {
		until = f.began.Add(c.cfg.AttemptTimeout)
	}
	return c.dialBeside(n, class), until
}

// shortDial is how long a dial may take at the side of which no second is begun, and how long a read waits for one where the
// server gave trouble just now.
func (c *Client) shortDial() time.Duration { return c.cfg.AttemptTimeout / 4 }

// dialPatience is how long a read that comes now waits for a dial. Those who wait for one give up together.
func (c *Client) dialPatience(n *node, f *flight[*wire.Conn]) time.Duration {
	if n.troubled(time.Now()) {
		return c.shortDial()
	}
	return max(c.shortDial(), c.cfg.AttemptTimeout-time.Since(f.began))
}

// errSlowDial is a server whose dial is still under way.
type errSlowDial string

func (e errSlowDial) Error() string { return "still connecting to " + string(e) }

// Sent is false: there is no connection yet.
func (e errSlowDial) Sent() bool { return false }
