package route

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// A server may take a connection and leave it unanswered while it answers others: a thread of its own is stuck. A second
// dial beside the first finds that out.
func TestDialBeside(t *testing.T) {
	run(t, 2, func(t *testing.T, f *fake) {
		c := f.client(nil)
		defer c.Close()
		path := f.create("t", 7, 2)
		f.lead(path, 1)
		table := mustTable(t, c, path)
		f.set(func() { f.nodes[1].stuck = 1 })
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 300 * time.Millisecond)
				mustFind(t, c, call(table, 0, fmt.Sprint(i)))
			})
		}
		wg.Wait()
		if d := time.Since(began); d > 7*300*time.Millisecond+10*time.Millisecond {
			t.Errorf("the last is answered after %v, want at once", d)
		}
	})
}

// Callers who wait for a dial to a frozen server that one of them began give up together, and go on to the next leader.
func TestDialFrozenLeader(t *testing.T) {
	run(t, 3, func(t *testing.T, f *fake) {
		c := f.client(nil, f.nodes[2].addr)
		defer c.Close()
		path := f.create("t", 7, 1)
		table := mustTable(t, c, path)
		f.set(func() { f.nodes[0].frozen = true })
		visible := c.cfg.AttemptTimeout + 100*time.Millisecond
		time.AfterFunc(visible, func() { f.lead(path, 1) })
		began := time.Now()
		var wg sync.WaitGroup
		for at := time.Duration(0); at < visible; at += 100 * time.Millisecond {
			wg.Go(func() {
				time.Sleep(at)
				mustFind(t, c, call(table, 0, at.String()))
				if d := time.Since(began); d > visible+time.Second {
					t.Errorf("begun at %v, answered at %v; the new leader was there at %v", at, d, visible)
				}
			})
		}
		wg.Wait()
	})
}
