package fluss_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"
)

// benchKV is a key table of n rows on an embedded server, whose memory and time are in the figures too.
func benchKV(b *testing.B, n int) *sql.DB {
	b.Helper()
	db := benchDB(b, kvDDL)
	args := make([]any, 0, 4*n)
	for i := range n {
		args = append(args, int64(i), fmt.Sprintf("customer#%09d", i), "12.50", time.Unix(int64(i)*86400, 0).UTC())
	}
	if _, err := db.Exec("UPSERT INTO t VALUES (?,?,?,?)"+strings.Repeat(",(?,?,?,?)", n-1), args...); err != nil {
		b.Fatal(err)
	}
	return db
}

func prepared(b *testing.B, db *sql.DB, query string) *sql.Stmt {
	b.Helper()
	stmt, err := db.Prepare(query)
	if err != nil {
		b.Fatal(err)
	}
	return stmt
}

// read reads all rows of four columns.
func read(b *testing.B, stmt *sql.Stmt, want int, args ...any) {
	b.Helper()
	rows, err := stmt.Query(args...)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	var id int64
	var name, balance string
	var day time.Time
	n := 0
	for ; rows.Next(); n++ {
		if err := rows.Scan(&id, &name, &balance, &day); err != nil {
			b.Fatal(err)
		}
	}
	if rows.Err() != nil || n != want {
		b.Fatalf("%d rows, want %d: %v", n, want, rows.Err())
	}
}

func BenchmarkPointLookup(b *testing.B) {
	stmt := prepared(b, benchKV(b, 1000), "SELECT * FROM t WHERE id = ?")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		read(b, stmt, 1, int64(i%1000))
	}
}

// BenchmarkManyKeys is an IN of 1,000 keys; figures are per statement.
func BenchmarkManyKeys(b *testing.B) {
	stmt := prepared(b, benchKV(b, 1000), "SELECT * FROM t WHERE id IN (?"+strings.Repeat(",?", 999)+")")
	args := make([]any, 1000)
	for i := range args {
		args[i] = int64(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		read(b, stmt, 1000, args...)
	}
}

// BenchmarkLimitScan reads 1,000 rows of one bucket; figures are per statement.
func BenchmarkLimitScan(b *testing.B) {
	stmt := prepared(b, benchKV(b, 10_000), "SELECT * FROM t WHERE _bucket = 0 LIMIT 1000")
	b.ReportAllocs()
	for b.Loop() {
		read(b, stmt, 1000)
	}
}

// BenchmarkLogScan reads a log of 20,000 rows; figures are per statement.
func BenchmarkLogScan(b *testing.B) {
	db := benchDB(b, strings.Replace(kvDDL, ", PRIMARY KEY (id) NOT ENFORCED", "", 1))
	const n = 20_000
	args := make([]any, 0, 4*n)
	for i := range n {
		args = append(args, int64(i), fmt.Sprintf("customer#%09d", i), "12.50", time.Unix(int64(i%2500)*86400, 0).UTC())
	}
	if _, err := db.Exec("INSERT INTO t VALUES (?,?,?,?)"+strings.Repeat(",(?,?,?,?)", n-1), args...); err != nil {
		b.Fatal(err)
	}
	stmt := prepared(b, db, "SELECT * FROM t")
	b.ReportAllocs()
	for b.Loop() {
		read(b, stmt, n)
	}
}
