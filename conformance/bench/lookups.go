package main

import (
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// lookupOne reads every column of one row.
func lookupOne(b *bench, stmt *sql.Stmt, id int64) error {
	var got int64
	var name, balance string
	var day time.Time
	if err := stmt.QueryRowContext(b.ctx, id).Scan(&got, &name, &balance, &day); err != nil {
		return fmt.Errorf("key %d: %w", id, err)
	}
	if got != id {
		return fmt.Errorf("key %d gave row %d", id, got)
	}
	return nil
}

func (b *bench) lookupStmt() (*sql.Stmt, error) {
	return b.db.PrepareContext(b.ctx, "SELECT * FROM "+b.text("table", "bench.kv")+" WHERE id = ?")
}

// sequentialLookups is W1.
func sequentialLookups(b *bench) error {
	stmt, err := b.lookupStmt()
	if err != nil {
		return err
	}
	for k := range b.number("warm", 500) {
		if err := lookupOne(b, stmt, key(warmSeed, k)); err != nil {
			return err
		}
	}
	n := b.number("n", 5000)
	s := begin(b)
	for k := range n {
		at := time.Now()
		if err := lookupOne(b, stmt, key(1, k)); err != nil {
			return err
		}
		s.latencies = append(s.latencies, time.Since(at))
	}
	return s.end(b, n)
}

// concurrently runs f for 0..n-1 from several goroutines and returns the first error.
func concurrently(callers, n int, f func(k int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make(chan error, callers)
	for range callers {
		wg.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= n {
					return
				}
				if err := f(k); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// concurrentLookups is W2.
func concurrentLookups(b *bench) error {
	stmt, err := b.lookupStmt()
	if err != nil {
		return err
	}
	callers, n := b.number("callers", 64), b.number("n", 200_000)
	if err := concurrently(callers, b.number("warm", 20_000), func(k int) error { return lookupOne(b, stmt, key(warmSeed, k)) }); err != nil {
		return err
	}
	s := begin(b)
	if err := concurrently(callers, n, func(k int) error { return lookupOne(b, stmt, key(2, k)) }); err != nil {
		return err
	}
	return s.end(b, n)
}

// manyKeys is W3: IN lists of 1,000 keys, one after the other.
func manyKeys(b *bench) error {
	const size = 1000
	stmt, err := b.db.PrepareContext(b.ctx, "SELECT * FROM "+b.text("table", "bench.kv")+" WHERE id IN (?"+strings.Repeat(", ?", size-1)+")")
	if err != nil {
		return err
	}
	batch := func(seed, at int) (int, error) {
		args := make([]any, size)
		distinct := map[int64]bool{}
		for i := range args {
			id := key(seed, at*size+i)
			args[i], distinct[id] = id, true
		}
		rows, err := stmt.QueryContext(b.ctx, args...)
		if err != nil {
			return 0, err
		}
		n, err := readKV(rows)
		if err == nil && n != len(distinct) {
			err = fmt.Errorf("%d distinct keys gave %d rows", len(distinct), n)
		}
		return n, err
	}
	for i := range b.number("warm", 20_000) / size {
		if _, err := batch(warmSeed, i); err != nil {
			return err
		}
	}
	n := b.number("n", 200_000) / size * size
	s := begin(b)
	for i := range n / size {
		if _, err := batch(3, i); err != nil {
			return err
		}
	}
	return s.end(b, n)
}

// readKV reads every column of every row of a key table's result.
func readKV(rows *sql.Rows) (n int, err error) {
	defer rows.Close()
	var id int64
	var name, balance string
	var day time.Time
	for rows.Next() {
		if err := rows.Scan(&id, &name, &balance, &day); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// limitScan is W8.
func limitScan(b *bench) error {
	stmt, err := b.db.PrepareContext(b.ctx, "SELECT * FROM "+b.text("table", "bench.kv")+" WHERE _bucket = 0 LIMIT 1000")
	if err != nil {
		return err
	}
	once := func() error {
		rows, err := stmt.QueryContext(b.ctx)
		if err != nil {
			return err
		}
		n, err := readKV(rows)
		if err == nil && n != 1000 {
			err = fmt.Errorf("%d rows", n)
		}
		return err
	}
	for range b.number("warm", 50) {
		if err := once(); err != nil {
			return err
		}
	}
	n := b.number("n", 500)
	s := begin(b)
	for range n {
		at := time.Now()
		if err := once(); err != nil {
			return err
		}
		s.latencies = append(s.latencies, time.Since(at))
	}
	return s.end(b, n)
}

// openAndLookup is W9: from nothing to the first row.
func openAndLookup(b *bench) error {
	n := b.number("n", 50)
	s := begin(b)
	for k := range n {
		at := time.Now()
		db, err := sql.Open("fluss", b.dsn())
		if err != nil {
			return err
		}
		fresh := *b
		fresh.db = db
		stmt, err := fresh.lookupStmt()
		if err == nil {
			err = lookupOne(&fresh, stmt, key(9, k))
		}
		s.latencies = append(s.latencies, time.Since(at))
		db.Close()
		if err != nil {
			return err
		}
	}
	return s.end(b, n)
}
