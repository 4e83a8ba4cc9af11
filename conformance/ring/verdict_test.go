package ring

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/gofluss/fluss"
)

// The judges get what a broken driver or cluster would give, and have to say so.

func whole(op uint64, call, ret int64) event {
	return event{kind: writeEvent, columns: allColumns, value: rowState{present: true, a: op, b: op, n: op}, call: call, ret: ret, told: ret}
}

func saw(op uint64, call, ret int64) event {
	e := whole(op, call, ret)
	e.kind = readEvent
	return e
}

func sawNone(call, ret int64) event {
	return event{kind: readEvent, columns: allColumns, call: call, ret: ret, told: ret}
}

func maybe(e event) event {
	e.maybe = true
	return e
}

func ofStream(e event) event {
	e.pool = streamPool
	return e
}

func partial(set columns, op uint64, call, ret int64) event {
	e := whole(op, call, ret)
	e.columns, e.value = set, rowState{}.with(set, e.value)
	return e
}

func deleted(call, ret int64) event { return event{kind: deleteEvent, call: call, ret: ret, told: ret} }

func TestHistories(t *testing.T) {
	mixed := saw(1, 50, 60)
	mixed.value.b = 2
	for _, test := range []struct {
		name     string
		events   []event
		rejected []uint64
		want     Verdict
	}{
		{"write and read", []event{whole(1, 10, 20), saw(1, 30, 40)}, nil, Verdict{}},
		{"read during the write", []event{whole(1, 10, 40), sawNone(15, 20), saw(1, 20, 30)}, nil, Verdict{}},
		{"read before the write", []event{saw(1, 1, 2), whole(1, 10, 40)}, nil, Verdict{Broken: 1}},
		{"lost", []event{whole(1, 10, 20), sawNone(30, 40)}, nil, Verdict{Broken: 1}},
		{"stale", []event{whole(1, 10, 20), whole(2, 30, 40), saw(1, 50, 60)}, nil, Verdict{Broken: 1}},
		{"back and forth", []event{whole(1, 10, 20), whole(2, 30, 100), saw(2, 40, 50), saw(1, 60, 70)}, nil, Verdict{Broken: 1}},
		{"unknown, seen", []event{whole(1, 10, 20), maybe(whole(2, 30, 40)), saw(1, 50, 60), saw(2, 70, 80)}, nil, Verdict{}},
		{"unknown, not seen", []event{whole(1, 10, 20), maybe(whole(2, 30, 40)), saw(1, 50, 60)}, nil, Verdict{}},
		{"unknown, applied twice", []event{maybe(whole(1, 10, 20)), saw(1, 30, 40), whole(2, 50, 60), saw(2, 61, 62), saw(1, 70, 80)}, nil, Verdict{Broken: 1}},
		{"unknown, applied behind an acknowledged write", []event{maybe(whole(1, 10, 20)), whole(2, 50, 60), saw(2, 61, 62), saw(1, 70, 80)}, nil, Verdict{Broken: 1}},
		{"unknown, applied behind an acknowledged write of another pool", []event{maybe(whole(1, 10, 20)), ofStream(whole(2, 50, 60)), saw(2, 61, 62), saw(1, 70, 80)}, nil, Verdict{}},
		{"unknown, applied behind an acknowledged write of its pool", []event{maybe(ofStream(whole(1, 10, 20))), ofStream(whole(2, 50, 60)), saw(2, 61, 62), saw(1, 70, 80)}, nil, Verdict{Broken: 1}},
		{"unknown, overtaken while an older write is under way", []event{maybe(whole(1, 10, 20)), whole(2, 15, 60), saw(2, 61, 62), saw(1, 70, 80)}, nil, Verdict{}},
		{"changed", []event{whole(1, 10, 20), saw(7, 30, 40)}, nil, Verdict{Wrong: 3}},
		{"mixed", []event{whole(1, 10, 20), whole(2, 30, 40), mixed}, nil, Verdict{Broken: 1}},
		{"partial update", []event{whole(1, 10, 20), partial(columnB, 2, 30, 40), mixed}, nil, Verdict{}},
		{"partial update makes the row", []event{partial(columnA, 1, 10, 20), {kind: readEvent, columns: allColumns, value: rowState{present: true, a: 1}, call: 30, ret: 40, told: 40}}, nil, Verdict{}},
		{"not stored, but there", []event{whole(1, 10, 20), saw(2, 30, 40)}, []uint64{2}, Verdict{UnknownUnreported: 3}},
		{"deleted", []event{whole(1, 10, 20), deleted(30, 40), sawNone(50, 60)}, nil, Verdict{}},
		{"comes back", []event{whole(1, 10, 20), deleted(30, 40), saw(1, 50, 60)}, nil, Verdict{Broken: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &history{}
			for _, e := range test.events {
				h.add(e)
			}
			for _, op := range test.rejected {
				h.reject(op)
			}
			j := &judge{}
			h.check(j, &FaultLog{})
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
}

// TestUnsettled: an acknowledged write to another key of the bucket ends what was unknown before it began, and nothing else.
func TestUnsettled(t *testing.T) {
	var u unsettled
	h := &history{}
	h.add(maybe(whole(1, 10, 20)))
	h.add(maybe(whole(2, 40, 50)))
	u.add(mainPool, 1, h)
	u.acknowledged(mainPool, 0, span{60, 70}) // another bucket
	u.acknowledged(mainPool, 1, span{15, 70}) // began before the first was reported
	u.acknowledged(streamPool, 1, span{60, 70})
	h.add(ofStream(whole(9, 60, 70)))
	if h.events[0].ret != never {
		t.Errorf("ended at %d", h.events[0].ret)
	}
	u.acknowledged(mainPool, 1, span{30, 45})
	if h.events[0].ret != 45 || h.events[1].ret != never {
		t.Errorf("ended at %d and %d", h.events[0].ret, h.events[1].ret)
	}
	u.acknowledged(mainPool, 1, span{51, 55})
	if h.events[0].ret != 45 || h.events[1].ret != 55 || len(u.keys[mainPool][1]) != 0 {
		t.Errorf("ended at %d and %d", h.events[0].ret, h.events[1].ret)
	}
}

// TestBreaksAt: a finding tells of the events up to the one that breaks the history.
func TestBreaksAt(t *testing.T) {
	events := []event{whole(1, 10, 20), whole(2, 30, 40), saw(1, 50, 60)}
	for i := range int64(50) {
		events = append(events, saw(2, 100+10*i, 105+10*i))
	}
	if end := breaksAt(events); end != 60 || linearizable(until(events, end)) != porcupine.Illegal || len(after(events, end)) != 50 {
		t.Errorf("%d: %s", end, describe(until(events, end), true))
	}
}

func TestLedger(t *testing.T) {
	for _, test := range []struct {
		name string
		told outcome
		at   []place
		want Verdict
	}{
		{"stored", stored, []place{{0, 3, read}, {0, 3, read}}, Verdict{}},
		{"stored where it was said to be", stored, []place{{0, 3, told}, {0, 3, read}}, Verdict{}},
		{"lost", stored, nil, Verdict{Lost: 1}},
		{"lost, though its place was told", stored, []place{{0, 3, told}}, Verdict{Lost: 1}},
		{"doubled", stored, []place{{0, 3, read}, {0, 5, read}}, Verdict{Doubled: 1}},
		{"doubled in another bucket", unknown, []place{{0, 3, read}, {1, 3, read}}, Verdict{Doubled: 1}},
		{"elsewhere than told", stored, []place{{0, 3, told}, {0, 4, read}}, Verdict{Wrong: 1}},
		{"unknown, stored", unknown, []place{{0, 3, read}}, Verdict{}},
		{"unknown, not stored", unknown, nil, Verdict{}},
		{"not stored", notStored, nil, Verdict{}},
		{"not stored, but there", notStored, []place{{0, 3, read}}, Verdict{UnknownUnreported: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			j, l := &judge{}, newLedger()
			id := l.issue(1)
			l.settle(id, 1, test.told)
			for _, p := range test.at {
				l.find(j, id, p)
			}
			l.check(j)
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
	j, l := &judge{}, newLedger()
	if l.see(j, 1, 0, 0); j.verdict != (Verdict{Wrong: 1}) {
		t.Errorf("a row that nobody wrote: %+v", j.verdict)
	}
}

// TestMixedRows: of rows that fared differently as many are there as was told.
func TestMixedRows(t *testing.T) {
	for _, test := range []struct {
		name  string
		told  counts
		there []int64 // ids from 1 on
		want  Verdict
	}{
		{"as told", counts{stored: 2, notStored: 1}, []int64{1, 2}, Verdict{}},
		{"others than might be thought", counts{stored: 2, notStored: 1}, []int64{2, 3}, Verdict{}},
		{"one lost", counts{stored: 2, notStored: 1}, []int64{3}, Verdict{Lost: 1}},
		{"one too many", counts{stored: 2, notStored: 1}, []int64{1, 2, 3}, Verdict{UnknownUnreported: 1}},
		{"unknown ones are there", counts{stored: 1, unknown: 2}, []int64{1, 2, 3}, Verdict{}},
		{"unknown ones are not", counts{stored: 1, unknown: 2}, []int64{2}, Verdict{}},
		{"less than acknowledged", counts{stored: 1, unknown: 2}, nil, Verdict{Lost: 1}},
		{"more than may be", counts{stored: 1, unknown: 1, notStored: 1}, []int64{1, 2, 3}, Verdict{UnknownUnreported: 1}},
		{"one without a count", counts{stored: 1, unknown: 1}, []int64{1, 2, 3}, Verdict{UnknownUnreported: 1}},
		{"all stored", counts{stored: 3}, []int64{1, 2}, Verdict{Lost: 1}},
		{"all unknown", counts{unknown: 3}, []int64{1, 2}, Verdict{}},
		{"none tried", counts{}, []int64{1}, Verdict{UnknownUnreported: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			j, l := &judge{}, newLedger()
			l.settleCounts(l.issue(3), 3, test.told)
			for _, id := range test.there {
				l.see(j, id, 0, id)
			}
			l.check(j)
			if j.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", j.verdict, test.want, j.findings)
			}
		})
	}
}

// TestStreamJudge: what Commit or Rollback returned has to be what LastTx tells.
func TestStreamJudge(t *testing.T) {
	outcomes := func(key, log fluss.BucketOutcome) []fluss.TableOutcome {
		return []fluss.TableOutcome{{Table: "d.k", Buckets: []fluss.BucketOutcome{key}}, {Table: "d.l", Buckets: []fluss.BucketOutcome{log}}}
	}
	allIn := outcomes(fluss.BucketOutcome{Stored: 2}, fluss.BucketOutcome{Stored: 3})
	half := outcomes(fluss.BucketOutcome{Stored: 2}, fluss.BucketOutcome{Stored: 1, Unknown: 2})
	none := outcomes(fluss.BucketOutcome{NotStored: 2}, fluss.BucketOutcome{NotStored: 3})
	for _, test := range []struct {
		name   string
		rolled bool
		err    error
		tables []fluss.TableOutcome
		want   Verdict
	}{
		{"committed", false, nil, allIn, Verdict{}},
		{"committed in part, and no word of it", false, nil, half, Verdict{UnknownUnreported: 1}},
		{"committed in part", false, &fluss.TxError{Tables: half}, half, Verdict{}},
		{"committed in part, counted otherwise", false, &fluss.TxError{Tables: half}, allIn, Verdict{Undocumented: 1}},
		{"refused", false, &fluss.Error{Code: 7}, none, Verdict{}},
		{"refused, but there", false, &fluss.Error{Code: 7}, allIn, Verdict{Undocumented: 2}},
		{"the context ended", false, context.Canceled, half, Verdict{}},
		{"rolled back", true, nil, none, Verdict{}},
		{"rolled back, but there", true, nil, allIn, Verdict{UnknownUnreported: 1}},
		{"other rows", false, &fluss.TxError{Tables: allIn[:1]}, allIn[:1], Verdict{Undocumented: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &run{log: &FaultLog{KeyTable: "d.k", LogTable: "d.l"}, judge: &judge{}, ledger: newLedger()}
			g := newGroups().create(0)
			x := &streamTx{w: &worker{run: r}, group: g, ended: true, rolledBack: test.rolled, keys: 2, first: r.ledger.issue(3), issued: 3, tried: 3, rows: 3}
			x.writes = []write{{g, 0, whole(1, 10, 20)}, {g, 1, whole(2, 10, 20)}}
			x.finish("stream transaction", span{10, 20}, test.err, fluss.TxResult{Tables: test.tables})
			if r.judge.verdict != test.want {
				t.Errorf("got %+v, want %+v: %q", r.judge.verdict, test.want, r.judge.findings)
			}
		})
	}
}

func TestValues(t *testing.T) {
	text := cellText('a', 17, 3, 5, 12345)
	if op, ok := cellOp(text, 'a', 17, 3); op != 12345 || !ok {
		t.Errorf("%q is %d, %v", text, op, ok)
	}
	for i := range text {
		damaged := text[:i] + string(text[i]^1) + text[i+1:]
		if _, ok := cellOp(damaged, 'a', 17, 3); ok {
			t.Errorf("%q passes", damaged)
		}
		if _, ok := cellOp(text[:i], 'a', 17, 3); ok {
			t.Errorf("%q passes", text[:i])
		}
	}
	for _, at := range []keyOf{{17, 2}, {1, 3}, {7, 3}} {
		if _, ok := cellOp(text, 'a', at.group, at.item); ok {
			t.Errorf("%q passes at %v", text, at)
		}
	}
	if _, ok := cellOp(text, 'b', 17, 3); ok {
		t.Error("passes in another column")
	}
	if id, ok := logID(logText(5, 99, 7)); id != 99 || !ok {
		t.Errorf("log row %d, %v", id, ok)
	}
	if _, ok := logID(logText(5, 99, 7) + "y"); ok {
		t.Error("a damaged log row passes")
	}
}

func TestClasses(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	going := context.Background()
	outcomes := []fluss.BucketOutcome{{Bucket: 1, Stored: 2}, {Bucket: 2, NotStored: 3}, {Bucket: 3, Unknown: 1}}
	for _, test := range []struct {
		err  error
		ctx  context.Context
		want string
	}{
		{&fluss.AmbiguousWriteError{Cause: context.Canceled}, ended, "unknown"},
		{&fluss.PartialWriteError{Cause: context.Canceled}, ended, "partly stored"},
		{context.Canceled, ended, "context"},
		{context.Canceled, going, ""},
		{context.DeadlineExceeded, going, ""},
		{&fluss.Error{Code: 7, Name: "TABLE_NOT_EXIST"}, going, refused},
		{&fluss.Error{Err: context.DeadlineExceeded}, going, "timeout"},
		{&fluss.Error{Message: "something"}, going, ""},
		{driver.ErrBadConn, going, ""},
		{sql.ErrConnDone, going, ""},
		{errors.New("broken"), ended, ""},
		{sql.ErrTxDone, ended, "context"},
		{sql.ErrTxDone, going, ""},
		{errors.New("sql: statement is closed"), ended, "context"},
		{errors.New("sql: statement is closed"), going, ""},
	} {
		if got := classOf(test.err, test.ctx); got != test.want {
			t.Errorf("%T %v: %q, want %q", test.err, test.err, got, test.want)
		}
	}
	err := fmt.Errorf("around: %w", &fluss.AmbiguousWriteError{Table: "d.t", Buckets: outcomes})
	for _, test := range []struct {
		bucket int32
		rows   int
		want   outcome
		ok     bool
	}{{1, 2, stored, true}, {2, 3, notStored, true}, {3, 1, unknown, true}, {3, 2, unknown, false}, {4, 1, unknown, false}, {anyBucket, 6, unknown, true}} {
		if o, ok := outcomeOf(err, "d.t", test.bucket, test.rows); o != test.want || ok != test.ok {
			t.Errorf("bucket %d: %v, %v", test.bucket, o, ok)
		}
	}
	if o, ok := outcomeOf(&fluss.Error{Code: 7}, "d.t", 1, 1); o != notStored || !ok {
		t.Errorf("a refusal: %v, %v", o, ok)
	}
}

func TestVerdict(t *testing.T) {
	for _, v := range []Verdict{
		{Lost: 1}, {Doubled: 1}, {Wrong: 1}, {Short: 1}, {Undocumented: 1}, {Late: 1}, {UnknownUnreported: 1}, {Broken: 1}, {Undecided: 1},
		{Goroutines: 1}, {Files: 1}, {HeapLeft: MaxHeapLeft + 1},
	} {
		if v.OK() {
			t.Errorf("%+v passes", v)
		}
	}
	if v := (Verdict{HeapLeft: MaxHeapLeft}); !v.OK() {
		t.Error("what may be left does not pass")
	}
}
