package conformance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// Rule 11: callers who share batches and answers do not share their misfortune.

// answerDelay has rows of many callers wait for each other, and so share batches.
const answerDelay = 10 * time.Millisecond

// caller is one of several who write a row each at the same time.
type caller struct {
	key  int
	err  error
	took time.Duration
}

// together has n callers write one row each to a table of one bucket while an earlier write is on its way, so that they
// share batches; do makes the write of the caller with the number i.
func (r *ruleRig) together(n int, do func(i int) error) []caller {
	list := make([]caller, n)
	first := r.exec(context.Background(), "INSERT INTO d.t1 VALUES (10, 'x')")
	second := r.exec(context.Background(), "INSERT INTO d.l1 VALUES (10, 'x')")
	time.Sleep(answerDelay / 2)
	var work sync.WaitGroup
	for i := range list {
		work.Go(func() {
			begin := time.Now()
			list[i].key, list[i].err = 100+i, do(i)
			list[i].took = time.Since(begin)
		})
	}
	work.Wait()
	<-first
	<-second
	return list
}

// TestRule11RefusedRow: one row of a shared batch is refused for good. Its caller alone is told; the others are stored, and
// wait for no more than the batch and what it was split into.
func TestRule11RefusedRow(t *testing.T) {
	for _, table := range []string{"t1", "l1"} {
		for _, code := range []int{57, 14, 13, -1} {
			inRules(t, nil, func(t *testing.T, r *ruleRig) {
				r.oneBucket()
				mark, shared := r.mark(), 0
				r.set(func(q *flusstest.Request, list []sentBatch) flusstest.Action {
					if !writes(q) {
						return flusstest.Action{}
					}
					for _, b := range list {
						shared = max(shared, int(b.count))
						if strings.Contains(string(b.bytes), "poison") {
							return flusstest.Action{Skip: true, Code: code, Delay: answerDelay}
						}
					}
					return flusstest.Action{Delay: answerDelay}
				})
				for _, c := range r.together(20, func(i int) error {
					v := "fine"
					if i == 7 {
						v = "poison"
					}
					_, err := r.db.Exec("INSERT INTO d."+table+" VALUES (?, ?)", 100+i, v)
					return err
				}) {
					if bad := c.key == 107; (c.err != nil) != bad || errors.Is(c.err, fluss.ErrAmbiguousWrite) {
						t.Errorf("%s, code %d, row %d: %v", table, code, c.key, c.err)
					}
					if c.took > 3*time.Second {
						t.Errorf("%s, code %d, row %d took %v", table, code, c.key, c.took)
					}
				}
				if shared < 10 {
					t.Errorf("at most %d rows shared a batch", shared)
				}
				r.set(nil)
				for k := range 20 {
					if want := map[bool]int{true: 1}[k != 7]; r.holds(table, 100+k)[0] != want {
						t.Errorf("%s, code %d: row %d is not there %d times", table, code, 100+k, want)
					}
				}
				t.Logf("%d batches", len(r.since(mark)))
			})
		}
	}
}

// TestRule11CancelAndSize: callers who leave, and callers whose value is too large, do not touch the others of the batch.
func TestRule11CancelAndSize(t *testing.T) {
	for _, table := range []string{"t1", "l1"} {
		inRules(t, func(c *fluss.Config) { c.MaxResponseBytes = 1 << 16 }, func(t *testing.T, r *ruleRig) {
			r.oneBucket()
			r.set(onWrites(flusstest.Action{Delay: answerDelay}))
			for _, c := range r.together(21, func(i int) error {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				v := "fine"
				switch i % 3 {
				case 1:
					defer time.AfterFunc(time.Duration(i)*time.Millisecond, cancel).Stop()
				case 2:
					v = strings.Repeat("x", 1<<16)
				}
				_, err := r.db.ExecContext(ctx, "INSERT INTO d."+table+" VALUES (?, ?)", 100+i, v)
				return err
			}) {
				switch i := c.key - 100; {
				case i%3 == 0 && (c.err != nil || c.took > 3*answerDelay):
					t.Errorf("%s, row %d: %v after %v", table, c.key, c.err, c.took)
				case i%3 == 1 && c.err != nil && !errors.Is(c.err, context.Canceled):
					t.Errorf("%s, row %d: %v, want the context's error", table, c.key, c.err)
				case i%3 == 2 && (c.err == nil || errors.Is(c.err, fluss.ErrAmbiguousWrite) || c.took > 0):
					t.Errorf("%s, row %d: %v after %v, want a refusal at once", table, c.key, c.err, c.took)
				}
				if got := r.holds(table, c.key)[0]; c.err == nil && got != 1 || got > 1 || c.key%3 == 0 && got != 0 {
					t.Errorf("%s, row %d (%v) is there %d times", table, c.key, c.err, got)
				}
			}
		})
	}
}

// TestRule11LookupsOverTheCap: rows that fit into an answer each, and not together. The callers get their rows; the one whose
// row alone is too large is told, and so is nobody else.
func TestRule11LookupsOverTheCap(t *testing.T) {
	const rows = 40
	inRules(t, nil, func(t *testing.T, r *ruleRig) {
		r.oneBucket()
		for k := range rows {
			size := 20_000
			if k == 7 {
				size = 70_000
			}
			mustExec(t, r.db, "INSERT INTO d.t1 VALUES (?, ?)", 100+k, fmt.Sprint(k, strings.Repeat("x", size)))
		}
		small, _ := openInMemory(t, r.srv, func(c *fluss.Config) { c.MaxResponseBytes = 1 << 16 })
		defer small.Close()
		r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
			if q.API == flusstest.Lookup {
				return flusstest.Action{Delay: answerDelay}
			}
			return flusstest.Action{}
		})
		before := r.requests(flusstest.Lookup)
		var work sync.WaitGroup
		for k := range rows {
			work.Go(func() {
				var v string
				err := small.QueryRow("SELECT v FROM d.t1 WHERE k = ?", 100+k).Scan(&v)
				if k == 7 {
					if !errors.Is(err, fluss.ErrTooLarge) {
						t.Errorf("row %d: got %v, want ErrTooLarge", k, err)
					}
					return
				}
				if err != nil || !strings.HasPrefix(v, fmt.Sprint(k, "x")) || len(v) < 20_000 {
					t.Errorf("row %d: %d bytes, %v", k, len(v), err)
				}
			})
		}
		work.Wait()
		if n := r.requests(flusstest.Lookup) - before; n > 3*rows {
			t.Errorf("%d lookups for %d rows", n, rows)
		}
	})
}
