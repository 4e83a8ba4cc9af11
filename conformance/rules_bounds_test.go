package conformance

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// Rules 12 to 15: nothing waits without a bound, nothing grows without one.

// keysOf sorts keys by the server that leads their buckets of d.t, found by watching where each goes.
func (r *ruleRig) keysOf(n int) (list [2][]int) {
	r.t.Helper()
	for k := 1000; len(list[0]) < n || len(list[1]) < n; k++ {
		mark := r.mark()
		mustExec(r.t, r.db, "INSERT INTO d.t VALUES (?, 'x')", k)
		server := r.since(mark)[0].server
		list[server] = append(list[server], k)
	}
	return list
}

// Rule 12: a server that is silent, or a leader that is gone, holds at most a quarter of max_inflight_bytes of what was
// sent. For a minute writers to it come and go: neither memory nor goroutines grow, and nobody else waits a moment.
func TestRule12LeaderGone(t *testing.T) {
	const limit, callers = 1 << 20, 64
	for _, how := range []string{"silent", "gone"} {
		inRules(t, func(c *fluss.Config) { c.MaxInflightBytes = limit }, func(t *testing.T, r *ruleRig) {
			keys := r.keysOf(callers)
			mark := r.mark()
			if how == "gone" {
				r.srv.StopTablet(0)
			} else {
				r.set(func(q *flusstest.Request, list []sentBatch) flusstest.Action {
					if q.Server == 0 && writes(q) {
						return flusstest.Drop()
					}
					return flusstest.Action{}
				})
			}
			begin := time.Now()
			stop := make(chan struct{})
			var work sync.WaitGroup
			for c := range callers {
				value := strings.Repeat("x", 8<<10)
				random := rand.New(rand.NewPCG(5, uint64(c)))
				work.Go(func() { // to the server that is not there
					for time.Since(begin) < time.Minute {
						ctx, cancel := context.WithTimeout(context.Background(), time.Duration(100+random.IntN(900))*time.Millisecond)
						_, err := r.db.ExecContext(ctx, "INSERT INTO d.t VALUES (?, ?)", keys[0][c], value)
						if !errors.Is(err, context.DeadlineExceeded) {
							t.Errorf("%s: got %v, want DeadlineExceeded", how, err)
						}
						cancel()
					}
				})
			}
			work.Go(func() { // to the other one
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(500 * time.Millisecond):
					}
					at := time.Now()
					k := keys[1][n%callers]
					mustExec(t, r.db, "INSERT INTO d.t VALUES (?, 'y')", k)
					var v string
					if err := r.db.QueryRow("SELECT v FROM d.t WHERE k = ?", k).Scan(&v); err != nil || v != "y" {
						t.Errorf("%s: key %d: %q, %v", how, k, v, err)
					}
					if took := time.Since(at); took > 0 {
						t.Errorf("%s: a write and a read elsewhere took %v", how, took)
					}
				}
			})
			var early, late usage
			time.Sleep(10 * time.Second)
			early = measureUsage()
			time.Sleep(49 * time.Second)
			late = measureUsage()
			time.Sleep(2 * time.Second)
			close(stop)
			work.Wait()
			t.Logf("%s: after 10 s %+v, after 59 s %+v", how, early, late)
			if late.goroutines > early.goroutines+10 || late.goroutines > 8*callers || late.heap > early.heap+limit {
				t.Errorf("%s: after 10 s %+v, after 59 s %+v", how, early, late)
			}
			held := map[string]int{}
			for _, b := range r.since(mark) {
				if b.server == 0 {
					held[fmt.Sprint(b.id, " ", b.seq)] = len(b.bytes)
				}
			}
			sum := 0
			for _, n := range held {
				sum += n
			}
			if sum > limit/4 || how == "silent" && sum == 0 {
				t.Errorf("%s: %d bytes were sent to the server, the limit is %d", how, sum, limit/4)
			}
			if how == "gone" {
				if err := r.srv.StartTablet(0); err != nil {
					t.Fatal(err)
				}
			}
			r.set(nil)
			for _, k := range keys[0][:8] {
				mustExec(t, r.db, "INSERT INTO d.t VALUES (?, 'back')", k)
			}
		})
	}
}

// usage is what must not grow.
type usage struct {
	goroutines int
	heap       uint64
}

func measureUsage() usage {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{runtime.NumGoroutine(), m.HeapAlloc}
}

// Rule 13: a definition is not sent again once it left, except in its IF [NOT] EXISTS form; its outcome then is unknown.
func TestRule13DefinitionsAreSentOnce(t *testing.T) {
	const columns = " (k INT NOT NULL, PRIMARY KEY (k) NOT ENFORCED)"
	for _, c := range []struct {
		query string
		api   flusstest.API
		again bool // it is sent again, and succeeds
	}{
		{"CREATE DATABASE e", flusstest.CreateDatabase, false},
		{"CREATE DATABASE IF NOT EXISTS e", flusstest.CreateDatabase, true},
		{"CREATE TABLE d.e" + columns, flusstest.CreateTable, false},
		{"CREATE TABLE IF NOT EXISTS d.e" + columns, flusstest.CreateTable, true},
		{"DROP TABLE d.t", flusstest.DropTable, false},
		{"DROP TABLE IF EXISTS d.t", flusstest.DropTable, true},
		{"DROP DATABASE d CASCADE", flusstest.DropDatabase, false},
		{"DROP DATABASE IF EXISTS d CASCADE", flusstest.DropDatabase, true},
		{"ALTER TABLE d.t ADD COLUMN w INT", flusstest.AlterTable, false},
	} {
		for name, lost := range map[string]flusstest.Action{
			"hung up":            {Skip: true, Silent: true, Close: true},
			"done, then hung up": {Silent: true, Close: true},
			"silent":             {Skip: true, Silent: true},
		} {
			t.Run(c.query+", "+name, func(t *testing.T) {
				inRules(t, nil, func(t *testing.T, r *ruleRig) {
					first := true
					r.set(func(q *flusstest.Request, _ []sentBatch) flusstest.Action {
						if q.API != c.api || !first {
							return flusstest.Action{}
						}
						first = false
						return lost
					})
					before, begin := r.requests(c.api), time.Now()
					_, err := r.db.Exec(c.query)
					n := r.requests(c.api) - before
					if c.again && (err != nil || n != 2) || !c.again && (!errors.Is(err, fluss.ErrAmbiguousWrite) || n != 1) {
						t.Errorf("got %v after %d requests, want it sent again: %v", err, n, c.again)
					}
					if took := time.Since(begin); took > 2*time.Minute {
						t.Errorf("took %v", took)
					}
				})
			})
		}
	}
}

// Rule 14: Commit ends with the context of BeginTx, or at write_timeout. What became of its rows can be read from the
// connection, and is logged, where database/sql drops the error.
func TestRule14CommitIsBounded(t *testing.T) {
	for _, limit := range []time.Duration{5 * time.Second, 2 * time.Minute} {
		var logged bytes.Buffer
		inRules(t, func(c *fluss.Config) { c.Logger = slog.New(slog.NewTextHandler(&logged, nil)) }, func(t *testing.T, r *ruleRig) {
			conn, err := r.db.Conn(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			ctx, cancel := context.Background(), context.CancelFunc(func() {})
			if limit < time.Minute {
				ctx, cancel = context.WithTimeout(ctx, limit)
			}
			defer cancel()
			tx, err := conn.BeginTx(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec("INSERT INTO d.t VALUES (100, 'x'), (101, 'x'), (102, 'x')"); err != nil {
				t.Fatal(err)
			}
			r.set(onWrites(flusstest.Drop()))
			begin := time.Now()
			err = tx.Commit()
			if took := time.Since(begin); took != limit || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, fluss.ErrAmbiguousWrite) && !errors.Is(err, sql.ErrTxDone) {
				t.Errorf("Commit returned %v after %v, want the end of its time at %v", err, took, limit)
			}
			if err := conn.Raw(func(dc any) error {
				last, err := fluss.LastTx(dc)
				rows := 0
				for _, table := range last.Tables {
					for _, b := range table.Buckets {
						rows += b.Unknown
					}
				}
				if rows != 3 {
					t.Errorf("%+v tells of %d unknown rows, want 3", last, rows)
				}
				return err
			}); err != nil {
				t.Error(err)
			}
			if limit < time.Minute && !strings.Contains(logged.String(), "unknown=3") {
				t.Errorf("logged: %s", logged.String())
			}
		})
	}
}

// Rule 15: Close of the pool settles what is open, for a bounded time, and then gives up.
func TestRule15CloseIsBounded(t *testing.T) {
	for _, c := range []struct {
		name    string
		back    bool // the server answers again when the pool is closed
		atMost  time.Duration
		atLeast time.Duration
		there   int
	}{{"the server stays silent", false, 6 * time.Second, time.Second, 0}, {"the server answers again", true, 6 * time.Second, 0, 1}} {
		inRules(t, func(c *fluss.Config) { c.RequestTimeout = 2 * time.Second }, func(t *testing.T, r *ruleRig) {
			r.oneBucket()
			r.set(onWrites(flusstest.Action{Skip: true, Silent: true, Close: true}))
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := <-r.exec(ctx, "INSERT INTO d.t1 VALUES (100, 'x')"); !errors.Is(err, fluss.ErrAmbiguousWrite) {
				t.Fatalf("got %v, want an unknown outcome", err)
			}
			if c.back {
				r.set(nil)
			} else {
				r.set(onWrites(flusstest.Drop()))
			}
			waiting := r.exec(context.Background(), "INSERT INTO d.t1 VALUES (101, 'x')")
			time.Sleep(time.Millisecond)
			begin := time.Now()
			r.db.Close()
			if took := time.Since(begin); took > c.atMost || took < c.atLeast {
				t.Errorf("%s: Close took %v", c.name, took)
			}
			if err := <-waiting; c.back != (err == nil) {
				t.Errorf("%s: the write that was under way: %v", c.name, err)
			}
			other, _ := openInMemory(t, r.srv, nil)
			defer other.Close()
			r.set(nil)
			var list []int
			for _, row := range queryAll(t, other, "SELECT k FROM d.t1 WHERE k IN (100, 101)") {
				list = append(list, int(row[0].(int64)))
			}
			slices.Sort(list)
			if len(list) != 2*c.there {
				t.Errorf("%s: rows %v are there", c.name, list)
			}
		})
	}
}
