package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// idle tells what costs nothing is to cost: tables that are known, results that are open, goroutines that wait. It runs on
// an embedded server in the same process, whose memory is taken off.
func idle(b *bench) error {
	tables, results, callers := b.number("tables", 10_000), b.number("results", 100), b.number("callers", 1000)
	srv := flusstest.NewServer()
	defer srv.Close()
	maker, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		return err
	}
	defer maker.Close()
	err = concurrently(16, tables, func(k int) error {
		_, err := maker.ExecContext(b.ctx, fmt.Sprintf("CREATE TABLE t%d (id BIGINT, name STRING, balance DECIMAL(15,2), d DATE, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num'='1')", k))
		return err
	})
	if err != nil {
		return err
	}
	for _, s := range []string{"UPSERT INTO t0 VALUES (1, 'a', '1.00', '2024-01-01')", "CREATE TABLE log (id BIGINT, s STRING) WITH ('bucket.num'='8')"} {
		if _, err := maker.ExecContext(b.ctx, s); err != nil {
			return err
		}
	}
	for range 8 {
		if err := fillLog(b.ctx, maker); err != nil {
			return err
		}
	}
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(0)
	db.SetMaxIdleConns(callers)
	line := map[string]any{"peer": "gofluss", "w": "idle"}
	if err := lookupsOf(b, db, line, "before", 1, 2000); err != nil {
		return err
	}
	heap := settledHeap()
	step := func(name string, n int) {
		now := settledHeap()
		line[name+"_kib_each"] = round(float64(int64(now)-int64(heap))/1024/float64(n), 2)
		heap = now
	}
	err = concurrently(16, tables, func(k int) error {
		var name string
		err := db.QueryRowContext(b.ctx, fmt.Sprintf("SELECT name FROM t%d WHERE id = 2", k)).Scan(&name)
		if err == sql.ErrNoRows {
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	step("known_table", tables)
	if err := lookupsOf(b, db, line, "known_tables", 1, 2000); err != nil {
		return err
	}
	open, err := openResults(b.ctx, db, results)
	if err != nil {
		return err
	}
	step("open_result", results)
	if err := lookupsOf(b, db, line, "open_results", 1, 2000); err != nil {
		return err
	}
	if err := lookupsOf(b, db, line, "callers", callers, 20*callers); err != nil {
		return err
	}
	step("caller", callers)
	for _, r := range open {
		if err := r.Close(); err != nil {
			return err
		}
	}
	line["goroutines"] = runtime.NumGoroutine()
	line["tables"], line["results"], line["callers"] = tables, results, callers
	return json.NewEncoder(os.Stdout).Encode(line)
}

func fillLog(ctx context.Context, db *sql.DB) error {
	query, args := "INSERT INTO log VALUES ", []any{}
	for i := range 1000 {
		if i > 0 {
			query += ","
		}
		query += "(?,?)"
		args = append(args, i, "text")
	}
	_, err := db.ExecContext(ctx, query, args...)
	return err
}

// openResults reads a row each of that many scans, and leaves them open.
func openResults(ctx context.Context, db *sql.DB, n int) (open []*sql.Rows, err error) {
	for range n {
		rows, err := db.QueryContext(ctx, "SELECT * FROM log")
		if err != nil {
			return open, err
		}
		open = append(open, rows)
		if !rows.Next() {
			return open, fmt.Errorf("an empty scan: %w", rows.Err())
		}
	}
	return open, nil
}

// lookupsOf measures lookups of one row by so many callers.
func lookupsOf(b *bench, db *sql.DB, line map[string]any, name string, callers, n int) error {
	took := make([]time.Duration, n)
	err := concurrently(callers, n, func(k int) error {
		var name string
		at := time.Now()
		err := db.QueryRowContext(b.ctx, "SELECT name FROM t0 WHERE id = 1").Scan(&name)
		took[k] = time.Since(at)
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(took)
	line[name+"_p50_us"], line[name+"_p99_us"] = micros(took[n/2]), micros(took[n*99/100])
	return nil
}
