package route

import (
	"slices"
	"time"
)

const (
	// gateTime is how long a frame keeps small batches of its lane back, unless its answer comes first. What
	// arrives meanwhile shares the next frame: a server's cost is per batch, not per row, so that 64 callers with
	// one row each are served best by frame after frame. The bound is for answers that take long for another
	// reason than work, replication for one.
	gateTime = 5 * time.Millisecond
	// gateBytes is how much has to be queued to leave past the gate, bigBytes to leave beside bigFrames frames.
	gateBytes = 256 << 10
	bigBytes  = 4 << 20
	// bigFrames is how many frames have to be under way for more than gateBytes to be kept back too, until one is
	// answered, there are bigBytes, or the time that the last answer took is over: then the source is
	// faster than the server, which is done sooner with few large batches.
	bigFrames = 2
	// bigWait bounds that time.
	bigWait = 250 * time.Millisecond
	// writeGatherTime bounds a gathering, beside a quarter of the time that the frame took.
	writeGatherTime = 750 * time.Microsecond
	// minLanes is from how many lanes on those of broken connections are looked for.
	minLanes = 16
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
	server  int32
	budget  *serverBudget
	ready   []*writeBucket // with a batch to be sealed
	resends []*writeBucket // with a batch to be sent again

	kicked  bool // in writer.kicked
	sending bool // somebody is its sender
	starved bool // in writer.budget.waiting

	flying int           // frames with new batches, unanswered
	sent   time.Time     // when the last of them left
	took   time.Duration // by the last that was answered
	big    time.Time     // since when a batch waits to be alone; zero: none does
	timer  *time.Timer
	timed  bool // timer runs

	gather gathering
}

// laneOf returns the lane of a table on a connection.
func (w *writer) laneOf(conn writeConn, server int32, table int64) *writeLane {
	key := laneKey{conn, table}
	ln := w.lanes[key]
	if ln == nil {
		w.sweepLanes()
		ln = &writeLane{key: key, conn: conn, server: server, budget: w.budget.server(server)}
		w.lanes[key] = ln
	}
	return ln
}

// sweepLanes forgets the lanes of broken connections when there are twice as many lanes as after the last time.
func (w *writer) sweepLanes() {
	if len(w.lanes) < w.sweepAt {
		return
	}
	for k := range w.lanes {
		if k.conn.Err() != nil {
			delete(w.lanes, k)
		}
	}
	w.sweepAt = max(minLanes, 2*len(w.lanes))
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
			w.frames++
			f := &writeFrame{w: w, ln: ln, number: w.frames, resend: true}
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

// held reports whether what is ready waits for a frame under way; then a timer looks again.
func (w *writer) held(ln *writeLane) bool {
	if ln.gather.holds() {
		return ln.queued() < gateBytes
	}
	wait := ln.patience() - time.Since(ln.sent)
	if wait <= 0 {
		return false
	}
	w.lookAgain(ln, wait)
	return true
}

// queued is how much waits for the next frame.
func (ln *writeLane) queued() (n int) {
	for _, b := range ln.ready {
		n += b.queued
	}
	return n
}

// patience is how long after the last frame the next one leaves, unless an answer comes first.
func (ln *writeLane) patience() time.Duration {
	if ln.flying == 0 {
		return 0
	}
	switch n := ln.queued(); {
	case n < gateBytes:
		return gateTime
	case n < bigBytes && ln.flying >= bigFrames:
		return min(ln.took, bigWait)
	}
	return 0
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
