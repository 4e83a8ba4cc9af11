package route

import (
	"context"
	"errors"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// writeCluster is what the writer asks of the rest of the Client.
type writeCluster interface {
	// leaderOf waits until the bucket has a leader. An error before ctx ends is final.
	leaderOf(ctx context.Context, t *catalog.Table, b catalog.Bucket) (leader, error)
	// doubt makes the next leaderOf ask again. code is what the leader answered, 0 when it did not.
	doubt(t *catalog.Table, b catalog.Bucket, seen leader, code wire.ErrorCode)
	// writeConn returns the connection for all writes to a server.
	writeConn(ctx context.Context, server int32) (writeConn, error)
	// newWriterID asks a tablet server for a writer id.
	newWriterID(ctx context.Context, server int32, t *catalog.Table) (int64, error)
	// endOffset asks for the end of a bucket's log.
	endOffset(ctx context.Context, t *catalog.Table, b catalog.Bucket) (int64, error)
	// spawn runs f in a goroutine; f's context ends with the Client. False: the Client is closed.
	spawn(f func(ctx context.Context)) bool
}

// maxOdd is how many unexplained refusals (-1) of INIT_WRITER and the like a seek takes for passing ones.
const maxOdd = 3

// startSeek starts the bucket's goroutine, which ends when it has found what it looks for, when that cannot be
// found, when nobody waits for the bucket any more, and with the Client.
func (w *writer) startSeek(b *writeBucket) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &writeSeek{cancel: cancel, what: "a leader of "}
	if b.slow {
		s.delay, b.slow = b.pace.next(), false
	}
	b.seek = s
	started := w.cluster.spawn(func(client context.Context) { // ended by cancel, waited for by Client.Close
		stop := context.AfterFunc(client, cancel)
		defer stop()
		defer cancel()
		w.runSeek(ctx, b, s)
	})
	if !started {
		cancel()
		b.seek = nil
		w.failQueue(b, ErrClosed)
	}
}

func (w *writer) runSeek(ctx context.Context, b *writeBucket, s *writeSeek) {
	delay, odd := s.delay, 0
	for pause(ctx, delay) == nil {
		found, err := w.look(ctx, b, s)
		w.mu.Lock()
		if w.closed {
			w.mu.Unlock()
			return
		}
		if err == nil {
			delay = 0
			if w.resume(b, found) {
				w.endSeek(b)
				return
			}
			w.mu.Unlock()
			continue
		}
		if hasCode(err, wire.CodeUnknownServerError) {
			odd++
		}
		if ctx.Err() == nil && (isFinal(err) || odd >= maxOdd) {
			w.failBucket(b, err)
			w.endSeek(b)
			return
		}
		b.trouble = err
		delay = b.pace.next()
		w.mu.Unlock()
	}
	w.mu.Lock()
	w.endSeek(b)
}

// endSeek lets the bucket go on. The lock is held, and not on return.
func (w *writer) endSeek(b *writeBucket) {
	b.seek = nil
	w.stir(b)
	w.run()
	w.mu.Unlock()
}

// writeFind is what a seek found.
type writeFind struct {
	term writeTerm
	id   int64 // -1: not asked for
	end  int64 // end of the bucket's log; -1: not asked for
}

// finalError is one that a seek cannot get past.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// look makes one try to find what the bucket needs. Called without the lock.
func (w *writer) look(ctx context.Context, b *writeBucket, s *writeSeek) (writeFind, error) {
	found := writeFind{id: -1, end: -1}
	w.mu.Lock()
	t, doubt := b.table, b.doubt
	b.doubt = leaderDoubt{}
	s.what = "a leader of "
	w.mu.Unlock()
	if doubt.set {
		w.cluster.doubt(t, b.key, doubt.seen, wire.ErrorCode(doubt.code))
	}
	lead, err := w.cluster.leaderOf(ctx, t, b.key)
	if err != nil {
		return found, finalError{err}
	}
	w.waitingFor(s, "a connection to the leader of ")
	conn, err := w.cluster.writeConn(ctx, lead.server)
	if err != nil {
		w.mistrust(b, lead)
		if refusesForGood(err) {
			err = finalError{err}
		}
		return found, err
	}
	found.term = writeTerm{leader: lead, conn: conn}

	needID, needEnd := w.needs(b)
	if needID {
		w.waitingFor(s, "a writer id for ")
		if found.id, err = w.cluster.newWriterID(ctx, lead.server, t); err != nil {
			w.mistrust(b, lead)
			return found, err
		}
	}
	if needEnd {
		w.waitingFor(s, "the end offset of ")
		if found.end, err = w.cluster.endOffset(ctx, t, b.key); err != nil {
			w.mistrust(b, lead)
			return found, err
		}
	}
	return found, nil
}

func (w *writer) waitingFor(s *writeSeek, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s.what = what
}

func (w *writer) mistrust(b *writeBucket, seen leader) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !b.doubt.set {
		b.doubt = leaderDoubt{set: true, seen: seen}
	}
}

// needs reports whether the bucket can go on only with a new writer id, or with its end offset.
func (w *writer) needs(b *writeBucket) (id, end bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return b.needsID(), b.fenced()
}

// fenced reports whether an open batch was given up.
func (b *writeBucket) fenced() bool {
	for _, t := range b.open {
		if t.state == batchGivenUp {
			return true
		}
	}
	return false
}

// isFinal reports whether a seek cannot get past err.
func isFinal(err error) bool {
	if _, ok := errors.AsType[finalError](err); ok {
		return true
	}
	refusal, ok := asServerError(err)
	return ok && refusal.Code.Retry() == wire.RetryNo && refusal.Code != wire.CodeUnknownServerError || errors.Is(err, ErrClosed)
}

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
		case t.bytes == nil:
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
