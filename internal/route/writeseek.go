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
	// silent takes a connection that did not answer a write in time out of use: the next writeConn gives another.
	// Called on any goroutine, without writer.mu.
	silent(server int32, conn writeConn, err error)
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
	if _, ok := errors.AsType[*wire.UnsupportedError](err); ok {
		return true
	}
	refusal, ok := asServerError(err)
	return ok && refusal.Code.Retry() == wire.RetryNo && refusal.Code != wire.CodeUnknownServerError || errors.Is(err, ErrClosed)
}
