package route

import (
	"slices"
)

// settle is called when a halted bucket has no copy on its way: what the answers proved becomes fact, then the
// bucket goes on if anybody waits.
func (w *writer) settle(b *writeBucket) {
	w.unsealUnsent(b)
	if i := slices.IndexFunc(b.open, func(t *writeBatch) bool { return t.state == batchRefused }); i >= 0 {
		b.renew = true
		w.unsealBehind(b, i)
		hole := b.open[i]
		b.open = b.open[:i]
		w.unseal(hole, hole.split)
	}
	if b.renew { // nothing new may join the old id, and what was refused needs it no more
		for n := len(b.open); n > 0 && b.open[n-1].provenAbsent(); n-- {
			w.popUnseal(b)
		}
	}
	w.retireID(b)
	w.stir(b)
}

// retireID forgets the id when nothing of it is open any more.
func (w *writer) retireID(b *writeBucket) {
	if len(b.open) == 0 && b.renew {
		b.id, b.next, b.renew, b.phase = -1, 0, false, flowPhase
	}
}

// unsealUnsent takes back batches at the end of open of which no byte left: their sequences are free again.
func (w *writer) unsealUnsent(b *writeBucket) {
	for n := len(b.open); n > 0; n-- {
		t := b.open[n-1]
		if t.copies > 0 || t.state != batchOpen {
			return
		}
		b.next = t.seq
		w.popUnseal(b)
	}
}

// unsealBehind puts everything behind the hole at index i back to the queue. The server cannot have stored it.
func (w *writer) unsealBehind(b *writeBucket, i int) {
	for len(b.open) > i+1 {
		w.popUnseal(b)
	}
}

func (w *writer) popUnseal(b *writeBucket) {
	n := len(b.open)
	t := b.open[n-1]
	b.open = b.open[:n-1]
	w.unseal(t, t.split)
}

// unseal puts the ops of a batch that is not stored back to the front of the queue. Ops whose callers left are
// dropped with it: they were told unknown, and not stored is one of the two.
func (w *writer) unseal(t *writeBatch, alone bool) {
	b := t.bucket
	var back []*WriteOp
	for i := range t.parts {
		op := t.parts[i].op
		if op == nil {
			continue
		}
		op.at.batch = nil
		op.at.alone = op.at.alone || alone
		b.queued += op.at.size
		back = append(back, op)
	}
	if len(back) > 0 {
		b.queue = append(back, b.queue...)
	}
	t.parts = nil
	w.drop(t)
}

// drop ends a batch whose ops have all been seen to.
func (w *writer) drop(t *writeBatch) {
	if t.state == batchGone {
		return
	}
	if t.state == batchOpen || t.state == batchRefused {
		w.lessBusy()
	}
	t.state = batchGone
	t.bytes = nil
	w.expiry.remove(t)
	w.release(t)
}
