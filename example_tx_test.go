package fluss_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	_ "github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// A transaction buffers writes until Commit. Its own reads by key see them.
func Example_transaction() {
	srv := flusstest.NewServer()
	defer srv.Close()
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	exec := func(e interface {
		ExecContext(context.Context, string, ...any) (sql.Result, error)
	}, query string, args ...any) {
		if _, err := e.ExecContext(ctx, query, args...); err != nil {
			log.Fatal(err)
		}
	}
	exec(db, "CREATE TABLE account (id INT, balance DECIMAL(15, 2), PRIMARY KEY (id)) WITH ('bucket.num' = '1')")
	exec(db, "INSERT INTO account VALUES (1, 100), (2, 0)")

	tx, err := db.BeginTx(ctx, nil) // ctx bounds Commit too
	if err != nil {
		log.Fatal(err)
	}
	exec(tx, "UPDATE account SET balance = balance - ? WHERE id = ?", "12.50", 1)
	exec(tx, "UPDATE account SET balance = balance + ? WHERE id = ?", "12.50", 2)
	for _, q := range []interface {
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}{tx, db} {
		var balance string
		if err := q.QueryRowContext(ctx, "SELECT balance FROM account WHERE id = ?", 1).Scan(&balance); err != nil {
			log.Fatal(err)
		}
		fmt.Println(balance)
	}
	if err := tx.Commit(); err != nil {
		log.Fatal(err) // a *fluss.PartialWriteError or *fluss.AmbiguousWriteError tells which rows are in
	}
	// Output:
	// 87.50
	// 100.00
}

// A prepared INSERT in a transaction of tx=stream is the way for bulk loads: full batches are sent while the next fill.
func Example_bulkLoad() {
	srv := flusstest.NewServer()
	defer srv.Close()
	db, err := sql.Open("fluss", srv.DSN()+"?tx=stream")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE events (id BIGINT, kind STRING) WITH ('bucket.num' = '4')"); err != nil {
		log.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		log.Fatal(err)
	}
	insert, err := tx.Prepare("INSERT INTO events VALUES (?, ?)")
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100_000 {
		if _, err := insert.Exec(i, "click"); err != nil {
			log.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil { // waits until everything is acknowledged
		log.Fatal(err)
	}
	var n int
	if err := db.QueryRow("SELECT COUNT(*) FROM events").Scan(&n); err != nil {
		log.Fatal(err)
	}
	fmt.Println(n)
	// Output: 100000
}
