package conformance

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// retainedHeap is what a pool may leave on the heap when it is closed, in bytes.
const retainedHeap = 2 << 20

// TestNothingRetained: many callers load, read, fail and are cut off through pools that are then closed. Neither goroutines
// nor files stay, nor more than 2 MiB of memory: after the first round, which fills what the process has once, and after
// twenty, so that nothing grows.
func TestNothingRetained(t *testing.T) {
	round := func() {
		srv := flusstest.NewServer(flusstest.TabletServers(2))
		defer srv.Close()
		db, err := sql.Open("fluss", srv.DSN()+"?max_inflight_bytes=4194304")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		loadAndFail(t, srv, db)
	}
	before := measure()
	round()
	base := retained()
	for range 20 {
		round()
	}
	if now := retained(); now > base+retainedHeap {
		t.Errorf("%d bytes are left, after the first round it were %d", now, base)
	} else {
		t.Logf("%d bytes after one round, %d after 21", base, now)
	}
	flat(t, before)
}

// TestHeapAfterClose measures what one pool leaves, with the server's memory gone too.
func TestHeapAfterClose(t *testing.T) {
	base := retained()
	func() {
		srv := flusstest.NewServer(flusstest.TabletServers(2))
		defer srv.Close()
		db, err := sql.Open("fluss", srv.DSN())
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		loadAndFail(t, srv, db)
	}()
	now := retained()
	t.Logf("%d bytes before, %d after", base, now)
	if now > base+retainedHeap {
		t.Errorf("%d bytes are retained, at most %d are allowed", now-base, retainedHeap)
	}
}

func retained() uint64 {
	for range 3 { // pools let go what was not used in two collections
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func loadAndFail(t *testing.T, srv *flusstest.Server, db *sql.DB) {
	t.Helper()
	for _, s := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.t (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='4')",
		"CREATE TABLE d.l (k INT NOT NULL, v STRING) WITH ('bucket.num'='4')",
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	value := strings.Repeat("v", 4000)
	var work sync.WaitGroup
	for c := range 8 {
		work.Go(func() {
			for n := range 20 {
				k := 100*c + n
				if _, err := db.Exec("INSERT INTO d.t VALUES (?, ?)", k, value); err != nil {
					t.Error(err)
				}
				if _, err := db.Exec("INSERT INTO d.l VALUES (?, ?)", k, value); err != nil {
					t.Error(err)
				}
				var v string
				if err := db.QueryRow("SELECT v FROM d.t WHERE k = ?", k).Scan(&v); err != nil || v != value {
					t.Errorf("key %d: %d bytes, %v", k, len(v), err)
				}
				if err := db.QueryRow(fmt.Sprintf("SELECT v FROM d.t WHERE k = %d", -k-1)).Scan(&v); !errors.Is(err, sql.ErrNoRows) {
					t.Errorf("key %d: %v", -k-1, err)
				}
				if _, err := db.Exec("INSERT INTO d.nope VALUES (1)"); !errors.Is(err, fluss.ErrTableNotExist) {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	for _, table := range []string{"t", "l"} {
		if n := len(queryAll(t, db, "SELECT * FROM d."+table)); n != 160 {
			t.Errorf("%d rows of %s, want 160", n, table)
		}
	}
	srv.DropConnections()
	rows, err := db.Query("SELECT * FROM d.l") // and left before its end
	if err != nil {
		t.Fatal(err)
	}
	rows.Next()
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}
