package route

import (
	"slices"

	"github.com/gofluss/fluss/internal/wire"
)

// answer takes what became of one copy.
func (w *writer) answer(p flyingBatch, v verdict) {
	t, b := p.t, p.t.bucket
	current := t.flying && t.attempt == p.attempt
	if !current && (v.kind != answerStored || t.state == batchGone) {
		return // given up before, and counted as lost
	}
	if t.flying {
		t.flying = false
		t.attempt++ // when an older copy is answered first, the younger does not count any more
		b.flying--
	}
	switch v.kind {
	case answerStored:
		w.acknowledged(t, v.offset, current)
	case answerCode:
		w.refused(t, v)
	case answerFinal:
		t.last = v.err
		w.final(t, false)
	case answerUnsent:
		t.copies--
		if t.copies == 0 {
			w.expiry.remove(t)
		}
		t.due = true
		w.stumble(b, v.err, 0)
	default:
		w.lost(t, v)
		if v.kind == answerSilent { // those behind it would keep silent one after the other
			for _, o := range b.open {
				if o.flying && !o.pinned {
					o.flying = false
					o.attempt++
					b.flying--
					w.lost(o, v)
				}
			}
		}
	}
	if b.halt && b.flying == 0 {
		w.settle(b)
	} else {
		w.stir(b)
	}
}

// lost notes that a copy may have left and will not be answered.
func (w *writer) lost(t *writeBatch, v verdict) {
	t.lost++
	t.endMinus()
	t.code, t.last, t.due = 0, v.err, true
	w.stumble(t.bucket, v.err, 0)
}

// endMinus: an answer -1 that is not followed by another leaves open whether that copy was stored.
func (t *writeBatch) endMinus() {
	t.dirty = t.dirty || t.minus
	t.minus = false
}

// acknowledged takes a success. In a probe it proves the older batches stored too.
func (w *writer) acknowledged(t *writeBatch, offset int64, current bool) {
	b := t.bucket
	if b.kv && offset > 0 {
		b.written = true
	}
	if b.phase == probePhase && !b.halt {
		for i := slices.Index(b.open, t); i > 0; i-- {
			w.resolve(b.open[0], Stored, -1, nil)
			b.open = b.open[1:]
		}
	}
	if current && (b.acked.id != t.id || b.acked.seq < t.seq || !b.acked.term.same(t.term)) {
		b.acked = ackMark{id: t.id, seq: t.seq, term: t.term}
	}
	b.remove(t)
	w.resolve(t, Stored, offset, nil)
	if b.halt {
		return
	}
	b.pace, b.trouble = pace{}, nil
	if b.phase == probePhase || b.phase == headPhase && len(b.open) > 0 && b.open[0].state == batchGivenUp {
		b.phase = headPhase
	} else {
		b.phase = flowPhase
	}
	if len(b.open) == 0 {
		b.phase = flowPhase
	}
	w.retireID(b)
}

// refused takes an error code.
func (w *writer) refused(t *writeBatch, v verdict) {
	b := t.bucket
	class := classify(v.code)
	minus := t.minus
	if class == classMinus {
		t.minus = true
	} else {
		t.endMinus()
	}
	t.code, t.last, t.due = int32(v.code), v.err, true
	if t.state == batchGivenUp && (class <= classRow || class == classSequence || class == classMinus && minus) {
		w.unfence(t, v.err)
		return
	}
	switch class {
	case classStored:
		w.acknowledged(t, -1, true)
		return
	case classFinal, classRow:
		t.dirty = t.dirty || v.code.Ambiguous() // a code that we do not know may mean anything
		w.final(t, class == classRow)
		return
	case classMinus:
		if minus {
			t.minus = false
			w.final(t, true)
			return
		}
	case classOpen:
		t.dirty = true
	case classLeader:
		t.dirty = t.dirty || w.cfg.acks < 0 && b.leader.epoch < 0
		if w.cfg.acks < 0 {
			t.unready, t.checked = t.term.leader, true
		}
	case classSequence:
		if b.phase == probePhase && !b.halt {
			w.probeOlder(b, v.err)
			return
		}
	}
	b.slow = true
	w.stumble(b, v.err, v.code)
}

// unfence ends a fence that was answered with a refusal: the server takes no late copy either.
func (w *writer) unfence(t *writeBatch, err error) {
	b := t.bucket
	b.remove(t)
	w.drop(t)
	w.stumble(b, err, 0)
	b.doubt = leaderDoubt{}
}

// stumble halts a bucket. code is what its leader answered, 0 when it did not; codes about leadership, and
// silence, make the next seek ask for the leader again.
func (w *writer) stumble(b *writeBucket, err error, code wire.ErrorCode) {
	if !b.halt {
		b.slow = b.slow || b.trouble != nil // the first time it goes on at once
	}
	b.halt, b.trouble = true, err
	switch classify(code) {
	case classLeader, classGone, classSequence:
	case classAgain:
		if code != wire.CodeLeaderNotAvailable {
			return
		}
	default:
		if code != 0 && code.Retry() != wire.RetryRefresh {
			return
		}
	}
	if !b.doubt.set || b.doubt.code == 0 {
		b.doubt = leaderDoubt{set: true, seen: b.leader, code: int32(code)}
	}
}

// final ends a batch that will not be stored by being sent again.
func (w *writer) final(t *writeBatch, rows bool) {
	b := t.bucket
	b.halt, b.renew, b.trouble = true, true, t.last
	switch {
	case t.state == batchGivenUp:
		w.unfence(t, t.last)
	case !t.clean():
		w.giveUp(t, t.last)
	case rows && t.watched() > 1:
		t.state, t.split = batchRefused, true // its ops are tried alone
	default:
		w.refuse(t, t.last)
	}
}

// refuse ends the ops of a batch as not stored and leaves the hole to settle.
func (w *writer) refuse(t *writeBatch, err error) {
	w.finishAll(t, NotStored, -1, err)
	t.state = batchRefused
}

// giveUp ends the ops of a batch as unknown. On a key table the batch stays as a fence when a copy may yet
// arrive; its bytes are kept only where an empty batch may turn out to be forbidden.
func (w *writer) giveUp(t *writeBatch, cause error) {
	b := t.bucket
	if t.flying {
		t.flying = false
		t.attempt++
		t.lost++
		b.flying--
	}
	w.finishAll(t, Unknown, -1, &UnknownWriteError{Cause: cause, Last: t.last})
	b.halt, b.renew = true, true
	fence := b.kv && t.lost > 0
	bytes := t.bytes
	w.drop(t)
	if !fence {
		b.remove(t)
		return
	}
	t.state = batchGivenUp
	if !b.written {
		t.bytes = bytes
	}
}

// resolve gives all ops of a batch their outcome and ends it. The caller takes it out of open.
func (w *writer) resolve(t *writeBatch, o Outcome, offset int64, err error) {
	if t.flying {
		t.flying = false
		t.attempt++
		t.bucket.flying--
	}
	w.finishAll(t, o, offset, err)
	w.drop(t)
}

// finishAll finishes the ops of a batch. In a log table each has an offset of its own.
func (w *writer) finishAll(t *writeBatch, o Outcome, offset int64, err error) {
	at := offset
	for _, p := range t.parts {
		if p.op != nil {
			t.bucket.live--
			w.finish(p.op, o, at, err)
		}
		if !t.bucket.kv && at >= 0 {
			at += int64(p.count)
		}
	}
	t.parts = nil
}

// expire ends a batch at its deadline.
func (w *writer) expire(t *writeBatch) {
	b := t.bucket
	if t.provenRefused() {
		w.refuse(t, t.last)
		b.halt, b.renew = true, true
	} else {
		w.giveUp(t, &WriteTimeoutError{After: w.cfg.writeTimeout})
	}
	if b.flying == 0 {
		w.settle(b)
	}
}

// provenRefused reports whether a batch that is not sent again is not stored.
func (t *writeBatch) provenRefused() bool {
	if t.copies == 0 || !t.clean() {
		return false
	}
	code := wire.ErrorCode(t.code)
	return code == wire.CodeNotEnoughReplicas || classify(code) == classGone
}

// withdraw takes a batch that is proven not stored back, so that its ops are as good as never sent. It can't
// when others of the bucket are flying.
func (w *writer) withdraw(t *writeBatch) bool {
	b := t.bucket
	if b.flying > 0 || t.state != batchOpen || !t.provenRefused() {
		return false
	}
	t.state, b.halt = batchRefused, true
	w.settle(b)
	return true
}
