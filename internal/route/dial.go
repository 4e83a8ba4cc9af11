package route

import (
	"context"
	"fmt"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// maxBesides bounds the dials of a link that are under way beside the first while there is unrest; else there is one.
const maxBesides = 5

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
	f, ok := c.startDial(n, class, 0)
	if ok {
		l.dial = f
	}
	return f
}

// dialBeside returns a further dial of a link whose first takes long. A server of which one thread is stuck leaves those
// connections unanswered that fall to it, and serves the others: seen of a new leader for as long as the one before it was
// frozen.
func (c *Client) dialBeside(n *node, class connClass) *flight[*wire.Conn] {
	l := &n.links[class]
	l.mu.Lock()
	defer l.mu.Unlock()
	if conn := l.live(); conn != nil && !l.doubted(conn) {
		return landed(conn, nil)
	}
	most, limit := 1, time.Duration(0)
	if c.unrest(time.Now()) {
		most, limit = maxBesides, c.cfg.AttemptTimeout
	}
	if f := l.beside; f != nil && (l.sides >= most || time.Since(f.began) < c.besideAfter()) {
		return f
	}
	f, ok := c.startDial(n, class, limit)
	if ok {
		l.beside = f
		l.sides++
	}
	return f
}

// startDial starts a dial, which may take limit, 0: as long as any; not ok: the Client is closed. The link's lock is held.
func (c *Client) startDial(n *node, class connClass, limit time.Duration) (f *flight[*wire.Conn], ok bool) {
	l := &n.links[class]
	var old *wire.Conn // broken or stale
	if l.live() == nil {
		old = l.conn.Load()
	}
	f = newFlight[*wire.Conn]()
	if l.dials == nil {
		l.dials, l.stopDials = context.WithCancel(c.ctx)
	}
	until := l.dials
	if !c.spawn(func(context.Context) {
		if old != nil && l.conn.CompareAndSwap(old, nil) {
			c.linger(old)
		}
		c.runDial(until, n, class, limit, f)
	}) {
		return landed[*wire.Conn](nil, ErrClosed), false
	}
	c.spawn(func(context.Context) { c.whileDialing(f.done) })
	return f, true
}

// dialNode opens a connection whose silences are looked into.
func (c *Client) dialNode(ctx context.Context, n *node, class connClass) (*wire.Conn, error) {
	cfg := c.cfg.Wire
	cfg.Quiet = c.quietTime()
	cfg.OnQuiet = func(conn *wire.Conn) { c.quiet(n, class, conn) }
	return wire.Dial(ctx, n.addr, &cfg)
}

// runDial dials until ctx ends, which is when the server leaves the cluster.
func (c *Client) runDial(ctx context.Context, n *node, class connClass, limit time.Duration, f *flight[*wire.Conn]) {
	l := &n.links[class]
	bound, cancel := ctx, context.CancelFunc(func() {})
	if limit > 0 {
		bound, cancel = context.WithTimeout(ctx, limit)
	}
	conn, err := c.dialNode(bound, n, class)
	cancel()
	l.mu.Lock()
	first := l.dial == f
	switch {
	case first:
		l.dial = nil
	case l.beside == f:
		l.beside = nil
		fallthrough
	default:
		l.sides--
	}
	var old, late *wire.Conn
	winner := l.live()
	bypasses := err == nil && l.doubted(winner)
	switch {
	case l.dropped:
		late, conn, err = conn, nil, fmt.Errorf("server %s left the cluster", n.addr)
	case winner != nil && !bypasses:
		late, conn, err = conn, winner, nil
	case ctx.Err() != nil && c.ctx.Err() == nil:
		late, conn, err = conn, nil, fmt.Errorf("%s: %w", n.addr, errLeft)
	case err != nil && !first: // others are under way
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
	if bypasses && old != nil {
		c.cfg.Logger.Debug("fluss: another connection beside a silent one", "server", n.addr)
		old.GiveUp(c.cfg.AttemptTimeout+idleWait, errBypassed)
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
	if n.left.Load() {
		return nil, errLeft
	}
	f := c.dialLink(n, class)
	if f.landed() {
		return f.val, f.err
	}
	slow := time.NewTimer(c.besideAfter() - time.Since(f.began))
	defer slow.Stop()
	over := time.NewTimer(c.dialPatience(n, f))
	defer over.Stop()
	first, second := f.done, (<-chan struct{})(nil)
	var beside *flight[*wire.Conn]
	for {
		if n.left.Load() { // what was begun since is for those who ask it as one of the configured addresses
			return nil, errLeft
		}
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
			slow.Reset(c.besideAfter())
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
	if slow := f.began.Add(c.besideAfter()); f.landed() || slow.After(now) {
		return f, slow
	}
	until = now
	if !n.troubled(now) {
		until = f.began.Add(c.cfg.AttemptTimeout)
	}
	return c.dialBeside(n, class), until
}

// besideAfter is how long a dial may take at the side of which no further one is begun.
func (c *Client) besideAfter() time.Duration {
	if c.unrest(time.Now()) {
		return c.quietTime() / 4
	}
	return c.shortDial()
}

// shortDial is how long a read waits for a dial where the server gave trouble just now.
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
