package conformance

import (
	"database/sql"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// frozenWrites is what is written while a leader is frozen: a value under a key, and a row of a log.
type frozenWrites struct {
	t   *testing.T
	srv *flusstest.Server
	db  *sql.DB
	all sync.WaitGroup
	n   int
}

// onFrozen runs f in a bubble, with two servers of which 0 leads both tables.
func onFrozen(t *testing.T, f func(w *frozenWrites)) {
	synctest.Test(t, func(t *testing.T) {
		w := &frozenWrites{t: t, srv: flusstest.NewServer(flusstest.InMemory(), flusstest.TabletServers(2), flusstest.Replicas(2))}
		defer w.srv.Close()
		w.db, _ = openInMemory(t, w.srv, nil)
		for _, s := range []string{
			"CREATE DATABASE d",
			"CREATE TABLE d.k (id INT NOT NULL, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '1')",
			"CREATE TABLE d.l (v INT NOT NULL) WITH ('bucket.num' = '1')",
		} {
			mustExec(t, w.db, s)
		}
		for _, table := range []string{"d.k", "d.l"} {
			for _, leader := range []int{1, 0} { // so that there are connections to both
				if err := w.srv.MoveLeader(table, 0, leader); err != nil {
					t.Fatal(err)
				}
				w.write(0)
				w.all.Wait()
			}
		}
		f(w)
		w.all.Wait()
		w.check()
	})
}

// write begins the writes of the next value, which have to be acknowledged within the limit, 0: at any time.
func (w *frozenWrites) write(limit time.Duration) {
	w.n++
	v, begin := w.n, time.Now()
	for _, query := range []string{fmt.Sprintf("UPSERT INTO d.k VALUES (%d, %d)", v, v), fmt.Sprintf("INSERT INTO d.l VALUES (%d)", v)} {
		w.all.Go(func() {
			if _, err := w.db.Exec(query); err != nil {
				w.t.Errorf("%s: %v", query, err)
			}
			if took := time.Since(begin); limit > 0 && took > limit {
				w.t.Errorf("%s: acknowledged after %v, want at most %v", query, took, limit)
			}
		})
	}
}

// check finds each value once.
func (w *frozenWrites) check() {
	for _, table := range []string{"d.k", "d.l"} {
		seen := map[any]int{}
		for _, r := range queryAll(w.t, w.db, "SELECT v FROM "+table) {
			seen[r[0]]++
		}
		for v := 1; v <= w.n; v++ {
			if seen[int64(v)] != 1 {
				w.t.Errorf("%s has %d %d times", table, v, seen[int64(v)])
			}
		}
	}
}

// A frozen leader holds writes up until the cluster takes it for dead and they come to look for another one, not for
// the time that an attempt may take. What the old leader finds in its sockets afterwards changes nothing.
func TestFrozenLeaderWrites(t *testing.T) {
	const visible, look = 5 * time.Second, 2500 * time.Millisecond
	onFrozen(t, func(w *frozenWrites) {
		w.srv.Freeze(0)
		begin := time.Now()
		time.AfterFunc(visible, func() { w.srv.Failover(0) })
		for time.Since(begin) < visible {
			w.write(visible - time.Since(begin) + look)
			time.Sleep(400 * time.Millisecond)
		}
		w.write(look)
		w.all.Wait()
		w.srv.Thaw(0)
		synctest.Wait()
		w.write(look)
	})
}

// After a server was frozen another one may leave single connections unanswered for as long as an attempt may take. The
// writes there go on over a new connection.
func TestStuckWrites(t *testing.T) {
	onFrozen(t, func(w *frozenWrites) {
		stuck := make(chan struct{})
		var first sync.Once
		var conn int64
		w.srv.Hook(func(r *flusstest.Request) flusstest.Action {
			if r.Server != 0 || r.API != flusstest.PutKV && r.API != flusstest.ProduceLog {
				return flusstest.Action{}
			}
			first.Do(func() { conn = r.Conn })
			if r.Conn == conn {
				return flusstest.Action{Wait: stuck}
			}
			return flusstest.Action{}
		})
		w.srv.Freeze(1)
		w.srv.Failover(1)
		for range 5 {
			w.write(3 * time.Second)
			time.Sleep(600 * time.Millisecond)
		}
		w.all.Wait()
		close(stuck) // what waited there is stored already
		synctest.Wait()
		w.write(time.Second)
	})
}

// A server that takes its time is not taken for a frozen one: no write is sent twice.
func TestSlowWrites(t *testing.T) {
	onFrozen(t, func(w *frozenWrites) {
		sent := 0
		w.srv.Hook(func(r *flusstest.Request) flusstest.Action {
			if r.API != flusstest.PutKV && r.API != flusstest.ProduceLog {
				return flusstest.Action{}
			}
			sent++ // on the one connection for writes
			return flusstest.Action{Delay: 20 * time.Second}
		})
		w.write(21 * time.Second)
		w.all.Wait()
		if sent != 2 {
			t.Errorf("%d requests for two writes", sent)
		}
	})
}
