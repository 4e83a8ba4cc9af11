package fluss

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// stalledStream is a connector with tx=stream and little room, to a server with an empty table t that answers writes when gate is
// closed. It tells of each that came.
func stalledStream(t *testing.T, configure func(*Config)) (c *Connector, db *sql.DB, came, gate chan struct{}) {
	t.Helper()
	srv := flusstest.Run(t)
	cfg, err := ParseDSN(srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	cfg.Tx, cfg.TxBufferBytes = "stream", 64<<10
	configure(cfg)
	if c, err = NewConnector(cfg); err != nil {
		t.Fatal(err)
	}
	db = sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	if _, err := db.Exec("CREATE TABLE t (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"); err != nil {
		t.Fatal(err)
	}
	came, gate = make(chan struct{}, 100), make(chan struct{})
	srv.Hook(func(r *flusstest.Request) flusstest.Action {
		if r.API == flusstest.PutKV {
			came <- struct{}{}
			return flusstest.Action{Wait: gate}
		}
		return flusstest.Action{}
	})
	return c, db, came, gate
}

// TestStreamWaitTimeout: a statement of tx=stream waits for batches under way for write_timeout at most. Its context has not
// ended then, so that it must not get a context's bare error.
func TestStreamWaitTimeout(t *testing.T) {
	c, db, _, gate := stalledStream(t, func(*Config) {})
	c.cfg.WriteTimeout = 50 * time.Millisecond // of statements; batches keep theirs
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for ; err == nil && rows < 1000; rows++ {
		_, err = tx.Exec("INSERT INTO t VALUES (?, ?)", rows, strings.Repeat("v", 1000))
	}
	check := func(what string, err error) {
		t.Helper()
		if _, ok := errors.AsType[*Error](err); !ok || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "write_timeout") {
			t.Errorf("%s: %T %v", what, err, err)
		}
	}
	check("INSERT", err)
	check("SELECT", tx.QueryRow("SELECT v FROM t WHERE id = 1").Scan(new(string)))
	close(gate)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM t").Scan(&n); err != nil || n != rows-1 {
		t.Errorf("%d rows, want %d: %v", n, rows-1, err)
	}
}

// A rollback after the end of BeginTx's context does not wait for an attempt's answers: they are unknown.
func TestStreamRollbackEnds(t *testing.T) {
	c, _, came, gate := stalledStream(t, func(c *Config) { c.AttemptTimeout, c.RequestTimeout = time.Minute, 2*time.Minute })
	defer close(gate)
	dc, err := c.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer dc.Close()
	ctx, cancel := context.WithCancel(t.Context())
	tx, err := dc.(driver.ConnBeginTx).BeginTx(ctx, driver.TxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	go func() { // ends with the first batch
		<-came
		cancel()
	}()
	for id := int64(0); err == nil; id++ { // until one waits for room
		args := []driver.NamedValue{{Ordinal: 1, Value: id}, {Ordinal: 2, Value: strings.Repeat("v", 1000)}}
		_, err = dc.(driver.ExecerContext).ExecContext(ctx, "INSERT INTO t VALUES (?, ?)", args)
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- tx.Rollback() }() // ends with the rollback
	select {
	case err := <-ended:
		if _, ok := errors.AsType[*AmbiguousWriteError](err); !ok {
			t.Errorf("%T %v", err, err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it waits for attempt_timeout")
	}
}
