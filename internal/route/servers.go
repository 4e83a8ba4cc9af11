package route

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// connClass says what a connection is for: a large answer delays those behind it on the same connection.
type connClass uint8

const (
	smallConn connClass = iota // metadata, lookups
	bulkConn                   // scans, bulk
	connClasses
)

const (
	// redialPause is how long a failed dial is remembered: callers that come meanwhile get its error.
	redialPause = 100 * time.Millisecond
	// dialStagger is how long one server's dial is waited for before the next server is tried beside it.
	dialStagger = 300 * time.Millisecond
	// troubleTime is how long a server that failed or kept silent is asked only after all others.
	troubleTime = 5 * time.Second
)

// node is one address with its connections.
type node struct {
	addr    string
	links   [connClasses]link
	trouble atomic.Int64 // Unix nanoseconds until which it is asked last
	left    atomic.Bool  // it was a tablet server of the list and is not any more
}

// link is one connection of a node, dialed when first needed and again when it broke.
type link struct {
	conn  atomic.Pointer[wire.Conn] // nil, broken or stale: dial
	stale atomic.Pointer[wire.Conn] // kept silent: not to be used again

	mu      sync.Mutex
	dial    *flight[*wire.Conn] // under way
	beside  *flight[*wire.Conn] // the newest one under way, as dial takes long
	sides   int                 // of those
	err     error               // of the last dial
	retryAt time.Time           // until then err is the answer
	dropped bool                // the node left the cluster: a dial that lands is closed

	dials     context.Context // ends when the server leaves; nil: nothing was dialed since
	stopDials context.CancelFunc

	doubt doubt
}

// live returns the connection if it can be used.
func (l *link) live() *wire.Conn {
	conn := l.conn.Load()
	if conn == nil || conn == l.stale.Load() {
		return nil
	}
	select {
	case <-conn.Done():
		return nil
	default:
		return conn
	}
}

func (n *node) fault() { n.trouble.Store(time.Now().Add(troubleTime).UnixNano()) }

func (n *node) troubled(now time.Time) bool { return n.trouble.Load() > now.UnixNano() }

// firstConn returns a connection to the first of the nodes that can be had. One that does not answer costs
// dialStagger, not the deadline: the next is dialed beside it. It fails when all have failed, when one refuses
// for good (credentials), and when ctx ends.
func (c *Client) firstConn(ctx context.Context, all []*node, class connClass) (*node, *wire.Conn, error) {
	type arrival struct {
		n *node
		f *flight[*wire.Conn]
	}
	var (
		arrivals = make(chan arrival, len(all))
		pending  int
		errs     []error
	)
	timer := time.NewTimer(dialStagger)
	defer timer.Stop()
	for next := 0; ; {
		if next < len(all) {
			a := arrival{n: all[next]}
			next++
			if conn := a.n.links[class].live(); conn != nil {
				return a.n, conn, nil
			}
			a.f = c.dialLink(a.n, class)
			pending++
			if !c.spawn(func(context.Context) { <-a.f.done; arrivals <- a }) {
				return nil, nil, ErrClosed
			}
			timer.Reset(dialStagger)
		} else if pending == 0 {
			return nil, nil, manyErrors(errs)
		}
	wait:
		for pending > 0 {
			select {
			case a := <-arrivals:
				pending--
				if a.f.err == nil {
					return a.n, a.f.val, nil
				}
				if refusesForGood(a.f.err) {
					return nil, nil, a.f.err
				}
				errs = append(errs, a.f.err)
				break wait
			case <-timer.C:
				if next < len(all) {
					break wait
				}
			case <-ctx.Done():
				return nil, nil, manyErrors(append(errs, ctx.Err()))
			}
		}
	}
}

// retire takes a connection out of use: it failed or kept silent. It may be called on a read loop.
func (n *node) retire(class connClass, conn *wire.Conn) {
	if l := &n.links[class]; l.conn.Load() == conn {
		l.stale.Store(conn)
	}
}

// linger closes a connection that is not used again, after the time that what is under way on it may take.
func (c *Client) linger(conn *wire.Conn) {
	wait := func(ctx context.Context) {
		timer := time.NewTimer(c.cfg.RequestTimeout)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-conn.Done():
		case <-ctx.Done():
		}
		conn.Close()
	}
	if conn.Err() != nil || !c.spawn(wait) {
		conn.Close()
	}
}
