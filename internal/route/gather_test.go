package route

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// slowly has every LOOKUP answered a millisecond later.
func (f *fake) slowly() {
	f.set(func() {
		f.seen = nil
		f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
			if r.API == wire.APILookup {
				time.Sleep(time.Millisecond)
			}
			return nil
		}
	})
}

// Callers that ask again as soon as they are answered stay together: frame after frame has the keys of all.
func TestLookupsGather(t *testing.T) {
	const callers, rounds = 64, 30
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 4))
		mustFind(t, c, call(table, 0, "warm"))
		f.slowly()
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				for r := range rounds {
					mustFind(t, c, call(table, int32(i%4), fmt.Sprint(i, r)))
				}
			})
		}
		wg.Wait()
		if n := f.count(wire.APILookup); n > 2*rounds {
			t.Errorf("%d callers with %d lookups each made %d requests", callers, rounds, n)
		}
	})
}

// A lone caller's lookups leave at once, also right behind those of a crowd.
func TestLoneLookupNeverWaits(t *testing.T) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 4))
		mustFind(t, c, call(table, 0, "warm"))
		f.slowly()
		for round := range 20 {
			var wg sync.WaitGroup
			for i := range 10 {
				wg.Go(func() { mustFind(t, c, call(table, int32(i%4), fmt.Sprint(i))) })
			}
			wg.Wait()
			synctest.Wait() // nobody came back: the gathering is over
			began := time.Now()
			for i := range 5 {
				mustFind(t, c, call(table, 0, fmt.Sprint(round, i)))
			}
			if d := time.Since(began); d != 5*time.Millisecond {
				t.Fatalf("five lookups took %v, want 5ms", d)
			}
		}
	})
}

// A second frame leaves beside one for few callers, and beside a large one only when it is full.
func TestLookupsUnderWay(t *testing.T) {
	table := int64(7)
	q := &lookupQueue{c: New(Config{}), table: table}
	for _, c := range []struct {
		underWay, callers, waiting int
		want                       bool
	}{
		{0, 0, 1, true},
		{1, 1, 1, true},
		{1, fewCallers - 1, 1, true},
		{1, fewCallers, fullFrame - 1, false},
		{1, fewCallers, fullFrame, true},
		{2, 2, fullFrame, false},
	} {
		q.underWay, q.callers, q.waiting = c.underWay, c.callers, make([]*lookupItem, c.waiting)
		if got := q.free(); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestGatheringPauses(t *testing.T) {
	var g gathering
	if g.begin(1) {
		t.Error("a lone caller is gathered for")
	}
	skipped := func() (n int) {
		for !g.begin(8) {
			n++
		}
		return n
	}
	for i, want := range []int{0, 4, 8, 16, 32, 64, 64} {
		if n := skipped(); n != want {
			t.Errorf("after %d failures %d frames went without, want %d", i, n, want)
		}
		g.giveUp() // nobody came
	}
	skipped()
	for range 8 {
		g.arrived()
	}
	if g.holds() {
		t.Error("all came, and it still holds")
	}
	if !g.begin(8) {
		t.Error("no gathering after one that helped")
	}
	for range 4 {
		g.arrived()
	}
	if g.giveUp(); !g.begin(8) {
		t.Error("no gathering after one for which half came")
	}
	g.end()
	if g.holds() {
		t.Error("it holds after its end")
	}
}

// A lone writer is never gathered for, however many buckets its rows go to.
func TestLoneWriterNeverWaits(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		r.hook = func(sentCopy) copyReply { return copyReply{delay: time.Millisecond} }
		for n := range int64(20) {
			var ops []*WriteOp
			for b := range int32(8) {
				ops = append(ops, opOf(keyTable, b, n))
			}
			if err := r.w.write(bg, ops); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		for _, ln := range r.w.lanes {
			if ln.gather.want != 0 {
				t.Errorf("%d callers were gathered for", ln.gather.want)
			}
		}
		var done []chan error
		for b := range int32(8) { // it does begin for several
			done = append(done, r.start(bg, opOf(keyTable, b, 100)))
		}
		collect(done)
		for _, ln := range r.w.lanes {
			if ln.gather.want < 2 {
				t.Error("a crowd was not gathered for")
			}
		}
	})
}
