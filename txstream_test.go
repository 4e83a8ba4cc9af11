package fluss

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// TestStreamWaitTimeout: a statement of tx=stream waits for batches under way for write_timeout at most. Its context has not
// ended then, so that it must not get a context's bare error.
func TestStreamWaitTimeout(t *testing.T) {
	srv := flusstest.Run(t)
	cfg, err := ParseDSN(srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	cfg.Tx, cfg.TxBufferBytes = "stream", 64<<10
	c, err := NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"); err != nil {
		t.Fatal(err)
	}
	gate := make(chan struct{})
	srv.Hook(func(r *flusstest.Request) flusstest.Action {
		if r.API == flusstest.PutKV {
			return flusstest.Action{Wait: gate}
		}
		return flusstest.Action{}
	})
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
