package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// silentCalls are statements that reach every kind of request, and what becomes of them when nobody answers.
var silentCalls = []struct {
	query     string
	write     bool // ends by write_timeout, not request_timeout
	ambiguous bool // the rows may be stored
}{
	{"SELECT v FROM d.t WHERE k = 1", false, false},
	{"SELECT v FROM d.t WHERE k IN (1, 2, 3)", false, false},
	{"SELECT * FROM d.t LIMIT 3", false, false},
	{"SELECT * FROM d.t", false, false},
	{"SELECT COUNT(*) FROM d.t", false, false},
	{"SELECT * FROM d.l", false, false},
	{"SELECT /*+ LAST(2) */ * FROM d.l", false, false},
	{"SHOW TABLES FROM d", false, false},
	{"SHOW DATABASES", false, false},
	{"INSERT INTO d.t VALUES (7, 'v7')", true, true},
	{"INSERT INTO d.t VALUES (1, 'v1'), (2, 'v2'), (3, 'v3'), (4, 'v4'), (5, 'v5')", true, true},
	{"INSERT INTO d.l VALUES (7, 'v7')", true, true},
	{"UPDATE d.t SET v = 'v1' WHERE k = 1", true, false},
	{"DELETE FROM d.t WHERE k = 4242", true, false},
}

// TestSilentServer: servers that fall silent, with a caller who gave no deadline. Reads end at request_timeout and writes at
// write_timeout, with the defaults of 30 s and 2 minutes, on a clock that costs no time; the silent connections are given
// up, and when the servers speak again all is well.
func TestSilentServer(t *testing.T) {
	for _, performed := range []bool{false, true} {
		for _, c := range silentCalls {
			t.Run(fmt.Sprintf("%s, performed %v", c.query, performed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					srv := flusstest.NewServer(flusstest.InMemory(), flusstest.TabletServers(2))
					defer srv.Close()
					db, dials := openInMemory(t, srv, nil)
					silentTables(t, db)
					action := flusstest.Drop()
					if performed {
						action = flusstest.Lose()
					}
					remove := srv.Hook(func(*flusstest.Request) flusstest.Action { return action })
					begin, before := time.Now(), dials.Load()
					limit, err := 30*time.Second, error(nil)
					if c.write {
						limit = 2 * time.Minute
						_, err = db.Exec(c.query)
					} else {
						_, err = tryQuery(context.Background(), db, c.query)
					}
					took := time.Since(begin)
					if took > limit+time.Second || !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fluss.ErrAmbiguousWrite) != c.ambiguous {
						t.Errorf("%v after %v; want DeadlineExceeded after at most %v, unknown %v", err, took, limit, c.ambiguous)
					}
					if dials.Load() == before {
						t.Error("the silent connections were kept")
					}
					remove()
					rightRows(t, db)
				})
			})
		}
	}
}

// openInMemory opens an embedded server without sockets, and counts connections. The pool is closed when the test's
// function ends, within its bubble.
func openInMemory(t *testing.T, srv *flusstest.Server, change func(*fluss.Config)) (*sql.DB, *atomic.Int64) {
	t.Helper()
	cfg, err := fluss.ParseDSN(srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	dials := new(atomic.Int64)

	cfg.Dial = srv.Dial
	if change != nil {
		change(cfg)
	}
	cfg.OnRequest = func(i fluss.RequestInfo) {
		if i.API == "API_VERSIONS" {
			dials.Add(1)
		}
	}
	return openConfigured(t, cfg), dials
}

func silentTables(t *testing.T, db *sql.DB) {
	t.Helper()
	for _, s := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.t (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='4', 'table.log.arrow.compression.type'='none')",
		"CREATE TABLE d.l (k INT NOT NULL, v STRING) WITH ('bucket.num'='2', 'table.log.arrow.compression.type'='none')",
		"INSERT INTO d.t VALUES (1, 'v1'), (2, 'v2'), (3, 'v3'), (4, 'v4'), (5, 'v5')",
		"INSERT INTO d.l VALUES (1, 'v1'), (2, 'v2')",
		"INSERT INTO d.l VALUES (3, 'v3')",
	} {
		mustExec(t, db, s)
	}
	rightRows(t, db)
}

func rightRows(t *testing.T, db *sql.DB) {
	t.Helper()
	for k := 1; k <= 5; k++ {
		rightRow(t, db, "d.", k)
	}
	if n := len(queryAll(t, db, "SELECT * FROM d.l WHERE k <= 3")); n != 3 {
		t.Errorf("%d rows of the log, want 3", n)
	}
	mustExec(t, db, "INSERT INTO d.t VALUES (1, 'v1'), (2, 'v2'), (3, 'v3'), (4, 'v4'), (5, 'v5')")
}
