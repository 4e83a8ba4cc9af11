package fluss_test

import (
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/gofluss/fluss/flusstest"
)

// Rows of a key table that are read without a detour are those that go by way of Datums, which a condition that holds for every row brings
// about: with rows of an earlier schema among them, and a LIMIT in the middle of a batch. A result that is left early leaves
// nothing to the next.
func TestStoredRows(t *testing.T) {
	db, err := sql.Open("fluss", flusstest.Run(t).DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const n = 6000
	exec := func(query string) {
		t.Helper()
		if _, err := db.Exec(query); err != nil {
			t.Fatalf("%.60s: %v", query, err)
		}
	}
	upsert := func(columns string, from, to int, row func(i int) string) {
		t.Helper()
		var list []string
		for i := from; i < to; i++ {
			list = append(list, row(i))
		}
		exec("UPSERT INTO k (" + columns + ") VALUES " + strings.Join(list, ", "))
	}
	exec("CREATE TABLE k (id BIGINT, name STRING, cost DECIMAL(9, 2), day DATE, raw BYTES, list ARRAY<INT>, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '2')")
	old := func(i int) string {
		return fmt.Sprintf("(%d, '%0*d', %d.25, DATE '2024-02-%02d', x'%04x', ARRAY[%d, NULL])", i, i%300, i, i, 1+i%29, i, i)
	}
	const columns = "id, name, cost, day, raw, list"
	upsert(columns, 0, n, old)
	compare := func(when string) {
		t.Helper()
		for _, query := range []string{
			"SELECT * FROM k%s", "SELECT list, raw, id, id FROM k%s", "SELECT * FROM k%s LIMIT 1000", "SELECT * FROM k%s LIMIT 4000 OFFSET 700",
			"SELECT day, name FROM k%s",
		} {
			got, want := values(t, db, fmt.Sprintf(query, "")), values(t, db, fmt.Sprintf(query, " WHERE id >= 0"))
			if len(want) < 1000 || len(got) != len(want) {
				t.Fatalf("%s, %s: %d rows, one by one %d", when, query, len(got), len(want))
			}
			for i := range want {
				if !reflect.DeepEqual(got[i], want[i]) {
					t.Fatalf("%s, %s: row %d is\n%v, one by one\n%v", when, query, i, got[i], want[i])
				}
			}
		}
	}
	compare("one schema")
	for _, rows := range []int{70, 2900} {
		leaveAfter(t, db, rows)
		compare(fmt.Sprint("after a result of which ", rows, " rows were read"))
	}
	exec("ALTER TABLE k ADD more STRING")
	upsert(columns+", more", 2000, 2400, func(i int) string { return strings.TrimSuffix(old(i), ")") + ", 'later')" })
	compare("two schemas")
}

func leaveAfter(t *testing.T, db *sql.DB, n int) {
	t.Helper()
	rows, err := db.Query("SELECT id, name FROM k")
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
}
