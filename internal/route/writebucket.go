package route

import (
	"context"
	"slices"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// maxOpen is how many batches of a writer the server remembers for a bucket, and so how many may be unanswered.
const maxOpen = 5

// writeBucket is the state machine of one bucket. Buckets are independent: none waits for another.
//
// Ops wait in queue, in order. Sealing takes ops from its front, gives them the next sequence of the bucket's
// writer id, and puts the batch at the end of open. A batch leaves open with its outcome; until then its bytes,
// writer id and sequence stay as they were, whatever becomes of its callers. A copy of a batch is on its way
// (flying), answered, or lost: it may have left the machine and its answer will not come.
//
//	flow   batches are sealed and sent in order, up to maxOpen unanswered.
//	halt   something was not answered with success. Nothing is sealed or sent until no copy is flying; then
//	       settle sorts out what the answers proved, and a seek finds leader, connection and writer id. A bucket
//	       that nobody waits for stays halted without a seek: nothing is resent merely because time passes.
//	head   after a seek, the oldest open batch is resent alone. Its success brings back flow, which resends the
//	       others in order before it seals.
//	probe  the head is out of order (31) although nothing is missing before it: the leader's memory is another
//	       one. The open batches are resent newest first, as a success proves the older ones stored. Then head.
//
// A batch that was refused for good, with each of its copies answered, is a hole: the server has not stored it
// and never will, so it never can take a later sequence of the id either. The later batches go back to the
// queue, and the bucket goes on under a new id (renew). Until open is empty no batch gets a new id, so that all
// that may still arrive late under the old one has been answered or given up.
//
// A batch without an outcome WriteTimeout after its first copy left is given up: unknown. On a key table it
// stays in open as a fence. As soon as another write waits, its sequence goes out once more, with an empty batch,
// and only when that was answered does the next one leave, under a new id. Whatever is late of the old batch is
// then a duplicate to the server. Where the bucket's end offset is 0 the identical bytes do that (an empty batch as the first
// of a log stops a 0.9.1 server from starting). On a log table there is no fence.
type writeBucket struct {
	key   catalog.Bucket
	table *catalog.Table // the newest one seen
	kv    bool

	lane   *writeLane  // where its batches go; nil: not known
	leader leader      // of lane, as the last seek found it
	listed *writeLane  // whose ready it was put in last; nil once taken out
	frame  *writeFrame // the last that took a new batch, so that none takes two

	id   int64 // writer id, -1: none yet
	next int32 // sequence of the next batch

	queue  []*WriteOp
	queued int           // bytes in queue
	live   int           // ops that somebody waits for, queued or open
	open   []*writeBatch // in the order of their sequences, at most maxOpen
	flying int           // batches of open with a copy on its way
	used   int           // bytes of open batches, charged to the budget

	phase writePhase
	probe int // phase probe: index in open of the batch that is tried
	halt  bool
	renew bool // take a new id when open is empty
	seek  *writeSeek

	acked   ackMark
	written bool // the change log's end was seen above 0

	pace    pace
	slow    bool // the next seek starts with a pause
	doubt   leaderDoubt
	trouble error // what went wrong last; nil after a success
}

type writePhase uint8

const (
	flowPhase writePhase = iota
	headPhase
	probePhase
)

// writeTerm is the reign in which a copy was sent: a leader, and the connection to it.
type writeTerm struct {
	leader
	conn writeConn
}

// same reports whether both are one leader epoch. Where epochs are not told, one connection stands for it.
func (a writeTerm) same(b writeTerm) bool {
	if a.epoch < 0 || b.epoch < 0 {
		return a.conn == b.conn
	}
	return a.leader == b.leader
}

// ackMark is the newest acknowledged sequence of a writer id, and the term it was acknowledged in.
type ackMark struct {
	id   int64
	seq  int32
	term writeTerm
}

// proves reports whether the mark shows that t is stored at the leader of that term: it took a later sequence.
func (m *ackMark) proves(t *writeBatch, now writeTerm) bool {
	return m.id == t.id && m.seq > t.seq && m.term.same(now)
}

// leaderDoubt is what the next seek tells the metadata: a leader that answered with a code, or with none (0).
type leaderDoubt struct {
	set  bool
	seen leader
	code int32
}

// wanted reports whether anybody waits for the bucket to get on.
func (w *writer) wanted(b *writeBucket) bool {
	return !w.closed && (b.live > 0 || w.closing && b.unresolved())
}

// unresolved reports whether a batch is open whose outcome somebody has waited for.
func (b *writeBucket) unresolved() bool {
	return slices.ContainsFunc(b.open, func(t *writeBatch) bool { return t.state == batchOpen })
}

// stir does what the bucket's state asks for next: nothing, a seek, or getting in line at its lane.
func (w *writer) stir(b *writeBucket) {
	if b.seek != nil || !w.wanted(b) {
		return
	}
	if b.halt && b.flying > 0 {
		return
	}
	if b.halt || b.lane == nil || b.needsID() {
		w.startSeek(b)
		return
	}
	switch {
	case b.resend() != nil:
		if !slices.Contains(b.lane.resends, b) {
			b.lane.resends = append(b.lane.resends, b)
		}
	case b.sealable():
		if b.listed != b.lane {
			b.listed = b.lane
			b.lane.ready = append(b.lane.ready, b)
		}
	default:
		return
	}
	w.kick(b.lane)
}

// needsID reports whether the next thing to do is to take a writer id.
func (b *writeBucket) needsID() bool { return len(b.open) == 0 && (b.id < 0 || b.renew) }

// sealable reports whether a batch may be sealed from the queue now.
func (b *writeBucket) sealable() bool {
	n := len(b.open)
	switch {
	case b.lane == nil, b.halt, b.renew, b.id < 0, b.seek != nil, b.phase != flowPhase, len(b.queue) == 0, n >= maxOpen:
		return false
	case n == 0:
		return true
	}
	last := b.open[n-1]
	return !last.due && !last.alone && !b.queue[0].at.alone
}

// resend returns the open batch that is to be sent again now, or nil.
func (b *writeBucket) resend() *writeBatch {
	if b.halt || b.lane == nil || len(b.open) == 0 {
		return nil
	}
	switch b.phase {
	case headPhase:
		if t := b.open[0]; t.due && b.flying == 0 {
			return t
		}
	case probePhase:
		if t := b.open[b.probe]; t.due && b.flying == 0 {
			return t
		}
	default:
		for _, t := range b.open {
			if t.due {
				return t
			}
		}
	}
	return nil
}

// remove takes a batch out of open.
func (b *writeBucket) remove(t *writeBatch) {
	if i := slices.Index(b.open, t); i >= 0 {
		b.open = slices.Delete(b.open, i, i+1)
	}
}

// unqueue takes an op out of the queue.
func (b *writeBucket) unqueue(op *WriteOp) {
	if i := slices.Index(b.queue, op); i >= 0 {
		b.queue = slices.Delete(b.queue, i, i+1)
		b.queued -= op.at.size
	}
}

// failQueue gives all queued ops up: they are not stored.
func (w *writer) failQueue(b *writeBucket, err error) {
	for _, op := range b.queue {
		b.live--
		w.finish(op, NotStored, -1, err)
	}
	b.queue, b.queued = nil, 0
}

// unwatch ends the bucket's seek when nobody waits for it any more.
func (w *writer) unwatch(b *writeBucket) {
	if b.seek != nil && !w.wanted(b) {
		b.seek.cancel()
	}
}

// whyWaiting is the error of an op that was never sent.
func (b *writeBucket) whyWaiting(cause error) error {
	what := "room to write to "
	switch {
	case b.seek != nil:
		what = b.seek.what
	case len(b.open) > 0:
		what = "the writes before it to "
	}
	return &WaitError{For: what + place(b.table.Path, b.key), Err: cause, Last: b.trouble}
}

// writeSeek is the one goroutine of a bucket that finds leader, connection and writer id.
type writeSeek struct {
	cancel context.CancelFunc
	what   string // it waits for, with a blank behind it
	delay  time.Duration
}
