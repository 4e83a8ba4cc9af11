// Quickstart works with two tables of a Fluss cluster through database/sql alone: a key table, which keeps the newest
// row of each key, and a log table, which keeps every event.
//
// It runs on a server of its own, in this process, or on the cluster that FLUSS_DSN names:
//
//	go run ./examples/quickstart
//	FLUSS_DSN=fluss://127.0.0.1:9123/demo go run ./examples/quickstart
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"time"

	_ "github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

func main() {
	dsn := os.Getenv("FLUSS_DSN")
	if dsn == "" {
		srv := flusstest.NewServer()
		defer srv.Close()
		dsn = srv.DSN()
	}
	db, err := sql.Open("fluss", dsn)
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, step := range []func(context.Context, *sql.DB) error{createTables, keyTable, logTable, oneLiners, moreTables} {
		if err := step(ctx, db); err != nil {
			log.Fatal(err)
		}
	}
}

var ddl = []string{
	`CREATE DATABASE IF NOT EXISTS demo;`,
	`CREATE TABLE IF NOT EXISTS demo.customer_profile (
  customer_id INT, name STRING, membership STRING, account_balance DECIMAL(15, 2),
  PRIMARY KEY (customer_id) NOT ENFORCED
);`,
	`CREATE TABLE IF NOT EXISTS demo.order_events (
  order_id BIGINT, customer_id INT, total_price DECIMAL(15, 2), ordered_on DATE, order_priority STRING, clerk STRING
) WITH ('bucket.num' = '1');`,
}

func createTables(ctx context.Context, db *sql.DB) error {
	for _, statement := range ddl {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// profile is a row of customer_profile. Any type that scans a string takes a DECIMAL exactly.
type profile struct {
	id                        int
	name, membership, balance string
}

func (p profile) String() string {
	return fmt.Sprintf("%d %q %s %s", p.id, p.name, p.membership, p.balance)
}

func readProfile(ctx context.Context, db *sql.DB, id int) (p profile, err error) {
	err = db.QueryRowContext(ctx, `SELECT customer_id, name, membership, account_balance FROM demo.customer_profile WHERE customer_id = ?`, id).
		Scan(&p.id, &p.name, &p.membership, &p.balance)
	return p, err
}

func randomBalance() string {
	return fmt.Sprintf("%d.%02d", 10+rand.IntN(990), rand.IntN(100))
}

const customer = 999999

func keyTable(ctx context.Context, db *sql.DB) error {
	fmt.Println("-- key table: the newest row of each key")
	p := profile{customer, "Quickstart User", "go-client-before", randomBalance()}
	fmt.Println("write ", p)
	if err := upsert(ctx, db, p); err != nil {
		return err
	}
	p.membership, p.balance = "go-client-after", randomBalance()
	fmt.Println("change", p)
	if err := upsert(ctx, db, p); err != nil {
		return err
	}
	_, err := readProfile(ctx, db, -1)
	fmt.Println("a missing key is sql.ErrNoRows:", errors.Is(err, sql.ErrNoRows))
	return nil
}

func upsert(ctx context.Context, db *sql.DB, p profile) error {
	_, err := db.ExecContext(ctx, `UPSERT INTO demo.customer_profile VALUES (?, ?, ?, ?)`, p.id, p.name, p.membership, p.balance)
	if err != nil {
		return err
	}
	back, err := readProfile(ctx, db, p.id)
	fmt.Println("read  ", back)
	return err
}

func logTable(ctx context.Context, db *sql.DB) error {
	fmt.Println("-- log table: every event")
	first, bucket, err := appendEvents(ctx, db)
	if err != nil {
		return err
	}
	fmt.Printf("stored in bucket %d at offsets %d to %d\n", bucket, first, first+3)
	rows, err := db.QueryContext(ctx, `SELECT _log_offset, order_id, total_price, ordered_on, order_priority, clerk FROM demo.order_events
		WHERE _bucket = ? AND _log_offset BETWEEN ? AND ? ORDER BY _log_offset`, bucket, first, first+3)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var offset, order int64
		var price, priority, clerk string
		var day time.Time
		if err := rows.Scan(&offset, &order, &price, &day, &priority, &clerk); err != nil {
			return err
		}
		fmt.Println("event ", offset, order, price, day.Format(time.DateOnly), priority, clerk)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return count(ctx, db, "demo.order_events")
}

// appendEvents writes four events with one statement and returns where they went. It checks that the offsets are
// contiguous.
func appendEvents(ctx context.Context, db *sql.DB) (first, bucket int64, err error) {
	rows, err := db.QueryContext(ctx, `INSERT INTO demo.order_events VALUES
		(1, 999999, 42.15, DATE '2026-08-01', '1-URGENT', 'Clerk#1'),
		(2, 999999, 85.60, DATE '2026-08-02', '2-HIGH', 'Clerk#2'),
		(3, 999999, 129.90, DATE '2026-08-03', '3-MEDIUM', 'Clerk#1'),
		(4, 999999, 24.50, DATE '2026-08-04', '5-LOW', 'Clerk#3')
		RETURNING _bucket, _log_offset`)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	for i := int64(0); rows.Next(); i++ {
		var offset int64
		if err := rows.Scan(&bucket, &offset); err != nil {
			return 0, 0, err
		}
		if i == 0 {
			first = offset
		} else if offset != first+i {
			return 0, 0, fmt.Errorf("row %d went to offset %d, not to %d", i, offset, first+i)
		}
	}
	return first, bucket, rows.Err()
}

func count(ctx context.Context, db *sql.DB, table string) error {
	var n int64
	err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+table).Scan(&n)
	fmt.Println("rows in", table+":", n)
	return err
}

func oneLiners(ctx context.Context, db *sql.DB) error {
	fmt.Println("-- and, each one statement")
	if _, err := db.ExecContext(ctx, `UPSERT INTO demo.customer_profile VALUES (1, 'Ann', 'gold', 1250.75), (2, 'Bob', 'silver', 0.10)`); err != nil {
		return err
	}
	for _, q := range []struct{ what, sql string }{
		{"several keys, the missing one told apart", `SELECT /*+ KEEP_MISSING */ customer_id, name, _found FROM demo.customer_profile WHERE customer_id IN (2, 404, 1)`},
		{"the first rows of a scan", `SELECT customer_id, name FROM demo.customer_profile LIMIT 3`},
	} {
		if err := printRows(ctx, db, q.what, q.sql); err != nil {
			return err
		}
	}
	for _, q := range []struct{ what, sql string }{
		{"partial update by column list", `INSERT INTO demo.customer_profile (customer_id, membership) VALUES (1, 'platinum')`},
		{"partial update by UPDATE", `UPDATE demo.customer_profile SET account_balance = 99.99 WHERE customer_id = 1`},
		{"delete by key", `DELETE FROM demo.customer_profile WHERE customer_id = 2`},
	} {
		result, err := db.ExecContext(ctx, q.sql)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d row\n", q.what, n)
	}
	_, err := readProfile(ctx, db, 2)
	fmt.Println("after the delete it is sql.ErrNoRows:", errors.Is(err, sql.ErrNoRows))
	ann, err := readProfile(ctx, db, 1)
	if err != nil {
		return err
	}
	fmt.Println("after the updates:", ann)
	for _, q := range []struct{ what, sql string }{
		{"the history of one key", `SELECT _change_type, _log_offset, name, membership, account_balance FROM demo.customer_profile$changelog WHERE customer_id = 1`},
		{"the plan of a point SELECT", `EXPLAIN SELECT * FROM demo.customer_profile WHERE customer_id = 1`},
	} {
		if err := printRows(ctx, db, q.what, q.sql); err != nil {
			return err
		}
	}
	return count(ctx, db, "demo.customer_profile")
}

// printRows runs a query and prints its rows, whatever their columns.
func printRows(ctx context.Context, db *sql.DB, what, query string) error {
	fmt.Println(what + ":")
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]any, len(names))
	for i := range values {
		values[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return err
		}
		fmt.Print("   ")
		for _, v := range values {
			fmt.Print(" ", *v.(*any))
		}
		fmt.Println()
	}
	return rows.Err()
}

func moreTables(ctx context.Context, db *sql.DB) error {
	fmt.Println("-- two more tables")
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range []string{
		`USE demo`,
		`DROP TABLE IF EXISTS payment_events`,
		`DROP TABLE IF EXISTS customer_features`,
		`CREATE TABLE payment_events (
  payment_id STRING, customer_id STRING, amount DECIMAL(18, 2), paid_at TIMESTAMP(3)
) WITH ('bucket.num' = '8');`,
		`CREATE TABLE customer_features (
  customer_id STRING, plan STRING, score DOUBLE, PRIMARY KEY (customer_id) NOT ENFORCED
) WITH ('bucket.num' = '4');`,
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, `UPSERT INTO customer_features VALUES ('c-1', 'team', 0.75)`); err != nil {
		return err
	}
	var change, id string
	var offset int64
	var at time.Time
	var plan string
	var score float64
	if err := conn.QueryRowContext(ctx, `SELECT * FROM customer_features$changelog;`).Scan(&change, &offset, &at, &id, &plan, &score); err != nil {
		return err
	}
	fmt.Println("first change of customer_features:", change, offset, id, plan, score)
	return nil
}
