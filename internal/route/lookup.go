package route

import (
	"context"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// LookupCall asks for the row of one primary key. The caller owns it and may use it again once Lookup returned,
// Key's memory included.
type LookupCall struct {
	Table  *catalog.Table
	Bucket catalog.Bucket
	Key    []byte
	Value  []byte // schema id and row, nil when there is no such row; aliases an answer that others share
}

// Lookup makes all calls of a statement with one wait. Keys of other callers ride in the same frames. A row of a
// partition that is not there is not there. When ctx ends first the answers under way are left alone.
func (c *Client) Lookup(ctx context.Context, calls ...*LookupCall) error {
	g := c.groups.get(len(calls))
	for i, call := range calls {
		call.Value = nil
		g.add(i, call.Bucket, call.Key)
	}
	w := lookupWait{c: c, ctx: ctx, calls: calls, began: time.Now()}
	defer w.end()
	for {
		w.route(g)
		err := w.wait(g)
		if err != nil {
			return err // the group stays with the frames it is in
		}
		left, err := w.collect(g)
		g.release()
		if err != nil || left == nil {
			return err
		}
		g = left
		if err := w.pause(); err != nil {
			left.release()
			return err
		}
	}
}

// lookupWait is one Lookup call under way. It turns ctx into one with a deadline when it first has to wait for
// more than an answer, as answers have a time limit of their own.
type lookupWait struct {
	c      *Client
	ctx    context.Context
	cancel context.CancelFunc
	began  time.Time
	calls  []*LookupCall
	pace   pace
	slow   bool       // an answer said that only time helps
	last   error      // of the last failed attempt
	turn   wire.Turn  // to read the answer of a group that is alone in its frame
	conn   *wire.Conn // where the turn is

	// unreachable are the servers that could not be reached in this round: one wait for all keys that go there.
	unreachable map[int32]error
}

func (w *lookupWait) end() {
	if w.cancel != nil {
		w.cancel()
	}
}

func (w *lookupWait) bound() context.Context {
	if w.cancel == nil {
		w.ctx, w.cancel = boundedBy(w.ctx, w.began.Add(w.c.cfg.RequestTimeout))
	}
	return w.ctx
}

// route finds the queue of each item and hands the items over. One that cannot be handed over gets its error.
func (w *lookupWait) route(g *lookupGroup) {
	for i := range g.items { // so that one refresh asks for all partitions
		s := w.c.state(w.calls[g.items[i].call].Table)
		if _, ok := s.leader(g.items[i].bucket); !ok {
			s.want(g.items[i].bucket.PartitionID)
		}
	}
	clear(w.unreachable)
	queued := int32(0)
	for i := range g.items {
		item := &g.items[i]
		if item.err = w.find(item); item.err == nil {
			queued++
		}
	}
	g.left.Store(queued)
	for i := range g.items {
		// Once queued, all but the flag belongs to the frames.
		if item := &g.items[i]; !item.queued && item.err == nil {
			w.turn, w.conn = item.queue.add(g, item.conn), item.conn
		}
	}
}

// find sets an item's leader, connection and queue.
func (w *lookupWait) find(item *lookupItem) (err error) {
	t := w.calls[item.call].Table
	s := w.c.state(t)
	l, ok := s.leader(item.bucket)
	if !ok {
		if l, err = w.c.waitLeader(w.bound(), s, item.bucket); err != nil {
			return err
		}
	}
	item.leader = l
	n := w.c.tablet(l.server)
	if n != nil {
		item.conn = n.links[smallConn].live()
	}
	if item.conn == nil {
		if err := w.unreachable[l.server]; err != nil {
			return err
		}
		if item.conn, err = w.c.conn(w.bound(), l.server, smallConn); err != nil {
			if w.unreachable == nil {
				w.unreachable = map[int32]error{}
			}
			w.unreachable[l.server] = err
			return err
		}
	}
	item.queue = s.lookupQueue(w.c, l.server)
	return nil
}

// wait returns once all queued items are answered, or with the context's error.
func (w *lookupWait) wait(g *lookupGroup) error {
	if g.left.Load() == 0 && !g.anyQueued() {
		return nil
	}
	if w.conn != nil {
		w.conn.Await(w.ctx, w.turn)
		w.conn = nil
	}
	select {
	case <-g.done:
		return nil
	case <-w.ctx.Done():
		g.abandoned.Store(true)
		first := w.calls[g.items[0].call]
		return &WaitError{For: "LOOKUP of " + place(first.Table.Path, first.Bucket), Err: w.ctx.Err(), Last: w.last}
	}
}

// collect gives the results to the calls. It returns a group of those that have to be asked again, nil when there
// are none, or the final error.
func (w *lookupWait) collect(g *lookupGroup) (left *lookupGroup, err error) {
	for i := range g.items {
		item := &g.items[i]
		call := w.calls[item.call]
		bucket, alone := item.bucket, item.alone
		switch {
		case item.err == nil:
			call.Value = item.value
			continue
		case hasCode(item.err, wire.CodePartitionNotExists) && w.c.state(call.Table).isGone(bucket.PartitionID):
			id, ok := w.c.state(call.Table).movedTo(bucket.PartitionID)
			if !ok {
				continue
			}
			bucket.PartitionID = id
		case item.err == errSharedTooLarge:
			alone = true
		default:
			if err := w.judge(call.Table, item); err != nil {
				return nil, err
			}
		}
		if left == nil {
			left = w.c.groups.get(len(g.items) - i)
		}
		again := left.add(item.call, bucket, call.Key)
		again.alone = alone
	}
	return left, nil
}

// judge returns a failed item's error when it is final.
func (w *lookupWait) judge(t *catalog.Table, item *lookupItem) error {
	if w.ctx.Err() != nil {
		return waited("LOOKUP of "+place(t.Path, item.bucket), w.ctx.Err(), item.err, w.last)
	}
	s := w.c.state(t)
	if !worthRepeating(item.err) && !s.disputed(item.bucket, item.err) {
		return item.err
	}
	w.last = item.err
	if !s.disproved(item.bucket, item.leader, item.err) {
		w.slow = true
	}
	return nil
}

func (w *lookupWait) pause() error {
	if !w.slow {
		return nil
	}
	w.slow = false
	if w.pace.sleep(w.bound()) != nil {
		return &WaitError{For: "LOOKUP of table " + w.calls[0].Table.Path.String(), Err: w.ctx.Err(), Last: w.last}
	}
	return nil
}
