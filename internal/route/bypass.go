package route

import (
	"context"
	"errors"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// errBypassed is why calls on a silent connection end: another one to the same server is not.
var errBypassed = errors.New("the server answers on another connection")

// doubt is a connection that is to be replaced by a new one, unless it is heard of before.
type doubt struct {
	conn  *wire.Conn
	heard uint64 // its count of answers
	left  int64  // lookout.left: for each server that leaves a link is replaced once
}

// bypass makes another connection beside a silent one, and has the reads there go on over it; the writes too, if they are
// still not answered when it is there. After a server was frozen the others may serve all connections but some, for as long
// as it is: a request thread, to which a connection is bound for good, waits for a fetch from the frozen one
// (ReplicaFetcherManager.shutdownIdleFetcherThreads). A server that is merely slow is taken for one of those, so that calls
// are moved once for each server that leaves, and not the reads that may take long.
func (c *Client) bypass(n *node, class connClass, conn *wire.Conn) {
	l := &n.links[class]
	if other := l.live(); other != nil && other != conn {
		conn.GiveUpWrites(errBypassed)
		return
	}
	d := doubt{conn, conn.Heard(), c.lookout.left.Load()}
	l.mu.Lock()
	ok := l.live() == conn && l.doubt.left != d.left
	if ok {
		l.doubt = d
	}
	l.mu.Unlock()
	if ok {
		c.spawn(func(ctx context.Context) { c.runBypass(ctx, n, class, d) })
	}
}

// runBypass dials again and again, as the new connection may fall to the same thread. Whichever dial succeeds replaces
// the connection.
func (c *Client) runBypass(ctx context.Context, n *node, class connClass, d doubt) {
	l, wait := &n.links[class], time.Duration(0)
	for l.conn.Load() == d.conn && d.conn.Heard() == d.heard && c.unrest(time.Now()) {
		c.dialBeside(n, class)
		wait = min(wait+c.besideAfter(), c.shortDial())
		if pauseUntil(ctx, wait, d.conn.Done()) != nil {
			return
		}
	}
}

// doubted reports whether conn is to be replaced. The link's lock is held.
func (l *link) doubted(conn *wire.Conn) bool {
	return conn != nil && l.doubt.conn == conn && conn.Heard() == l.doubt.heard
}
