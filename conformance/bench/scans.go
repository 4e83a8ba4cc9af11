package main

import (
	"database/sql"
	"fmt"
	"time"
)

// scan is W7: every row from the earliest offset to the end. columns=2 reads two of the six, mode=arrow record batches.
func scan(b *bench) error {
	table := b.text("table", "bench.log8")
	n, read := b.number("n", logRows), readLog
	query := "SELECT * FROM " + table
	if b.text("columns", "6") == "2" {
		query, read = "SELECT order_id, total_price FROM "+table, readTwo
	}
	once := func() error { return scanOnce(b, query, read, n) }
	if b.text("mode", "rows") == "arrow" {
		once = func() error { return b.scanArrow(query, n) }
	}
	for range b.number("warm", 1) {
		if err := once(); err != nil {
			return err
		}
	}
	heap := b.watchHeap()
	s := begin(b)
	if err := once(); err != nil {
		return err
	}
	if err := heap.end(b); err != nil {
		return err
	}
	return s.end(b, n)
}

func scanOnce(b *bench, query string, read func(*sql.Rows) (int, int64, error), want int) error {
	rows, err := b.db.QueryContext(b.ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	n, sum, err := read(rows)
	if err != nil {
		return err
	}
	if n != want || sum != int64(n)*int64(n-1)/2 {
		return fmt.Errorf("%d rows with a key sum of %d, want %d rows", n, sum, want)
	}
	return rows.Err()
}

func readLog(rows *sql.Rows) (n int, sum int64, err error) {
	var order, customer int64
	var price, priority, clerk string
	var day time.Time
	for rows.Next() {
		if err := rows.Scan(&order, &customer, &price, &day, &priority, &clerk); err != nil {
			return n, sum, err
		}
		n, sum = n+1, sum+order
	}
	return n, sum, rows.Err()
}

func readTwo(rows *sql.Rows) (n int, sum int64, err error) {
	var order int64
	var price string
	for rows.Next() {
		if err := rows.Scan(&order, &price); err != nil {
			return n, sum, err
		}
		n, sum = n+1, sum+order
	}
	return n, sum, rows.Err()
}
