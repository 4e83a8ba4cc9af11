package jvm

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/conformance"
	"github.com/gofluss/fluss/conformance/cluster"
)

// TestTabletRestart ends the only tablet server with SIGTERM and starts it again while callers write and read. What was
// acknowledged is there once, with its last value, and no error is outside the documented classes.
func TestTabletRestart(t *testing.T) {
	c := conformance.OwnCluster(t, cluster.Options{})
	db := open(t, c.DSN("fluss"), nil)
	mustExec(t, db, "CREATE DATABASE r")
	createLed(t, c, db, "r", "k", "(id INT NOT NULL, v BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num'='3')")
	createLed(t, c, db, "r", "l", "(id BIGINT NOT NULL) WITH ('bucket.num'='3')")
	load := startLoad(t, db)
	load.wait(200)
	begin := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	if err := c.StopTablet(ctx, 0); err != nil {
		t.Fatal(err)
	}
	if err := c.StartTablet(ctx, 0); err != nil {
		t.Fatal(err)
	}
	load.wait(200)
	t.Logf("served again %v after the stop began", time.Since(begin).Round(time.Millisecond))
	load.stop()
	load.check()
}

// load is a mixed load of callers, each of whom knows what it was told.
type load struct {
	t       *testing.T
	db      *sql.DB
	ended   chan struct{}
	work    sync.WaitGroup
	callers []*caller
}

const (
	upserters, appenders, readers = 3, 3, 2
	appenderIDs                   = 1_000_000 // ids of one appender
)

// startLoad starts all callers, which stop and wait for them.
func startLoad(t *testing.T, db *sql.DB) *load {
	l := &load{t: t, db: db, ended: make(chan struct{})}
	for i := range upserters {
		l.start(i, (*caller).upsert)
	}
	for i := range appenders {
		l.start(i, (*caller).append)
	}
	for i := range readers {
		l.start(i, (*caller).read)
	}
	return l
}

func (l *load) start(id int, call func(*caller, context.Context, int64) error) {
	c := &caller{load: l, id: id, call: call}
	l.callers = append(l.callers, c)
	l.work.Go(func() { // ends with the load; waited for by stop
		for n := int64(1); ; n++ {
			select {
			case <-l.ended:
				return
			default:
			}
			c.one(n)
		}
	})
}

// wait returns when every caller has had so many more good answers.
func (l *load) wait(more int64) {
	l.t.Helper()
	deadline := time.Now().Add(statementTimeout)
	for _, c := range l.callers {
		for until := c.good.Load() + more; c.good.Load() < until; {
			if time.Now().After(deadline) {
				l.t.Errorf("a caller has %d good answers, want %d", c.good.Load(), until)
				return
			}
			time.Sleep(5 * time.Millisecond) // a poll, so that callers run without a pause
		}
	}
}

func (l *load) stop() {
	close(l.ended)
	l.work.Wait()
}

// caller makes one kind of call again and again.
type caller struct {
	*load
	id   int
	call func(*caller, context.Context, int64) error
	good atomic.Int64

	// The rest is the caller's alone until the load has stopped.
	acked, tried  int64          // upsert: the last value acknowledged, and the last that may be stored
	log           map[int64]bool // append: acknowledged (true) or unknown (false)
	unknown, late int            // errors: of unknown outcome, and those of the context
	slowest       time.Duration  // of a call
}

func (c *caller) one(n int64) {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	begin := time.Now()
	err := c.call(c, ctx, n)
	c.slowest = max(c.slowest, time.Since(begin))
	switch {
	case err == nil:
		c.good.Add(1)
	case errors.Is(err, fluss.ErrAmbiguousWrite):
		c.unknown++
	case errors.Is(err, context.DeadlineExceeded):
		c.late++
	default:
		c.t.Errorf("call %d: a %T: %v", n, err, err)
	}
}

func (c *caller) upsert(ctx context.Context, n int64) error {
	_, err := c.db.ExecContext(ctx, "INSERT INTO r.k VALUES (?, ?)", c.id, n)
	switch {
	case err == nil:
		c.acked, c.tried = n, n
	case errors.Is(err, fluss.ErrAmbiguousWrite):
		c.tried = n
	}
	return err
}

func (c *caller) append(ctx context.Context, n int64) error {
	id := int64(c.id)*appenderIDs + n
	_, err := c.db.ExecContext(ctx, "INSERT INTO r.l VALUES (?)", id)
	if c.log == nil {
		c.log = map[int64]bool{}
	}
	if err == nil || errors.Is(err, fluss.ErrAmbiguousWrite) {
		c.log[id] = err == nil
	}
	return err
}

// read looks a key up: its value never goes back.
func (c *caller) read(ctx context.Context, _ int64) error {
	var v int64
	err := c.db.QueryRowContext(ctx, "SELECT v FROM r.k WHERE id = ?", c.id).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) && c.acked == 0 {
		return nil // not written yet
	}
	if err == nil && v < c.acked {
		c.t.Errorf("key %d went from %d back to %d", c.id, c.acked, v)
	}
	if err == nil {
		c.acked = v
	}
	return err
}

// check compares both tables with what the callers were told.
func (l *load) check() {
	l.t.Helper()
	stored := map[int64]int{}
	for _, r := range mustQuery(l.t, l.db, "SELECT id FROM r.l") {
		stored[r[0].(int64)]++
	}
	var acked, unknown, late int
	var slowest time.Duration
	for i, c := range l.callers {
		unknown, late, slowest = unknown+c.unknown, late+c.late, max(slowest, c.slowest)
		acked += int(c.good.Load())
		if i < upserters {
			v := mustQuery(l.t, l.db, "SELECT v FROM r.k WHERE id = ?", c.id)
			if len(v) != 1 || v[0][0].(int64) < c.acked || v[0][0].(int64) > c.tried {
				l.t.Errorf("key %d: got %v, acknowledged %d, tried %d", c.id, v, c.acked, c.tried)
			}
		}
		for id, ok := range c.log {
			if n := stored[id]; n > 1 || ok && n != 1 {
				l.t.Errorf("log row %d is there %d times, acknowledged: %v", id, n, ok)
			}
			delete(stored, id)
		}
	}
	if len(stored) != 0 {
		l.t.Errorf("%d log rows are there that nobody was told of", len(stored))
	}
	l.t.Logf("%d good answers, %d unknown, %d too late, the slowest call %v", acked, unknown, late, slowest.Round(time.Millisecond))
	if unknown+late > 0 {
		l.t.Error(fmt.Sprint("calls failed that had a minute to ride out a restart: ", unknown+late))
	}
}
