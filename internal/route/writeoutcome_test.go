package route

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// TestWriteOutcomes has a case for each row of the table in writeoutcome.go: what the copies of one batch are
// answered, the last answer again and again, and what that proves.
func TestWriteOutcomes(t *testing.T) {
	refused := func(codes ...wire.ErrorCode) (list []copyReply) {
		for _, c := range codes {
			list = append(list, copyReply{code: c})
		}
		return list
	}
	ok, lost, stored := copyReply{}, copyReply{cut: true}, copyReply{cut: true, apply: true}
	type testCase struct {
		name    string
		replies []copyReply
		gone    bool // from the first answer on, metadata says that the table is gone
		want    Outcome
		copies  int // 0: any number
		code    wire.ErrorCode
	}
	cases := []testCase{
		{name: "success", replies: []copyReply{ok}, want: Stored, copies: 1},
		{name: "no base offset", replies: []copyReply{{nobase: true}}, want: NotStored, copies: 1},
		{name: "duplicate", replies: refused(32), want: Stored, copies: 1},
		{name: "-1 then success", replies: append(refused(-1), ok), want: Stored, copies: 2},
		{name: "-1 twice", replies: refused(-1, -1), want: NotStored, copies: 2, code: -1},
		{name: "-1 then 57", replies: refused(-1, 57), want: Unknown, copies: 2, code: 57},
		{name: "-1, 25, -1, -1", replies: refused(-1, 25, -1, -1), want: Unknown, copies: 4},
		{name: "lost then success", replies: []copyReply{lost, ok}, want: Stored, copies: 2},
		{name: "stored, lost, then success", replies: []copyReply{stored, ok}, want: Stored, copies: 2},
		{name: "stored, lost, then 57", replies: append([]copyReply{stored}, refused(57)...), want: Unknown, copies: 2, code: 57},
		{name: "lost, then 29 for ever", replies: append([]copyReply{lost}, refused(29)...), want: Unknown},
		{name: "29 for ever", replies: refused(29), want: NotStored, code: 29},
		{name: "25, then 29 for ever", replies: refused(25, 29), want: Unknown},
		{name: "silence then success", replies: []copyReply{{silent: true}, ok}, want: Stored, copies: 2},
		{name: "silence for ever", replies: []copyReply{{silent: true}}, want: Unknown},
		{name: "33 at once", replies: append(refused(33), ok), want: Stored, copies: 2},
		{name: "31 at once", replies: append(refused(31), ok), want: Stored, copies: 2},
		{name: "stored, lost, then 33", replies: append([]copyReply{stored}, refused(33)...), want: Unknown, copies: 2, code: 33},
		{name: "24, then success", replies: append(refused(24), ok), want: Stored, copies: 2},
		{name: "a code from the future", replies: refused(999), want: Unknown, copies: 1, code: 999},
		{name: "12, then 57", replies: refused(12, 57), want: NotStored, copies: 2, code: 57},
		{name: "stored, lost, then table gone", replies: append([]copyReply{stored}, refused(21)...), gone: true, want: Unknown},
	}
	for _, code := range []wire.ErrorCode{3, 13, 14, 18, 20, 34, 35, 48, 57} {
		cases = append(cases, testCase{name: fmt.Sprintf("%d", code), replies: refused(code), want: NotStored, copies: 1, code: code})
	}
	for _, code := range []wire.ErrorCode{7, 21, 36} {
		cases = append(cases,
			testCase{name: fmt.Sprintf("%d, gone", code), replies: refused(code), gone: true, want: NotStored, copies: 1},
			testCase{name: fmt.Sprintf("%d, not gone", code), replies: append(refused(code, code), ok), want: Stored, copies: 3},
			testCase{name: fmt.Sprintf("%d for ever", code), replies: refused(code), want: NotStored, code: code})
	}
	for _, code := range []wire.ErrorCode{9, 10, 11, 12, 25, 26, 28, 29, 44} {
		cases = append(cases, testCase{name: fmt.Sprintf("%d then success", code), replies: append(refused(code, code), ok), want: Stored, copies: 3})
		if code != 29 {
			cases = append(cases, testCase{name: fmt.Sprintf("%d for ever", code), replies: refused(code), want: Unknown, code: code})
		}
	}
	n := 0
	for _, table := range []*catalog.Table{logTable, keyTable} {
		for _, c := range cases {
			if c.name == "no base offset" && table == keyTable {
				continue
			}
			n++
			t.Run(fmt.Sprintf("%s/key=%v", c.name, table.IsKeyTable()), func(t *testing.T) {
				inBubble(t, nil, func(t *testing.T, r *writeRig) {
					seen := 0
					r.hook = func(sentCopy) copyReply {
						reply := c.replies[min(seen, len(c.replies)-1)]
						seen++
						if c.gone && reply.code != 0 {
							r.mu.Lock()
							r.gone = &wire.ServerError{Code: wire.CodeTableNotExist}
							r.mu.Unlock()
						}
						return reply
					}
					start := time.Now()
					op := opOf(table, 0, 41, 42)
					err := r.w.write(bg, []*WriteOp{op})
					if took := time.Since(start); took > 2*time.Minute+2*time.Second {
						t.Errorf("took %v", took)
					}
					r.checkOutcome(t, c.want, c.copies, c.code, op, err)
				})
			})
		}
	}
	t.Logf("%d cases", n)
}

func (r *writeRig) checkOutcome(t *testing.T, want Outcome, copies int, code wire.ErrorCode, op *WriteOp, err error) {
	t.Helper()
	if op.Outcome != want {
		t.Fatalf("want %v, got %v (%v)", want, op.Outcome, op.Err)
	}
	if (want == Stored) != (err == nil) || (want == Stored) != (op.Err == nil) {
		t.Errorf("outcome %v with error %v", want, err)
	}
	sent := r.copies()
	if copies > 0 && len(sent) != copies {
		t.Errorf("want %d copies, got %d", copies, len(sent))
	}
	for _, s := range sent {
		if s.id == sent[0].id && len(s.rows) > 0 && !slices.Equal(s.bytes, sent[0].bytes) {
			t.Errorf("copy %d of writer %d has other bytes", s.n, s.id)
		}
	}
	if want == Unknown {
		if _, ok := errors.AsType[*UnknownWriteError](err); !ok {
			t.Errorf("error %v is no UnknownWriteError", err)
		}
	}
	if code != 0 && want == NotStored && !hasCode(err, code) {
		t.Errorf("want code %d, got %v", code, err)
	}
	rows := r.rows(op.Bucket)
	if want == Stored && op.Outcome == Stored && op.Offset >= 0 && !slices.Equal(rows, []int64{41, 42}) {
		t.Errorf("log has %v", rows)
	}
	if want == NotStored && len(rows) > 0 {
		t.Errorf("not stored, and the log has %v", rows)
	}
}

// fill starts n writes of one row each, of bucket 0, in batches of their own, and waits until all are sent.
func (r *writeRig) fill(t *testing.T, ctx context.Context, table *catalog.Table, n int, first int64) ([]*WriteOp, []chan error) {
	t.Helper()
	var ops []*WriteOp
	var done []chan error
	for i := range n {
		op := opOf(table, 0, first+int64(i))
		ops, done = append(ops, op), append(done, r.start(ctx, op))
		time.Sleep(2 * gateTime) // past the gate: a frame of its own
	}
	synctest.Wait()
	return ops, done
}

func collect(done []chan error) {
	for _, d := range done {
		<-d
	}
}

func checkStored(t *testing.T, ops ...*WriteOp) {
	t.Helper()
	for i, op := range ops {
		if op.Outcome != Stored {
			t.Errorf("op %d: %v (%v)", i, op.Outcome, op.Err)
		}
	}
}

// TestWriteFirstRefused: five in flight, the first is refused for the moment and the others then are out of order.
func TestWriteFirstRefused(t *testing.T) {
	for _, table := range []*catalog.Table{logTable, keyTable} {
		inBubble(t, nil, func(t *testing.T, r *writeRig) {
			first := true
			r.hook = func(s sentCopy) copyReply {
				reply := copyReply{delay: time.Second}
				if s.seq == 0 && first {
					first = false
					reply.code = wire.CodeKVStorage
				}
				return reply
			}
			ops, done := r.fill(t, bg, table, 5, 100)
			collect(done)
			checkStored(t, ops...)
			if rows := r.rows(ops[0].Bucket); !slices.Equal(rows, []int64{100, 101, 102, 103, 104}) {
				t.Errorf("log has %v", rows)
			}
			if sent := r.copies(); len(sent) != 10 || sent[5].seq != 0 {
				t.Errorf("sent %d copies", len(sent))
			}
			if r.ids != 1 {
				t.Errorf("%d writer ids", r.ids)
			}
		})
	}
}

// TestWriteFirstRefusedForGood: the same, but for good: it is the only one that fails.
func TestWriteFirstRefusedForGood(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.hook = func(s sentCopy) copyReply {
			reply := copyReply{delay: time.Second}
			if slices.Contains(s.rows, 100) {
				reply.code = wire.CodeDeletionDisabled
			}
			return reply
		}
		ops, done := r.fill(t, bg, keyTable, 5, 100)
		collect(done)
		checkStored(t, ops[1:]...)
		if ops[0].Outcome != NotStored || !hasCode(ops[0].Err, 57) {
			t.Errorf("%v, %v", ops[0].Outcome, ops[0].Err)
		}
		if rows := r.rows(ops[0].Bucket); !slices.Equal(rows, []int64{101, 102, 103, 104}) {
			t.Errorf("log has %v", rows)
		}
		if r.ids != 2 {
			t.Errorf("%d writer ids", r.ids)
		}
	})
}

// TestWriteConnectionLost: five open, none answered, some stored.
func TestWriteConnectionLost(t *testing.T) {
	for stored := range 6 {
		inBubble(t, nil, func(t *testing.T, r *writeRig) {
			n := 0
			r.hook = func(s sentCopy) copyReply {
				if n++; n > 5 {
					return copyReply{}
				}
				return copyReply{silent: true, apply: n <= stored}
			}
			ops, done := r.fill(t, bg, logTable, 5, 100)
			r.cutAll()
			collect(done)
			checkStored(t, ops...)
			if rows := r.rows(ops[0].Bucket); !slices.Equal(rows, []int64{100, 101, 102, 103, 104}) {
				t.Errorf("%d stored: log has %v", stored, rows)
			}
			for i, op := range ops {
				if op.Offset != int64(i) {
					t.Errorf("op %d at offset %d", i, op.Offset)
				}
			}
		})
	}
}

func (f *modelCluster) cutAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.all {
		c.breakLocked()
	}
}

// TestWriteLeaderMoved: five stored and not answered; the new leader remembers only the newest. The batches are
// tried newest first, which proves all of them stored.
func TestWriteLeaderMoved(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		n := 0
		r.hook = func(s sentCopy) copyReply {
			n++
			return copyReply{silent: n <= 5, apply: true}
		}
		ops, done := r.fill(t, bg, logTable, 5, 100)
		r.move(ops[0].Bucket, 2)
		r.cutAll()
		collect(done)
		checkStored(t, ops...)
		sent := r.copies()[5:]
		if len(sent) != 2 || sent[0].seq != 0 || sent[1].seq != 4 || sent[0].server != 2 {
			t.Errorf("resent %v", sent)
		}
		next := opOf(logTable, 0, 200)
		if err := r.w.write(bg, []*WriteOp{next}); err != nil || r.copies()[7].seq != 5 {
			t.Errorf("next: %v", err)
		}
	})
}

// TestWriteLogCutBack: the new leader has lost the newest two. They are appended again.
func TestWriteLogCutBack(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		n := 0
		r.hook = func(s sentCopy) copyReply {
			n++
			return copyReply{silent: n <= 5, apply: n <= 3 || n > 5}
		}
		ops, done := r.fill(t, bg, logTable, 5, 100)
		r.move(ops[0].Bucket, 2)
		r.cutAll()
		collect(done)
		checkStored(t, ops...)
		if rows := r.rows(ops[0].Bucket); !slices.Equal(rows, []int64{100, 101, 102, 103, 104}) {
			t.Errorf("log has %v", rows)
		}
	})
}

// TestWriteNoneRemembered: the new leader knows none of the batches that may be stored.
func TestWriteNoneRemembered(t *testing.T) {
	for _, table := range []*catalog.Table{logTable, keyTable} {
		inBubble(t, nil, func(t *testing.T, r *writeRig) {
			n := 0
			r.hook = func(s sentCopy) copyReply {
				if n++; n <= 3 {
					return copyReply{silent: true, apply: true}
				}
				if s.id == 1 {
					return copyReply{code: wire.CodeOutOfOrderSequence}
				}
				return copyReply{}
			}
			ops, done := r.fill(t, bg, table, 3, 100)
			r.move(ops[0].Bucket, 2)
			r.cutAll()
			collect(done)
			for i, op := range ops {
				if op.Outcome != Unknown || !hasCode(op.Err, 31) {
					t.Errorf("op %d: %v (%v)", i, op.Outcome, op.Err)
				}
			}
			next := opOf(table, 0, 200)
			if err := r.w.write(bg, []*WriteOp{next}); err != nil || next.Outcome != Stored {
				t.Errorf("next: %v", err)
			}
		})
	}
}

// TestWriteLaterAcknowledged is the fault of apache/fluss 2826: the answer to sequence 0 is lost, 1 to 4 are
// acknowledged, and the retry of 0 is out of order.
func TestWriteLaterAcknowledged(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		n := 0
		r.hook = func(s sentCopy) copyReply {
			switch n++; {
			case n == 1:
				return copyReply{silent: true, apply: true}
			case s.seq == 0 && s.n > 0:
				return copyReply{code: wire.CodeOutOfOrderSequence}
			}
			return copyReply{}
		}
		ops, done := r.fill(t, bg, logTable, 5, 100)
		collect(done)
		checkStored(t, ops...)
		if ops[0].Offset != -1 || len(r.copies()) != 6 {
			t.Errorf("offset %d, %d copies", ops[0].Offset, len(r.copies()))
		}
	})
}

// TestWriteAckBeforeMoveProvesNothing: as before, but the acknowledgements are from before a leader change.
func TestWriteAckBeforeMoveProvesNothing(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		n := 0
		r.hook = func(s sentCopy) copyReply {
			switch n++; {
			case n == 1:
				return copyReply{silent: true, apply: true}
			case s.seq == 0:
				return copyReply{code: wire.CodeOutOfOrderSequence}
			}
			return copyReply{}
		}
		ops, done := r.fill(t, bg, logTable, 5, 100)
		r.move(ops[0].Bucket, 2)
		r.cutAll()
		collect(done)
		if ops[0].Outcome != Unknown {
			t.Errorf("%v (%v)", ops[0].Outcome, ops[0].Err)
		}
	})
}
