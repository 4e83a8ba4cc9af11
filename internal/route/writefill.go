package route

import (
	"slices"
	"time"
)

// fill seals a batch of each ready bucket, as far as they fit in one frame and in the budget. No bucket is in
// a frame twice.
func (w *writer) fill(ln *writeLane) *writeFrame {
	w.frames++
	f := &writeFrame{w: w, ln: ln, number: w.frames}
	var keep, more []*writeBucket
	for i, b := range ln.ready {
		if b.lane != ln || !b.sealable() || b.frame == f {
			if b.listed == ln && b.frame != f {
				b.listed = nil
			}
			continue
		}
		n, size := b.nextBatch()
		if !f.takes(b.queue[0], size) {
			keep = append(keep, b)
			continue
		}
		if !w.budget.room(ln.budget, b, size) {
			keep = append(keep, b)
			w.starve(ln)
			if w.waitsAlone(ln, size) {
				keep = append(keep, ln.ready[i+1:]...)
				break
			}
			continue
		}
		f.add(w.seal(b, n, size))
		b.frame = f
		if b.sealable() {
			more = append(more, b)
		} else {
			b.listed = nil
		}
	}
	ln.ready = append(keep, more...)
	if len(f.batches) == 0 {
		return nil // without a batch nobody points to f
	}
	ln.flying++
	ln.sent = time.Now()
	f.sent = ln.sent
	return f
}

// waitsAlone reports whether a batch without room is one that has to be alone on its server and may hold up
// the others behind it, so that the server's bytes run out. They are not held up for long: what is under way
// may belong to a bucket that is stuck.
func (w *writer) waitsAlone(ln *writeLane, size int) bool {
	if !w.budget.oversize(size) {
		return false
	}
	if ln.big.IsZero() {
		ln.big = time.Now()
	}
	left := bigTime - time.Since(ln.big)
	if left > 0 {
		w.lookAgain(ln, left)
	}
	return left > 0
}

// nextBatch returns how many ops of the queue's front the next batch takes, and their bytes.
func (b *writeBucket) nextBatch() (n, size int) {
	first := b.queue[0]
	n, size = 1, first.at.size
	if first.at.alone || first.at.ready != nil {
		return n, size
	}
	for _, op := range b.queue[1:] {
		if !joins(first, op) || size+op.at.size > batchBytes {
			break
		}
		n++
		size += op.at.size
	}
	return n, size
}

// seal makes the first n ops of the queue the bucket's next batch.
func (w *writer) seal(b *writeBucket, n, size int) *writeBatch {
	first := b.queue[0]
	t := &writeBatch{
		bucket: b, table: first.Table, target: slices.Clone(first.Target), overwrite: first.Overwrite,
		alone: first.at.alone, parts: make([]writePart, n), size: size, id: b.id, seq: b.next, pinned: true,
	}
	for i, op := range b.queue[:n] {
		op.at.batch = t
		t.parts[i] = writePart{op: op, count: op.Count}
	}
	clear(b.queue[:n])
	if b.queue = b.queue[n:]; len(b.queue) == 0 {
		b.queue = nil
	}
	b.queued -= size
	b.next = nextSequence(b.next)
	b.open = append(b.open, t)
	w.busy++
	w.charge(t, b.lane.budget)
	if w.budget.oversize(size) {
		b.lane.big = time.Time{}
	}
	return t
}

// nextSequence counts up and wraps to 0 behind the largest int32, as the server does.
func nextSequence(seq int32) int32 {
	return (seq + 1) & 0x7fffffff
}
