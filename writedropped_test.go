package fluss_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// A table is dropped and made again while a batch lies open that was stored and whose answer got lost. Its outcome is
// unknown for good, and the statement must not run once more on the new table.
func TestDropUnderOpenBatch(t *testing.T) {
	for name, query := range map[string]string{
		"insert": "INSERT INTO t VALUES (1, 'a')",
		"delete": "DELETE FROM t WHERE id = 0",
	} {
		t.Run(name, func(t *testing.T) {
			s := newTxServer(t, func(c *fluss.Config) { c.WriteTimeout = 20 * time.Second })
			if _, err := s.db.Exec("INSERT INTO t VALUES (0, 'old'), (2, 'old')"); err != nil {
				t.Fatal(err)
			}
			stored, dropped := make(chan struct{}), make(chan struct{})
			var puts atomic.Int32
			s.Hook(func(r *flusstest.Request) flusstest.Action {
				switch {
				case r.API != flusstest.PutKV:
					return flusstest.Action{}
				case puts.Add(1) == 1:
					close(stored)
					return flusstest.Action{Silent: true, Close: true}
				}
				return flusstest.Action{Wait: dropped}
			})
			end := make(chan error)
			go func() { // ends with the statement, waited for below
				_, err := s.db.Exec(query)
				end <- err
			}()
			<-stored
			for _, ddl := range []string{"DROP TABLE t", "CREATE TABLE t (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '2')"} {
				if _, err := s.db.Exec(ddl); err != nil {
					t.Fatal(err)
				}
			}
			close(dropped)
			if err := <-end; !errors.Is(err, fluss.ErrAmbiguousWrite) {
				t.Errorf("got %v, want unknown", err)
			}
			var n int
			if err := s.db.QueryRow("SELECT COUNT(*) FROM t").Scan(&n); err != nil || n != 0 {
				t.Errorf("the new table has %d rows, %v", n, err)
			}
		})
	}
}
