package route

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// TestWriteSharedBatchSplit: one of four rows in a batch is refused; only its caller fails.
func TestWriteSharedBatchSplit(t *testing.T) {
	for _, table := range []*catalog.Table{logTable, keyTable} {
		for _, code := range []wire.ErrorCode{57, -1} {
			inBubble(t, nil, func(t *testing.T, r *writeRig) {
				r.hook = func(s sentCopy) copyReply {
					if slices.Contains(s.rows, 13) {
						return copyReply{code: code, delay: time.Millisecond}
					}
					return copyReply{delay: time.Millisecond}
				}
				first := r.start(bg, opOf(table, 0, 1))
				synctest.Wait()
				var ops []*WriteOp
				var done []chan error
				for i := range int64(4) {
					ops = append(ops, opOf(table, 0, 11+i))
					done = append(done, r.start(bg, ops[i]))
					synctest.Wait()
				}
				<-first
				collect(done)
				checkStored(t, ops[0], ops[1], ops[3])
				if ops[2].Outcome != NotStored || !hasCode(ops[2].Err, code) {
					t.Errorf("%v (%v)", ops[2].Outcome, ops[2].Err)
				}
				if rows := r.rows(ops[0].Bucket); !slices.Equal(rows, []int64{1, 11, 12, 14}) {
					t.Errorf("log has %v", rows)
				}
			})
		}
	}
}

// TestWriteAllShareRefusal: a refusal that is no row's fault is not tried again row by row.
func TestWriteAllShareRefusal(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.hook = func(s sentCopy) copyReply {
			if len(s.rows) > 1 {
				return copyReply{code: wire.CodeAuthorization}
			}
			return copyReply{delay: time.Millisecond}
		}
		first := r.start(bg, opOf(keyTable, 0, 1))
		synctest.Wait()
		a, b := opOf(keyTable, 0, 2), opOf(keyTable, 0, 3)
		done := []chan error{r.start(bg, a), r.start(bg, b), first}
		collect(done)
		if a.Outcome != NotStored || b.Outcome != NotStored || len(r.copies()) != 2 {
			t.Errorf("%v, %v, %d copies", a.Err, b.Err, len(r.copies()))
		}
	})
}

// TestWriteBadRowFailsAlone: a value that the log format cannot hold is found when the shared batch is encoded.
func TestWriteBadRowFailsAlone(t *testing.T) {
	table := testTable(9, false)
	arrow := *table
	arrow.LogFormat = catalog.LogArrow
	schema := *table.Schema
	schema.Columns = slices.Clone(schema.Columns)
	schema.Columns[1].Type = catalog.Type{Kind: catalog.Timestamp, Precision: 9}
	arrow.Schema = &schema
	op := func(n int64, at int64) *WriteOp {
		o := opOf(&arrow, 0)
		o.Rows, o.Count = []row.Datum{{I: n}, {I: at}}, 1
		return o
	}
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.raw = true
		r.hook = func(sentCopy) copyReply { return copyReply{delay: time.Millisecond} }
		first := r.start(bg, op(1, 0))
		synctest.Wait()
		good, bad, alone := op(2, 0), op(3, math.MaxInt64/10), op(4, 0)
		done := []chan error{r.start(bg, good), r.start(bg, bad), r.start(bg, alone), first}
		collect(done)
		checkStored(t, good, alone)
		if bad.Outcome != NotStored || bad.Err == nil {
			t.Errorf("%v (%v)", bad.Outcome, bad.Err)
		}
		only := op(5, math.MaxInt64/10)
		if err := r.w.write(bg, []*WriteOp{only}); err == nil || only.Outcome != NotStored {
			t.Errorf("%v (%v)", only.Outcome, err)
		}
		after := op(6, 0)
		if err := r.w.write(bg, []*WriteOp{after}); err != nil {
			t.Error(err)
		}
	})
}

// TestWriteCoalesce: 64 callers with one row each share frames and batches.
func TestWriteCoalesce(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.hook = func(sentCopy) copyReply { return copyReply{delay: time.Millisecond / 2} }
		const callers, rounds = 64, 20
		var work sync.WaitGroup
		for c := range callers {
			work.Go(func() {
				for n := range rounds {
					op := opOf(keyTable, int32(c+n)%8, int64(c*rounds+n))
					if err := r.w.write(bg, []*WriteOp{op}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		work.Wait()
		batches := len(r.copies())
		t.Logf("%d rows in %d batches, %d frames", callers*rounds, batches, r.frames)
		if r.frames > 3*rounds || batches > 10*3*rounds {
			t.Errorf("too many: %d frames, %d batches", r.frames, batches)
		}
	})
}

// TestWriteTargetsShareNothing: order is kept per bucket, and a batch has one target and one mode.
func TestWriteTargetsShareNothing(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.hook = func(sentCopy) copyReply { return copyReply{delay: time.Millisecond} }
		first := r.start(bg, opOf(keyTable, 0, 0))
		synctest.Wait()
		var ops []*WriteOp
		for i := range int64(9) {
			op := opOf(keyTable, 0, i+1)
			if i/3 == 1 {
				op.Target = []int32{0, 1}
			}
			op.Overwrite = i >= 8
			ops = append(ops, op)
		}
		if err := r.w.write(bg, ops); err != nil {
			t.Fatal(err)
		}
		<-first
		var sizes []int
		for _, s := range r.copies() {
			sizes = append(sizes, len(s.rows))
		}
		if !slices.Equal(sizes, []int{1, 3, 3, 2, 1}) {
			t.Errorf("batches of %v", sizes)
		}
		if sent := r.copies(); !slices.Equal(sent[2].target, []int32{0, 1}) || sent[3].target != nil || sent[3].mode != 0 || sent[4].mode != 1 {
			t.Errorf("targets and modes are %+v", sent)
		}
		if rows := r.rows(ops[0].Bucket); !slices.IsSorted(rows) || len(rows) != 10 {
			t.Errorf("log has %v", rows)
		}
	})
}

// TestWriteBucketsAreIsolated: a bucket whose batches are not answered, or which has no leader, delays no other
// bucket of the same server.
func TestWriteBucketsAreIsolated(t *testing.T) {
	for _, code := range []wire.ErrorCode{wire.CodeNotLeaderOrFollower, wire.CodeRequestTimeout, 0} {
		inBubble(t, nil, func(t *testing.T, r *writeRig) {
			r.hook = func(s sentCopy) copyReply {
				if s.bucket.ID == 0 {
					return copyReply{code: code, silent: code == 0}
				}
				return copyReply{}
			}
			if code == wire.CodeNotLeaderOrFollower {
				r.leaders[keyOf(keyTable, 0)] = noLeader
			}
			ctx, cancel := context.WithTimeout(bg, time.Minute)
			defer cancel()
			var bad []chan error
			for i := range int64(20) {
				bad = append(bad, r.start(ctx, opOf(keyTable, 0, i)))
				time.Sleep(2 * gateTime)
			}
			start := time.Now()
			for i := range int64(50) {
				if err := r.w.write(bg, []*WriteOp{opOf(keyTable, 1+int32(i%3), i)}); err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("code %d: the others took %v", code, took)
			}
			collect(bad)
		})
	}
}

// TestWriteBackPressure: what is sent and unanswered is bounded, for one server by a quarter, and is released at
// the write timeout.
func TestWriteBackPressure(t *testing.T) {
	const limit = 1 << 20
	inBubble(t, func(c *writerConfig) { c.maxInflight = limit }, func(t *testing.T, r *writeRig) {
		for b := range int32(8) {
			r.leaders[keyOf(logTable, b)] = leader{server: b / 4, epoch: 1}
		}
		var loud bool
		r.hook = func(sentCopy) copyReply { return copyReply{silent: !loud} }
		var done []chan error
		var ops []*WriteOp
		for i := range 400 {
			op := opOf(logTable, int32(i%8))
			big := make([]byte, 4000)
			op.Rows, op.Count = []row.Datum{{I: int64(i)}, {B: big}}, 1
			ops = append(ops, op)
			done = append(done, r.start(bg, op))
			synctest.Wait()
			r.w.mu.Lock()
			if used := r.w.budget.used; used > limit/2 {
				t.Fatalf("%d bytes under way", used)
			}
			for id, s := range r.w.budget.servers {
				if s.used > limit/4 {
					t.Fatalf("%d bytes under way to server %d", s.used, id)
				}
			}
			r.w.mu.Unlock()
			time.Sleep(gateTime)
		}
		collect(done)
		time.Sleep(3 * time.Minute)
		unknown := 0
		for _, op := range ops {
			if op.Outcome == Unknown {
				unknown++
			} else if op.Outcome != NotStored {
				t.Errorf("%v", op.Outcome)
			}
		}
		if unknown == 0 || unknown > 400/2 || r.left() {
			t.Errorf("%d unknown, or something left", unknown)
		}
		r.hookMu.Lock()
		loud = true
		r.hookMu.Unlock()
		huge := opOf(logTable, 0) // over everything: alone
		huge.Rows, huge.Count = []row.Datum{{I: 1}, {B: make([]byte, 2*limit)}}, 1
		if err := r.w.write(bg, []*WriteOp{huge, opOf(logTable, 1, 1)}); err != nil {
			t.Error(err)
		}
	})
}

// TestWriteTooLarge: what cannot be sent, or not read back, is refused at once, with the rows beside it.
func TestWriteTooLarge(t *testing.T) {
	inBubble(t, func(c *writerConfig) { c.maxResponse = 1 << 20 }, func(t *testing.T, r *writeRig) {
		many := opOf(keyTable, 0, 1)
		for range 20 {
			many.Records = record.AppendKVRecord(many.Records, []byte("k"), make([]byte, 100<<10))
			many.Count++
		}
		r.raw = true
		if err := r.w.write(bg, []*WriteOp{many}); err != nil {
			t.Errorf("2 MiB of rows: %v", err)
		}
		frames := r.frames
		wide := opOf(keyTable, 0)
		wide.Records, wide.Count = record.AppendKVRecord(nil, []byte("k"), make([]byte, 1<<20)), 1
		vast := opOf(keyTable, 0)
		vast.Records, vast.Count = make([]byte, 101<<20), 1
		long := opOf(logTable, 0)
		long.Rows, long.Count = []row.Datum{{I: 1}, {B: make([]byte, 2<<20)}}, 1
		for _, op := range []*WriteOp{wide, vast, long} {
			beside := opOf(op.Table, 1, 5)
			err := r.w.write(bg, []*WriteOp{beside, op})
			if _, ok := errors.AsType[*RowTooLargeError](err); !ok || op.Outcome != NotStored || beside.Err != err {
				t.Errorf("%v", err)
			}
			t.Log(err)
		}
		if r.frames != frames {
			t.Error("something was sent")
		}
		if err := r.w.write(bg, []*WriteOp{opOf(keyTable, 0, 5)}); err != nil {
			t.Error(err)
		}
	})
}

// TestWriteClose: Close settles what can be settled, gives up the rest in its time, and leaves nothing running.
func TestWriteClose(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		n := 0
		r.hook = func(s sentCopy) copyReply {
			n++
			return copyReply{silent: s.bucket.ID == 1, cut: s.bucket.ID == 0 && n == 1}
		}
		ctx, cancel := context.WithCancel(bg)
		left := opOf(keyTable, 0, 1)
		done := r.start(ctx, left)
		cancel()
		<-done
		stuck := opOf(keyTable, 1, 2)
		waiting := r.start(bg, stuck)
		synctest.Wait()
		start := time.Now()
		r.w.close(closeGrace)
		if took := time.Since(start); took != closeGrace {
			t.Errorf("took %v", took)
		}
		if err := <-waiting; !errors.Is(err, ErrClosed) || stuck.Outcome != Unknown {
			t.Errorf("%v (%v)", stuck.Outcome, err)
		}
		if rows := r.rows(left.Bucket); left.Outcome == Unknown && !slices.Equal(rows, []int64{1}) {
			t.Errorf("left behind: log has %v", rows)
		}
		late := opOf(keyTable, 0, 3)
		if err := r.w.write(bg, []*WriteOp{late}); !errors.Is(err, ErrClosed) || late.Outcome != NotStored {
			t.Errorf("after close: %v", err)
		}
	})
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		if err := r.w.write(bg, []*WriteOp{opOf(keyTable, 0, 1)}); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r.w.close(closeGrace)
		if took := time.Since(start); took != 0 {
			t.Errorf("nothing open, and close took %v", took)
		}
	})
}

// TestWriteGone: the table is dropped under open writes.
func TestWriteGone(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		if err := r.w.write(bg, []*WriteOp{opOf(keyTable, 0, 1)}); err != nil {
			t.Fatal(err)
		}
		r.hook = func(s sentCopy) copyReply { return copyReply{code: 21, delay: time.Second} }
		ops, done := r.fill(t, bg, keyTable, 7, 100)
		r.mu.Lock()
		r.gone = &TableChangedError{Path: keyTable.Path, Old: keyTable.ID, New: 99}
		r.mu.Unlock()
		collect(done)
		for i, op := range ops {
			if _, ok := errors.AsType[*TableChangedError](op.Err); !ok || op.Outcome != NotStored {
				t.Errorf("op %d: %v (%v)", i, op.Outcome, op.Err)
			}
		}
		if r.left() || len(r.w.buckets) != 0 {
			t.Error("something is left")
		}
	})
}

// TestWriteNothing: ops without rows are never sent; nor is anything once the context has ended.
func TestWriteNothing(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		op := opOf(keyTable, 0)
		if err := r.w.write(bg, []*WriteOp{op}); err != nil || op.Outcome != Stored {
			t.Error(err)
		}
		if err := r.w.write(bg, nil); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(bg)
		cancel()
		op = opOf(keyTable, 0, 1)
		if err := r.w.write(ctx, []*WriteOp{op}); !errors.Is(err, context.Canceled) || op.Outcome != NotStored || r.frames != 0 {
			t.Error(err)
		}
	})
}

// TestWriteAllocations pins what a single-row write costs when it goes alone.
func TestWriteAllocations(t *testing.T) {
	f := &instantCluster{}
	w := newWriter(f, writerConfig{acks: -1, requestTimeout: time.Second, writeTimeout: time.Minute, maxInflight: 64 << 20, maxResponse: 64 << 20})
	op := opOf(keyTable, 0, 1)
	ops := []*WriteOp{op}
	n := testing.AllocsPerRun(200, func() {
		if err := w.write(bg, ops); err != nil {
			t.Fatal(err)
		}
	})
	w.close(0)
	t.Logf("%v allocations", n)
	if n > 20 {
		t.Errorf("%v allocations", n)
	}
}

func TestStickyBuckets(t *testing.T) {
	var s stickyBuckets
	first := s.bucket(logTable)
	for i := range int32(20) {
		if want, got := (first+1+i)%8, s.bucket(logTable); want != got {
			t.Fatalf("want %d, got %d", want, got)
		}
	}
}

func TestNextSequence(t *testing.T) {
	for _, c := range []struct{ in, want int32 }{{0, 1}, {41, 42}, {math.MaxInt32, 0}} {
		if got := nextSequence(c.in); got != c.want {
			t.Errorf("after %d: want %d, got %d", c.in, c.want, got)
		}
	}
}

// TestStampLog: a stamped batch is the batch that would have been encoded with that id and sequence.
func TestStampLog(t *testing.T) {
	encode := func(id int64, seq int32) []byte {
		enc, err := record.NewLogEncoder(logTable)
		if err != nil {
			t.Fatal(err)
		}
		if err := enc.Append([]row.Datum{{I: 5}, {B: []byte("five")}}); err != nil {
			t.Fatal(err)
		}
		return enc.Finish(nil, record.LogHeader{WriterID: id, Sequence: seq, LeaderEpoch: -1})
	}
	got := encode(-1, -1)
	stampLog(got, 77, 5)
	if want := encode(77, 5); !slices.Equal(want, got) {
		t.Errorf("want %x\n got %x", want, got)
	}
}
