package route

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// TestWriteUnknownFence: a batch is unknown at its deadline. On a key table the next write is preceded by an
// empty batch with its sequence, on a log table not; a late original then does no harm.
func TestWriteUnknownFence(t *testing.T) {
	for _, c := range []struct {
		table *catalog.Table
		empty bool // the bucket has no row yet
		want  []int64
	}{
		{keyTable, false, []int64{1, 200}}, {keyTable, true, []int64{100, 200}}, {logTable, false, []int64{1, 200}},
	} {
		inBubble(t, nil, func(t *testing.T, r *writeRig) {
			if !c.empty {
				if err := r.w.write(bg, []*WriteOp{opOf(c.table, 0, 1)}); err != nil {
					t.Fatal(err)
				}
			}
			var loud atomic.Bool
			r.hook = func(sentCopy) copyReply { return copyReply{silent: !loud.Load()} }
			op := opOf(c.table, 0, 100)
			err := r.w.write(bg, []*WriteOp{op})
			if op.Outcome != Unknown {
				t.Fatalf("%v (%v)", op.Outcome, err)
			}
			if _, ok := errors.AsType[*WriteTimeoutError](err); !ok {
				t.Errorf("error %v", err)
			}
			if r.left() {
				t.Error("bytes are still charged")
			}
			before := len(r.copies())
			time.Sleep(time.Hour)
			if len(r.copies()) != before {
				t.Error("resent while nobody waits")
			}
			loud.Store(true)
			next := opOf(c.table, 0, 200)
			if err := r.w.write(bg, []*WriteOp{next}); err != nil {
				t.Fatal(err)
			}
			sent := r.copies()
			last := sent[len(sent)-1]
			if last.id == sent[before-1].id || last.seq != 0 {
				t.Errorf("written under writer %d, sequence %d", last.id, last.seq)
			}
			if c.table == keyTable {
				fence := sent[len(sent)-2]
				lost := sent[before-1]
				if fence.id != lost.id || fence.seq != lost.seq || (len(fence.rows) == 0) == c.empty {
					t.Errorf("fence %+v", fence)
				}
				r.replay(t, lost)
			}
			if rows := r.rows(op.Bucket); !slices.Equal(rows, c.want) {
				t.Errorf("log has %v", rows)
			}
		})
	}
}

// TestWriteNoFenceInEmptyLog: between two tries to send a fence the leader lost its whole log. An empty batch
// must not become the first of a log.
func TestWriteNoFenceInEmptyLog(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		if err := r.w.write(bg, []*WriteOp{opOf(keyTable, 0, 1)}); err != nil {
			t.Fatal(err)
		}
		fences := 0
		r.hook = func(s sentCopy) copyReply {
			if len(s.rows) == 0 {
				fences++
				r.mu.Lock()
				r.buckets[s.bucket] = nil
				r.mu.Unlock()
				return copyReply{cut: true}
			}
			return copyReply{silent: slices.Contains(s.rows, 100)}
		}
		op, next := opOf(keyTable, 0, 100), opOf(keyTable, 0, 200)
		if err := r.w.write(bg, []*WriteOp{op}); op.Outcome != Unknown {
			t.Fatal(err)
		}
		if err := r.w.write(bg, []*WriteOp{next}); err != nil || fences != 1 {
			t.Errorf("%d fences, %v", fences, err)
		}
		if rows := r.rows(op.Bucket); !slices.Equal(rows, []int64{200}) {
			t.Errorf("log has %v", rows)
		}
	})
}

// replay delivers a late copy.
func (f *modelCluster) replay(t *testing.T, s sentCopy) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bucket(s.bucket).take(s, s.bucket.TableID == keyTable.ID)
}

// TestWriteLeftByCaller: a caller gives up on a sent batch. It is resent, identical, before the next write, and
// not before somebody writes.
func TestWriteLeftByCaller(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		n := 0
		r.hook = func(sentCopy) copyReply {
			n++
			return copyReply{silent: n == 1}
		}
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		op := opOf(keyTable, 0, 100)
		err := r.w.write(ctx, []*WriteOp{op})
		if op.Outcome != Unknown || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%v (%v)", op.Outcome, err)
		}
		time.Sleep(time.Minute) // its attempt has timed out by now
		if len(r.copies()) != 1 {
			t.Error("resent while nobody waits")
		}
		if err := r.w.write(bg, []*WriteOp{opOf(keyTable, 0, 200)}); err != nil {
			t.Fatal(err)
		}
		sent := r.copies()
		if len(sent) != 3 || sent[1].n != 1 || sent[2].seq != 1 || sent[2].id != sent[0].id {
			t.Errorf("sent %+v", sent)
		}
		if rows := r.rows(op.Bucket); !slices.Equal(rows, []int64{100, 200}) {
			t.Errorf("log has %v", rows)
		}
	})
}

// TestWriteGivesUpUnsent: callers that leave before their rows are sent know that these are not stored.
func TestWriteGivesUpUnsent(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.hook = func(sentCopy) copyReply { return copyReply{delay: 20 * time.Second} }
		ops, done := r.fill(t, bg, logTable, 5, 100)
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		late := opOf(logTable, 0, 200)
		err := r.w.write(ctx, []*WriteOp{late})
		if late.Outcome != NotStored || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v (%v)", late.Outcome, err)
		}
		collect(done)
		checkStored(t, ops...)
		if len(r.copies()) != 5 {
			t.Errorf("%d copies", len(r.copies()))
		}
	})
	inBubble(t, nil, func(t *testing.T, r *writeRig) { // no server at all
		r.refuse = errors.New("connection refused")
		op := opOf(logTable, 0, 1)
		err := r.w.write(bg, []*WriteOp{op})
		if _, ok := errors.AsType[*WriteTimeoutError](err); !ok || op.Outcome != NotStored {
			t.Errorf("%v (%v)", op.Outcome, err)
		}
		t.Log(err)
	})
	inBubble(t, nil, func(t *testing.T, r *writeRig) { // refused with 29 until the caller's deadline
		r.hook = func(sentCopy) copyReply { return copyReply{code: 29} }
		ctx, cancel := context.WithTimeout(bg, 5*time.Second)
		defer cancel()
		op := opOf(logTable, 0, 1)
		if err := r.w.write(ctx, []*WriteOp{op}); op.Outcome != NotStored || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v (%v)", op.Outcome, err)
		}
	})
}
