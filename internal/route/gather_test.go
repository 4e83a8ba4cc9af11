package route

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// slowly has every LOOKUP answered so much later.
func (f *fake) slowly(by time.Duration) {
	f.set(func() {
		f.seen = nil
		f.hook = func(_ *fakeNode, r wire.Request) *fakeReply {
			if r.API == wire.APILookup {
				time.Sleep(by)
			}
			return nil
		}
	})
}

// slowLookups runs body with lookups that take a millisecond each, of a table that the client knows.
func slowLookups(t *testing.T, body func(t *testing.T, f *fake, find func(bucket int, key string))) {
	run(t, 1, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		table := mustTable(t, c, f.create("t", 7, 4))
		find := func(bucket int, key string) { mustFind(t, c, call(table, int32(bucket), key)) }
		find(0, "warm")
		f.slowly(time.Millisecond)
		body(t, f, find)
	})
}

// Callers that ask again as soon as they are answered stay together in two halves.
func TestLookupsGather(t *testing.T) {
	const callers, rounds = 64, 30
	slowLookups(t, func(t *testing.T, f *fake, find func(bucket int, key string)) {
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				for r := range rounds {
					find(i%4, fmt.Sprint(i, r))
				}
			})
		}
		wg.Wait()
		if n := f.count(wire.APILookup); n > 2*rounds+2 { // the first callers find nobody else
			t.Errorf("%d callers with %d lookups each made %d requests", callers, rounds, n)
		}
	})
}

// A lone caller's lookups leave at once, also right behind those of a crowd.
func TestLoneLookupNeverWaits(t *testing.T) {
	slowLookups(t, func(t *testing.T, f *fake, find func(bucket int, key string)) {
		for round := range 20 {
			var wg sync.WaitGroup
			for i := range 10 {
				wg.Go(func() { find(i%4, fmt.Sprint(i)) })
			}
			wg.Wait()
			synctest.Wait() // nobody came back: the gathering is over
			began := time.Now()
			for i := range 5 {
				find(0, fmt.Sprint(round, i))
			}
			if d := time.Since(began); d != 5*time.Millisecond {
				t.Fatalf("five lookups took %v, want 5ms", d)
			}
		}
	})
}

// Two callers have a frame each: neither waits for the other's answer, nor for the crowd of before.
func TestTwoCallersDoNotWait(t *testing.T) {
	slowLookups(t, func(t *testing.T, f *fake, find func(bucket int, key string)) {
		f.set(func() { f.parallel = true })
		for _, callers := range []int{32, 2} {
			var wg sync.WaitGroup
			began := time.Now()
			for i := range callers {
				wg.Go(func() {
					time.Sleep(time.Duration(i) * 300 * time.Microsecond) // out of step
					for r := range 10 {
						find(i%4, fmt.Sprint(i, r))
					}
				})
			}
			wg.Wait()
			if d, most := time.Since(began), 10*time.Millisecond+300*time.Microsecond; callers == 2 && d > most {
				t.Errorf("two callers with ten lookups of 1 ms each took %v, at most %v are wanted", d, most)
			}
			synctest.Wait()
		}
	})
}

// A second frame leaves beside one when its callers are half of the crowd, and with what is left of a caller's keys.
func TestLookupsUnderWay(t *testing.T) {
	table := int64(7)
	q := &lookupQueue{c: New(Config{}), table: table}
	for _, c := range []struct {
		underWay, callers, woken, queued, waiting int
		want                                      bool
	}{
		{0, 0, 0, 1, 1, true},
		{0, 0, 64, 1, 1, true}, // nothing gathers
		{1, 1, 0, 1, 1, true},
		{1, 1, 1, 1, 1, false},
		{1, 32, 1, 31, 31, false},
		{1, 32, 0, 32, 32, true},
		{1, 1, 0, 63, 63, true},
		{1, 63, 0, 1, 1, false},
		{1, 1, 0, 0, 2000, true},
		{1, 1, 0, 0, 0, false},
		{2, 2, 0, 64, 64, false},
	} {
		q.underWay, q.callers, q.woken, q.queued, q.waiting = c.underWay, c.callers, c.woken, c.queued, make([]*lookupItem, c.waiting)
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
		if n := r.gatheredFor(); slices.Max(n) != 0 {
			t.Errorf("%d callers were gathered for", n)
		}
		var done []chan error
		for b := range int32(8) { // it does begin for several
			done = append(done, r.start(bg, opOf(keyTable, b, 100)))
		}
		collect(done)
		if n := r.gatheredFor(); slices.Min(n) < 2 {
			t.Errorf("a crowd was not gathered for: %d", n)
		}
	})
}

// gatheredFor is for how many callers each lane gathered last.
func (r *writeRig) gatheredFor() (n []int32) {
	r.w.mu.Lock()
	defer r.w.mu.Unlock()
	for _, ln := range r.w.lanes {
		n = append(n, ln.gather.want)
	}
	return n
}
