package route

import (
	"errors"

	"github.com/gofluss/fluss/internal/wire"
)

// resume puts a bucket to work with what a seek found. It reports false when that turned out not to be enough.
func (w *writer) resume(b *writeBucket, found writeFind) bool {
	if b.needsID() {
		if found.id < 0 {
			return false
		}
		b.id, b.next, b.renew = found.id, 0, false
	}
	if b.fenced() && !w.raiseFences(b, found.end) {
		return false
	}
	b.leader = found.term.leader
	b.lane = w.laneOf(found.term.conn, found.term.server, b.key.TableID)
	for _, t := range b.open {
		t.due = true
	}
	if !w.choosePhase(b, found.term) {
		return false
	}
	b.halt = false
	return true
}

// raiseFences turns batches that were given up into what keeps their late copies out: an empty batch, or the
// identical one where the log is empty. Where that is not at hand any more (the log was cut back to nothing
// since) nothing can be done.
func (w *writer) raiseFences(b *writeBucket, end int64) bool {
	if end < 0 {
		return false
	}
	for i := len(b.open) - 1; i >= 0; i-- {
		t := b.open[i]
		switch {
		case t.state != batchGivenUp:
		case end > 0:
			t.fence()
		case t.bytes == nil, t.empty:
			b.remove(t)
			w.drop(t)
		}
	}
	return true
}

// choosePhase decides how open batches are resent in a term. It reports false when a new id is needed first.
//
// It comes down to the head: the oldest batch, with nothing missing before it. When this very leader found it
// out of order (31, 33), then
//
//	a later sequence acknowledged in this leader epoch proves it stored;
//	otherwise, if each copy was answered, and so with a refusal, it is not stored: it is a hole (the leader lost
//	what came before it), and all of open goes on under a new id;
//	otherwise, if the leader may have lost its memory since the first copy (another epoch, or another
//	connection, for it may have restarted), or does not know the writer (33), the batches are probed newest first;
//	otherwise it is resent, in time.
func (w *writer) choosePhase(b *writeBucket, now writeTerm) bool {
	for len(b.open) > 0 {
		h := b.open[0]
		code := wire.ErrorCode(h.code)
		if h.state == batchGivenUp || classify(code) != classSequence || !h.term.same(now) {
			b.phase = headPhase
			return true
		}
		known := code == wire.CodeOutOfOrderSequence
		switch {
		case known && b.acked.proves(h, now):
			b.open = b.open[1:]
			w.resolve(h, Stored, -1, nil)
			continue
		case h.provenAbsent():
			b.renew = true
			w.unsealBehind(b, 0)
			b.open = nil
			w.unseal(h, false)
		case known && h.term0.same(now) && h.term0.conn == now.conn:
			b.phase = headPhase
			return true
		default:
			b.phase, b.probe = probePhase, len(b.open)
			if w.probeOlder(b, h.last); b.phase == probePhase {
				return true
			}
			if b.fenced() {
				return false // the end offset is needed first
			}
		}
		break
	}
	w.retireID(b)
	b.phase = flowPhase
	return !b.needsID()
}

// probeOlder goes on to the next older batch of a probe. The head was refused before, so without another one
// none of them is stored as far as this leader knows: unknown.
func (w *writer) probeOlder(b *writeBucket, err error) {
	for b.probe--; b.probe > 0 && b.open[b.probe].state != batchOpen; b.probe-- {
	}
	if b.probe > 0 {
		b.open[b.probe].due = true
		return
	}
	for i := len(b.open) - 1; i >= 0; i-- {
		if t := b.open[i]; t.state == batchOpen {
			w.giveUp(t, err)
		}
	}
	b.phase, b.trouble = headPhase, err
}

// failBucket ends all writes to a bucket: it is gone, or must not be written to.
func (w *writer) failBucket(b *writeBucket, err error) {
	if f, ok := errors.AsType[finalError](err); ok {
		err = f.error
	}
	w.failQueue(b, err)
	b.halt, b.renew, b.lane = true, true, nil
	for i := len(b.open) - 1; i >= 0; i-- {
		switch t := b.open[i]; {
		case t.provenAbsent():
			b.remove(t)
			w.resolve(t, NotStored, -1, err)
		case t.state == batchOpen:
			w.giveUp(t, err)
		}
	}
	if !isGone(err) {
		w.retireID(b)
		return
	}
	for _, t := range b.open {
		w.drop(t)
	}
	b.open = nil
	if w.buckets[b.key] == b {
		delete(w.buckets, b.key)
	}
}

// isGone reports whether err says that a table or partition is not there any more, under that id.
func isGone(err error) bool {
	if _, ok := errors.AsType[*TableChangedError](err); ok {
		return true
	}
	refusal, ok := asServerError(err)
	if !ok {
		return false
	}
	switch refusal.Code {
	case wire.CodeTableNotExist, wire.CodeDatabaseNotExist, wire.CodeUnknownTableOrBucket, wire.CodePartitionNotExists:
		return true
	}
	return false
}
