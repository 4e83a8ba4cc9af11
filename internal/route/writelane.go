package route

import (
	"runtime"
	"slices"
	"time"
)

const (
	// gateTime is how long a frame keeps small batches of its lane back, unless its answer comes first. What
	// arrives meanwhile shares the next frame: a server's cost is per batch, not per row, so that 64 callers with
	// one row each are served best by frame after frame. The bound is for answers that take long for another
	// reason than work, replication for one.
	gateTime = 5 * time.Millisecond
	// gateBytes is how much has to be queued to leave past the gate.
	gateBytes = 256 << 10
	// bigTime is how long a batch that has to be alone on its server holds up smaller ones behind it.
	bigTime = time.Second
)

type laneKey struct {
	conn  writeConn
	table int64
}

// writeLane sends the batches of a table's buckets over one connection: what is ready at the same moment shares
// a frame. Resends go alone, so that a bucket in trouble does not delay the answers of the others.
//
// There is no goroutine behind it. Whoever makes a bucket ready (a Write, an answer, a timer) kicks the lane and
// calls run; the first becomes its sender and goes on while there is something to send. As only the sender
// seals, encodes and starts frames, they reach the connection in the order of their sequences.
type writeLane struct {
	key     laneKey
	conn    writeConn
	budget  *serverBudget
	ready   []*writeBucket // with a batch to be sealed
	resends []*writeBucket // with a batch to be sent again

	kicked  bool // in writer.kicked
	sending bool // somebody is its sender
	starved bool // in writer.budget.waiting
	crowd   bool // the last frame had rows of several calls

	flying int       // frames with new batches, unanswered
	sent   time.Time // when the last of them left
	big    time.Time // since when a batch waits to be alone; zero: none does
	timer  *time.Timer
	timed  bool // timer runs
}

// laneOf returns the lane of a table on a connection. Those of broken connections are forgotten on the way.
func (w *writer) laneOf(conn writeConn, server int32, table int64) *writeLane {
	key := laneKey{conn, table}
	ln := w.lanes[key]
	if ln == nil {
		for k := range w.lanes {
			if k.conn.Err() != nil {
				delete(w.lanes, k)
			}
		}
		ln = &writeLane{key: key, conn: conn, budget: w.budget.server(server)}
		w.lanes[key] = ln
	}
	return ln
}

// kick notes that a lane may have something to send.
func (w *writer) kick(ln *writeLane) {
	if !ln.kicked {
		ln.kicked = true
		w.kicked = append(w.kicked, ln)
	}
}

// run sends what the kicked lanes have. The lock is held on entry and on return, not in between: whoever calls
// it has finished with what it looked at.
func (w *writer) run() {
	for len(w.kicked) > 0 {
		ln := w.kicked[len(w.kicked)-1]
		w.kicked = w.kicked[:len(w.kicked)-1]
		ln.kicked = false
		if ln.sending {
			continue // its sender looks again before it stops
		}
		ln.sending = true
		for f := w.collect(ln); f != nil; f = w.collect(ln) {
			w.mu.Unlock()
			f.send()
			w.mu.Lock()
		}
		ln.sending = false
	}
}

// collect puts the next frame of a lane together, nil when nothing is to be sent now.
func (w *writer) collect(ln *writeLane) *writeFrame {
	if w.closed || len(ln.ready) == 0 && len(ln.resends) == 0 {
		return nil
	}
	if err := ln.conn.Err(); err != nil {
		w.strand(ln, err)
		return nil
	}
	for len(ln.resends) > 0 {
		b := ln.resends[0]
		ln.resends = ln.resends[1:]
		if b.lane != ln {
			continue
		}
		if t := b.resend(); t != nil {
			f := &writeFrame{w: w, ln: ln, resend: true}
			f.add(t)
			w.stir(b) // there may be more
			return f
		}
	}
	if len(ln.ready) == 0 || w.held(ln) {
		return nil
	}
	return w.fill(ln)
}

// strand sends the buckets in line at a lane whose connection broke to look for another.
func (w *writer) strand(ln *writeLane, err error) {
	stranded := append(slices.Clone(ln.ready), ln.resends...)
	ln.ready, ln.resends = nil, nil
	for _, b := range stranded {
		if b.listed == ln {
			b.listed = nil
		}
		if b.lane != ln || b.halt {
			continue
		}
		w.stumble(b, err, 0)
		if b.flying == 0 {
			w.settle(b)
		}
	}
}

// held reports whether small batches wait for the frame under way; then a timer looks again.
func (w *writer) held(ln *writeLane) bool {
	if ln.flying == 0 {
		return false
	}
	wait := gateTime - time.Since(ln.sent)
	if wait <= 0 {
		return false
	}
	n := 0
	for _, b := range ln.ready {
		if n += b.queued; n >= gateBytes {
			return false
		}
	}
	w.lookAgain(ln, wait)
	return true
}

// lookAgain kicks the lane after a while.
func (w *writer) lookAgain(ln *writeLane, wait time.Duration) {
	if ln.timed {
		return
	}
	ln.timed = true
	if ln.timer != nil {
		ln.timer.Reset(wait)
		return
	}
	ln.timer = time.AfterFunc(wait, func() { // stopped by close; its goroutine ends with the sending
		w.mu.Lock()
		defer w.mu.Unlock()
		ln.timed = false
		w.kick(ln)
		w.run()
	})
}

func (ln *writeLane) stop() {
	if ln.timer != nil {
		ln.timer.Stop()
	}
}

// fill seals a batch of each ready bucket, as far as they fit in one frame and in the budget. No bucket is in
// a frame twice.
func (w *writer) fill(ln *writeLane) *writeFrame {
	f := &writeFrame{w: w, ln: ln}
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

// letOthersJoin lets callers that the last answer woke queue their rows before the first of them sends.
func letOthersJoin() { runtime.Gosched() }
