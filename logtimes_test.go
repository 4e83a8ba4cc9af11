package fluss_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// A leader whose clock is behind goes on with the timestamps of the one before it, and refuses to look up a time that
// its clock has not come to. Rows that have such a time are found all the same.
func TestCommitTimestampAheadOfClock(t *testing.T) {
	noon := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	clock := flusstest.NewClock(noon)
	srv := flusstest.Run(t, flusstest.WithClock(clock))
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(query string) {
		t.Helper()
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	exec("CREATE TABLE t (id INT) WITH ('bucket.num' = '1')")
	exec("INSERT INTO t VALUES (1)")
	clock.Advance(time.Hour)
	exec("INSERT INTO t VALUES (2)")
	clock.Set(noon.Add(-24 * time.Hour))
	exec("INSERT INTO t VALUES (3)") // at 13:00 too
	for _, c := range []struct {
		where string
		want  string
	}{
		{">= '2026-08-01 13:00:00'", "[2 3]"},
		{"= '2026-08-01 13:00:00'", "[2 3]"},
		{"> '2026-08-01 12:00:00'", "[2 3]"},
		{"> '2026-08-01 13:00:00'", "[]"},
		{"< '2026-08-01 13:00:00'", "[1]"},
		{"<= '2026-08-01 13:00:00'", "[1 2 3]"},
		{"BETWEEN '2026-08-01 12:00:00.000000001' AND '2030-01-01 00:00:00'", "[2 3]"},
	} {
		rows, err := db.Query("SELECT id FROM t WHERE _commit_timestamp " + c.where)
		if err != nil {
			t.Fatalf("%s: %v", c.where, err)
		}
		got := []int{}
		for rows.Next() {
			var id int
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			got = append(got, id)
		}
		if rows.Err() != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.where, got, rows.Err(), c.want)
		}
	}
}
