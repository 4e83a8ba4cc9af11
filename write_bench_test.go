package fluss_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	_ "github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// benchDB opens an embedded server with one table in it.
func benchDB(b *testing.B, ddl string) *sql.DB {
	b.Helper()
	db, err := sql.Open("fluss", flusstest.Run(b).DSN())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	if _, err := db.Exec(ddl); err != nil {
		b.Fatal(err)
	}
	return db
}

const (
	kvDDL  = "CREATE TABLE t (id BIGINT, name STRING, balance DECIMAL(15,2), d DATE, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num'='8')"
	logDDL = "CREATE TABLE t (order_id BIGINT, customer_id INT, total_price DECIMAL(15,2), ordered_on DATE, order_priority STRING, clerk STRING) WITH ('bucket.num'='8')"
)

// BenchmarkBulkUpsert is a statement of 10,000 rows; figures are per row.
func BenchmarkBulkUpsert(b *testing.B) {
	const rows = 10_000
	db := benchDB(b, kvDDL)
	query := "UPSERT INTO t VALUES (?,?,?,?)" + strings.Repeat(",(?,?,?,?)", rows-1)
	args := make([]any, 0, 4*rows)
	for i := range rows {
		args = append(args, int64(i), fmt.Sprintf("customer#%09d", i), fmt.Sprintf("%d.%02d", i, i%100), time.Unix(int64(i%2500)*86400, 0).UTC())
	}
	perRow(b, rows, func() error {
		_, err := db.Exec(query, args...)
		return err
	})
}

// BenchmarkBulkAppend is a statement of 10,000 rows; figures are per row.
func BenchmarkBulkAppend(b *testing.B) {
	const rows = 10_000
	db := benchDB(b, logDDL)
	query := "INSERT INTO t VALUES (?,?,?,?,?,?)" + strings.Repeat(",(?,?,?,?,?,?)", rows-1)
	args := make([]any, 0, 6*rows)
	for i := range rows {
		args = append(args, int64(i), int64(i%150000), fmt.Sprintf("%d.%02d", i, i%100), time.Unix(int64(i%2406)*86400, 0).UTC(), "4-NOT SPECIFIED", fmt.Sprintf("Clerk#%09d", i%1000))
	}
	perRow(b, rows, func() error {
		_, err := db.Exec(query, args...)
		return err
	})
}

// perRow runs a statement of n rows until b.N rows are done.
func perRow(b *testing.B, n int, run func() error) {
	b.Helper()
	if err := run(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; done += n {
		if err := run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpsert is one row a statement.
func BenchmarkUpsert(b *testing.B) {
	db := benchDB(b, kvDDL)
	stmt, err := db.Prepare("UPSERT INTO t VALUES (?, ?, ?, ?)")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := stmt.Exec(int64(i), "customer", "12.50", time.Unix(0, 0)); err != nil {
			b.Fatal(err)
		}
	}
}
