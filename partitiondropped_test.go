package fluss_test

import (
	"database/sql"
	"errors"
	"sync"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// A read that ends must give everything: a partition that is dropped under it is an error, whichever way it is read.
func TestPartitionDroppedUnderRead(t *testing.T) {
	const key, log = "CREATE TABLE t (id INT, dt STRING, PRIMARY KEY (id, dt)) PARTITIONED BY (dt) WITH ('bucket.num' = '1')",
		"CREATE TABLE t (id INT, dt STRING) PARTITIONED BY (dt) WITH ('bucket.num' = '1')"
	for _, c := range []struct{ name, ddl, query, api string }{
		{"log", log, "SELECT * FROM t", "FETCH_LOG"},
		{"log, its offsets", log, "SELECT * FROM t", "LIST_OFFSETS"},
		{"log, counted", log, "SELECT /*+ EXACT */ COUNT(*) FROM t", "FETCH_LOG"},
		{"log, its statistics", log, "SELECT COUNT(*) FROM t", "GET_TABLE_STATS"},
		{"log, sorted", log, "SELECT * FROM t ORDER BY id LIMIT 10", "FETCH_LOG"},
		{"change log", key, "SELECT * FROM t$changelog", "FETCH_LOG"},
		{"binlog", key, "SELECT * FROM t$binlog", "FETCH_LOG"},
		{"key table", key, "SELECT * FROM t", "LIMIT_SCAN"},
		{"key table, filtered", key, "SELECT * FROM t WHERE id > 0 LIMIT 10", "LIMIT_SCAN"},
		{"key table, its statistics", key, "SELECT COUNT(*) FROM t", "GET_TABLE_STATS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := flusstest.Run(t)
			db, err := sql.Open("fluss", srv.DSN())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			exec := func(query string) {
				if _, err := db.Exec(query); err != nil {
					t.Errorf("%s: %v", query, err)
				}
			}
			exec(c.ddl)
			exec("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')")
			other, err := sql.Open("fluss", srv.DSN()) // whose connections are not held up
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			var once sync.Once
			srv.Hook(func(r *flusstest.Request) flusstest.Action {
				if r.API.String() == c.api {
					once.Do(func() {
						if _, err := other.Exec("ALTER TABLE t DROP PARTITION (dt = 'b')"); err != nil {
							t.Error(err)
						}
					})
				}
				return flusstest.Action{}
			})
			n := 0
			rows, err := db.Query(c.query)
			if err == nil {
				for rows.Next() {
					n++
				}
				err = rows.Err()
				rows.Close()
			}
			if !errors.Is(err, fluss.ErrPartitionNotExist) {
				t.Errorf("%d rows, %v, want ErrPartitionNotExist", n, err)
			}
		})
	}
}
