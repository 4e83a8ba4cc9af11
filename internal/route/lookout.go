package route

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

const (
	minQuiet = 50 * time.Millisecond
	// unrestTime is for how long after a server left the list the others are not quite themselves: their fetches from it
	// wait for as long (client.request-timeout), and those who wait for the fetches with them.
	unrestTime = 30 * time.Second
)

// lookout finds out what becomes of a server that calls wait for in vain. A frozen one keeps its connections, so that nothing
// but the coordinator tells that its session ended; and that is when the coordinator names new leaders: it answers when it is
// done with both. So while calls wait on a silent connection, or for a dial, the client asks it for the list of servers, which
// is small and the same for all tables. When the server is not in it any more those calls go on at once: reads elsewhere,
// and the identical batches of writes, since the next leader knows those that it has.
type lookout struct {
	left atomic.Int64 // when a server left the list last, in nanoseconds since the epoch; 0: none did

	mu    sync.Mutex
	busy  bool
	first time.Time     // of the looks that follow each other without a long pause
	last  time.Time     // look
	news  chan struct{} // closed when a server leaves the list
}

// errLeft is why calls on the connections of such a server end.
var errLeft = errors.New("the server left the cluster")

// quietTime is how often a silence is looked into while it lasts.
func (c *Client) quietTime() time.Duration { return max(c.cfg.AttemptTimeout/wire.QuietPart, minQuiet) }

// unrest reports whether a server left the list not long ago.
func (c *Client) unrest(now time.Time) bool {
	left := c.lookout.left.Load()
	return left != 0 && now.UnixNano()-left < int64(unrestTime)
}

// quiet is called, on a goroutine of its own, again and again while calls wait on a silent connection.
func (c *Client) quiet(n *node, class connClass, conn *wire.Conn) {
	k := c.cluster.Load()
	switch {
	case k != nil && k.bossAt == n: // who else could be asked
		return
	case n.left.Load():
		leave(conn)
		return
	}
	if c.unrest(time.Now()) {
		c.bypass(n, class, conn)
	}
	c.lookAround()
}

// lookAround asks for the list of servers, unless that was just done: every quietTime during the first two attempts of a
// read, half as often later.
func (c *Client) lookAround() {
	l := &c.lookout
	now, gap := time.Now(), c.quietTime()
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.last) > c.cfg.AttemptTimeout {
		l.first = now
	}
	if now.Sub(l.first) > 2*c.cfg.AttemptTimeout {
		gap *= 2
	}
	if l.busy || now.Sub(l.last) < gap-gap/10 {
		return
	}
	if l.busy = c.spawn(c.look); l.busy {
		l.last = now
	}
}

// look asks once. An error is nobody's: while somebody waits there is a next look.
func (c *Client) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.AttemptTimeout)
	defer cancel()
	var m flusspb.MetadataResponse
	if c.askOne(ctx, c.anyNodes(true), wire.APIGetMetadata, &flusspb.MetadataRequest{}, &m) == nil {
		c.learn(&m)
	}
	c.lookout.mu.Lock()
	c.lookout.busy = false
	c.lookout.mu.Unlock()
}

// whileDialing looks around as long as a dial takes long.
func (c *Client) whileDialing(done <-chan struct{}) {
	tick := time.NewTicker(c.quietTime())
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			c.lookAround()
		}
	}
}

// news returns a channel that is closed when a server leaves the list.
func (c *Client) news() <-chan struct{} {
	l := &c.lookout
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.news == nil {
		l.news = make(chan struct{})
	}
	return l.news
}

// depart notes that servers are not in the list any more.
func (l *lookout) depart(gone []*node) {
	if len(gone) == 0 {
		return
	}
	for _, n := range gone {
		n.left.Store(true)
	}
	l.left.Store(time.Now().UnixNano())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.news != nil {
		close(l.news)
		l.news = nil
	}
}

// leave ends the calls on a connection whose server left.
func leave(conn *wire.Conn) {
	conn.GiveUp(0, errLeft)
	conn.GiveUpWrites(errLeft)
}

// unlink ends the dials of a link whose server left and the calls on its connection, which is not used again: who waits for
// either looks for the next leader.
func (c *Client) unlink(l *link) {
	l.mu.Lock()
	conn, stop := l.conn.Swap(nil), l.stopDials
	l.dials, l.stopDials = nil, nil
	l.mu.Unlock()
	if stop != nil {
		stop()
	}
	if conn != nil {
		leave(conn)
		c.linger(conn)
	}
}
