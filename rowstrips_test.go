package fluss_test

import (
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

const stripColumns = "b BOOLEAN, i8 TINYINT, i16 SMALLINT, i INT, l BIGINT, f FLOAT, d DOUBLE, c CHAR(3), s STRING, bin BINARY(2), raw BYTES, " +
	"dec DECIMAL(15,2), wide DECIMAL(30,4), day DATE, clock TIME(3), ts TIMESTAMP(6), tz TIMESTAMP_LTZ(3), list ARRAY<INT>"

// everyRow is row i of a table of stripColumns: every fifth value is NULL, another one in each row.
func everyRow(i int) []any {
	at := time.Date(2024, 1, 1, 0, 0, i, 1000*i, time.UTC)
	row := []any{i%2 == 0, i % 100, -i, i * 7, int64(i) << 30, float32(i) / 4, float64(i) / 3, fmt.Sprintf("%03d", i%1000), strings.Repeat("x", i%400),
		[]byte{byte(i), 1}, []byte(fmt.Sprint(i)), fmt.Sprintf("%d.05", i), fmt.Sprintf("-12345678901234567890.%04d", i), at.Truncate(24*time.Hour).AddDate(0, 0, i),
		time.Duration(i) * time.Second, at, at.Truncate(time.Millisecond), []int{i, i + 1}}
	for k := range row {
		if (i+k)%5 == 0 {
			row[k] = nil
		}
	}
	return row
}

// values reads all rows as any, which is what Next gives.
func values(t *testing.T, db *sql.DB, query string, args ...any) [][]any {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]any
	for rows.Next() {
		row, dest := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			dest[i] = &row[i]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// Rows made in strips are those that are made one by one, which a condition that holds for every row brings about.
func TestStripsAreRows(t *testing.T) {
	db, err := sql.Open("fluss", flusstest.Run(t).DSN()+"?loc=Europe%2FBerlin")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%.60s: %v", query, err)
		}
	}
	exec("CREATE TABLE strips (" + stripColumns + ") WITH ('bucket.num'='1')")
	n := 0
	insert := func(rows int) {
		var args []any
		one := "(" + strings.Repeat("?,", 17) + "?)"
		for range rows {
			args = append(args, everyRow(n)...)
			n++
		}
		exec("INSERT INTO strips (b, i8, i16, i, l, f, d, c, s, bin, raw, dec, wide, day, clock, ts, tz, list) VALUES "+one+strings.Repeat(","+one, rows-1), args...)
	}
	for _, rows := range []int{1, 7, 1500, 2, 90} {
		insert(rows)
	}
	exec("ALTER TABLE strips ADD later STRING")
	insert(150)

	for _, query := range []string{
		"SELECT * FROM strips%s",
		"SELECT l, s, l, later FROM strips%s",
		"SELECT _log_offset, s, _bucket, dec FROM strips%s",
		"SELECT * FROM strips%s LIMIT 3",
		"SELECT * FROM strips%s LIMIT 70 OFFSET 5",
		"SELECT * FROM strips%s LIMIT 700 OFFSET 100",
		"SELECT /*+ OFFSETS('0:3-40') */ * FROM strips%s",
		"SELECT /*+ OFFSETS('0:300-1200') */ * FROM strips%s",
	} {
		got := values(t, db, fmt.Sprintf(query, ""))
		want := values(t, db, fmt.Sprintf(query, " WHERE l IS NULL OR l IS NOT NULL"))
		if len(got) == 0 || len(got) != len(want) {
			t.Fatalf("%s: %d rows, one by one %d", query, len(got), len(want))
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%s: row %d is\n%v, one by one\n%v", query, i, got[i], want[i])
			}
		}
	}
	if got := values(t, db, "SELECT * FROM strips"); len(got) != n {
		t.Errorf("got %d rows, want %d", len(got), n)
	}
}

// Typed destinations get the values of their rows, over several batches.
func TestStripsIntoTypes(t *testing.T) {
	db, err := sql.Open("fluss", flusstest.Run(t).DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE typed (l BIGINT, i INT, s STRING, dec DECIMAL(15,2), day DATE, ts TIMESTAMP(6), d DOUBLE) WITH ('bucket.num'='1')"); err != nil {
		t.Fatal(err)
	}
	const each = 150
	day := time.Date(2023, 12, 30, 0, 0, 0, 0, time.UTC)
	for from := 0; from < 3*each; from += each {
		var args []any
		for i := from; i < from+each; i++ {
			args = append(args, i, -i, fmt.Sprint("row ", i), fmt.Sprintf("%d.50", i), day.AddDate(0, 0, i), day.Add(time.Duration(i)*time.Microsecond), float64(i)/2)
		}
		if _, err := db.Exec("INSERT INTO typed VALUES (?,?,?,?,?,?,?)"+strings.Repeat(",(?,?,?,?,?,?,?)", each-1), args...); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := db.Query("SELECT * FROM typed")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	var l, i int64
	var s, dec string
	var date, ts time.Time
	var d float64
	for ; rows.Next(); n++ {
		if err := rows.Scan(&l, &i, &s, &dec, &date, &ts, &d); err != nil {
			t.Fatal(err)
		}
		if l != int64(n) || i != -l || s != fmt.Sprint("row ", n) || dec != fmt.Sprintf("%d.50", n) || !date.Equal(day.AddDate(0, 0, n)) ||
			!ts.Equal(day.Add(time.Duration(n)*time.Microsecond)) || d != float64(n)/2 {
			t.Fatalf("row %d: got %d, %d, %s, %s, %v, %v, %v", n, l, i, s, dec, date, ts, d)
		}
	}
	if rows.Err() != nil || n != 3*each {
		t.Errorf("%d rows: %v", n, rows.Err())
	}
}
