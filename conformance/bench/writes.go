package main

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Rows of one bulk statement, and statements under way at a time.
const (
	upsertRows = 40_000
	appendRows = 20_000
	pipelines  = 4
)

// bulk runs statements over the rows 0..n-1, size rows each, several at a time.
func (b *bench) bulk(verb, table string, columns, n, size int, row func(args []any, i int) []any) error {
	text := func(rows int) string {
		one := "(?" + strings.Repeat(",?", columns-1) + ")"
		return verb + " INTO " + table + " VALUES " + one + strings.Repeat(","+one, rows-1)
	}
	full := text(size)
	var next atomic.Int64
	errs := make(chan error, pipelines)
	var wg sync.WaitGroup
	for range b.number("pipelines", pipelines) {
		wg.Go(func() {
			args := make([]any, 0, size*columns)
			for {
				from := (int(next.Add(1)) - 1) * size
				if from >= n {
					return
				}
				args = args[:0]
				for i := from; i < min(from+size, n); i++ {
					args = row(args, i)
				}
				query := full
				if len(args) < size*columns {
					query = text(len(args) / columns)
				}
				if err := b.exec(query, args...); err != nil {
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

func (b *bench) upsertAll(table string, n int) error {
	return b.bulk("UPSERT", table, 4, n, b.number("rows", upsertRows), func(args []any, i int) []any {
		id, name, balance, day := kvRow(i)
		return append(args, id, name, balance, day)
	})
}

func (b *bench) appendAll(table string, n int) error {
	return b.bulk("INSERT", table, 6, n, b.number("rows", appendRows), func(args []any, i int) []any {
		order, customer, price, day, priority, clerk := logRow(i)
		return append(args, order, customer, price, day, priority, clerk)
	})
}

// bulkUpsert is W4, into an empty table that fresh-kv made.
func bulkUpsert(b *bench) error {
	table, n := b.text("table", "bench.kv4"), b.number("n", 1_000_000)
	if err := b.expect(table, 0); err != nil {
		return err
	}
	s := begin(b)
	if err := b.upsertAll(table, n); err != nil {
		return err
	}
	if err := s.end(b, n); err != nil {
		return err
	}
	return b.expect(table, n)
}

// bulkAppend is W6, into an empty table that fresh-log made; mode=arrow appends record batches.
func bulkAppend(b *bench) error {
	table, n := b.text("table", "bench.log6"), b.number("n", logRows)
	if err := b.expect(table, 0); err != nil {
		return err
	}
	if b.text("mode", "rows") == "arrow" {
		s, err := b.appendArrow(table, n)
		if err != nil {
			return err
		}
		if err := s.end(b, n); err != nil {
			return err
		}
		return b.expect(table, n)
	}
	s := begin(b)
	if err := b.appendAll(table, n); err != nil {
		return err
	}
	if err := s.end(b, n); err != nil {
		return err
	}
	return b.expect(table, n)
}

// expect checks the number of rows.
func (b *bench) expect(table string, want int) error {
	var n int
	if err := b.db.QueryRowContext(b.ctx, "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
		return err
	}
	if n != want {
		return fmt.Errorf("%s has %d rows, want %d", table, n, want)
	}
	return nil
}

// concurrentUpserts is W5: 64 callers, one row each.
func concurrentUpserts(b *bench) error {
	stmt, err := b.db.PrepareContext(b.ctx, "UPSERT INTO "+b.text("table", "bench.kv5")+" VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	upsert := func(seed, k int) error {
		id, name, balance, day := kvRow(int(key(seed, k)))
		_, err := stmt.ExecContext(b.ctx, id, name, balance, day)
		return err
	}
	callers, n := b.number("callers", 64), b.number("n", 50_000)
	if err := concurrently(callers, b.number("warm", 5_000), func(k int) error { return upsert(warmSeed, k) }); err != nil {
		return err
	}
	s := begin(b)
	if err := concurrently(callers, n, func(k int) error { return upsert(5, k) }); err != nil {
		return err
	}
	return s.end(b, n)
}
