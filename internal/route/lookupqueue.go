package route

import (
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

const (
	// lookupsUnderWay is how many LOOKUPs for one table may be on the way to a server before keys wait for the
	// next one: two of 64 keys do four times as much as 48 of one key. A crowd of callers goes in so many halves, of which
	// the server has one while the callers of the other are at work.
	lookupsUnderWay = 2

	// aloneKeys is how many keys' answer a caller that is alone reads by itself.
	aloneKeys = 16

	maxLookupKeys  = 2048      // of one frame
	maxLookupBytes = 256 << 10 // of one frame's keys, unless it has only one
)

// errSharedTooLarge is the outcome of the items of a frame whose answer was over the limit: each is tried alone.
var errSharedTooLarge = errors.New("an answer for several keys was too large")

// lookupQueue sends the lookups for one table that go to one server. A key goes out at once when nothing is on the
// way, or little; those that come meanwhile share the next frame, which the answer to an earlier one sends. There is
// no timer and no goroutine.
type lookupQueue struct {
	c      *Client
	table  int64
	server int32

	mu       sync.Mutex
	waiting  []*lookupItem
	queued   int // callers whose keys wait
	underWay int // frames
	callers  int // whose keys are in them
	woken    int // callers that were answered and may come again, about
	gather   gathering
}

// lookupQueue returns the queue to a server, made when it is new.
func (s *tableState) lookupQueue(c *Client, server int32) *lookupQueue {
	if m := s.lookups.Load(); m != nil {
		if q := (*m)[server]; q != nil {
			return q
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := map[int32]*lookupQueue{}
	if old := s.lookups.Load(); old != nil {
		if q := (*old)[server]; q != nil {
			return q
		}
		m = maps.Clone(*old)
	}
	q := &lookupQueue{c: c, table: s.id, server: server}
	m[server] = q
	s.lookups.Store(&m)
	return q
}

// add queues all items of g that belong here, and sends what may go out now over conn. The turn is the caller's to
// read when all of g is in a frame of its own.
func (q *lookupQueue) add(g *lookupGroup, conn *wire.Conn) (turn wire.Turn) {
	var out [lookupsUnderWay]*lookupFrame
	n := 0
	q.mu.Lock()
	for i := range g.items {
		if item := &g.items[i]; !item.queued && item.queue == q && item.err == nil {
			item.queued = true
			q.waiting = append(q.waiting, item)
		}
	}
	q.arrived()
	for ; q.free(); n++ {
		if out[n] = q.take(); out[n] == nil {
			break
		}
	}
	q.mu.Unlock()
	for _, f := range out[:n] {
		if f.callers == 1 && len(f.items) == len(g.items) && len(g.items) <= aloneKeys && f.items[0].group == g {
			turn = f.startAlone(conn)
		} else {
			f.start(conn)
		}
	}
	return turn
}

// free reports whether a frame may leave. The caller holds q.mu.
func (q *lookupQueue) free() bool {
	switch {
	case q.underWay == 0:
		return !q.gather.holds()
	case q.underWay >= lookupsUnderWay:
		return false
	}
	return q.enough()
}

// enough reports whether the callers that wait are their part of the crowd: those that wait, are under way or were just
// answered.
func (q *lookupQueue) enough() bool {
	if q.queued == 0 {
		return len(q.waiting) > 0 // of a caller whose first keys are under way
	}
	return q.queued*lookupsUnderWay >= q.queued+q.callers+q.woken
}

// arrived counts a caller. The caller of it holds q.mu.
func (q *lookupQueue) arrived() {
	q.queued++
	q.woken = max(q.woken-1, 0)
	if q.gather.holds() && q.enough() {
		q.gather.worked()
	}
}

// take makes a frame of what waits, nil when nothing does. The caller holds q.mu and starts it after.
func (q *lookupQueue) take() *lookupFrame {
	if q.underWay == 0 && !q.enough() {
		q.woken = 0 // they do not come
	}
	var f *lookupFrame
	size, used := 0, 0
	for _, item := range q.waiting {
		if item.group.abandoned.Load() {
			used++
			continue
		}
		if f != nil && (item.alone || len(f.items) >= maxLookupKeys || size+len(item.key) > maxLookupBytes) {
			break
		}
		if f == nil {
			f = framePool.Get().(*lookupFrame)
			f.q = q
		}
		f.add(item)
		size += len(item.key)
		used++
		if item.alone {
			break
		}
	}
	rest := copy(q.waiting, q.waiting[used:])
	clear(q.waiting[rest:])
	q.waiting = q.waiting[:rest]
	if len(q.waiting) == 0 {
		q.queued = 0
	}
	if f != nil {
		q.queued = max(q.queued-f.callers, 0)
		q.underWay++
		q.callers += f.callers
		f.sent = time.Now()
	}
	return f
}

// answered sends the next frame after one with the keys of so many callers is done, or has it gathered: then
// the caller of answered calls regather once it told those callers. When the connection failed, or kept silent, all
// who wait are told, so that they look for another way by themselves.
func (q *lookupQueue) answered(conn *wire.Conn, callers int, err error) (gathers bool) {
	q.mu.Lock()
	q.underWay--
	q.callers -= callers
	if err == nil {
		q.woken = callers + q.woken/2 // of those of earlier frames some may have left
		if q.underWay == 0 && !q.enough() {
			gathers = q.gather.begin(callers)
		}
		q.next(conn)
		return gathers
	}
	q.gather.end()
	waiting := q.waiting
	q.waiting, q.queued, q.woken = nil, 0, 0
	q.mu.Unlock()
	for _, item := range waiting {
		g := item.group
		item.err = err
		g.answered(1)
	}
	return false
}

// next sends a frame if one may leave. It is called with q.mu, and gives it back.
func (q *lookupQueue) next(conn *wire.Conn) {
	var f *lookupFrame
	if q.free() {
		f = q.take()
	}
	q.mu.Unlock()
	if f != nil {
		f.start(conn)
	}
}
