package main

import (
	"time"

	"github.com/shopspring/decimal"
)

// kvRows is the number of rows of the loaded key tables; logRows that of the log tables.
const (
	kvRows  = 200_000
	logRows = 2_000_000
)

// kvRow is row i of a key table: id, name, balance and day.
func kvRow(i int) (id int64, name string, balance decimal.Decimal, day time.Time) {
	return int64(i), numbered("customer#", i), decimal.New(int64(i)*7919%10_000_000, -2), epochDay(8035 + i%2500)
}

// numbered is the prefix and nine digits of i.
func numbered(prefix string, i int) string {
	b := append(make([]byte, 0, 24), prefix...)
	for d := 100_000_000; d > 0; d /= 10 {
		b = append(b, byte('0'+i/d%10))
	}
	return string(b)
}

var priorities = [...]string{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"}

// logRow is row i of a log table.
func logRow(i int) (order int64, customer int64, price decimal.Decimal, day time.Time, priority, clerk string) {
	return int64(i), int64(i % 150000), decimal.New(int64(i)*104729%50_000_000, -2), epochDay(8035 + i%2406), priorities[i%5], numbered("Clerk#", i%1000)
}

func epochDay(n int) time.Time { return time.Unix(int64(n)*86400, 0).UTC() }

// key is key k of a run with that seed: splitmix64 over the rows of the table.
func key(seed, k int) int64 {
	x := uint64(seed)*1_000_003 + uint64(k) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int64((x ^ x>>31) % kvRows)
}

// warmSeed is the seed of the operations before the clock starts.
const warmSeed = 7

const (
	kvColumns  = "(id BIGINT, name STRING, balance DECIMAL(15,2), d DATE, PRIMARY KEY (id) NOT ENFORCED)"
	logColumns = "(order_id BIGINT, customer_id INT, total_price DECIMAL(15,2), ordered_on DATE, order_priority STRING, clerk STRING)"
)

func setup(b *bench) error {
	if err := b.exec("CREATE DATABASE IF NOT EXISTS bench"); err != nil {
		return err
	}
	for _, t := range []string{"kv", "kv5"} {
		if err := b.loadKV("bench."+t, kvRows); err != nil {
			return err
		}
	}
	for _, t := range []struct{ name, with string }{
		{"log8", "'bucket.num'='8'"}, {"log1", "'bucket.num'='1'"}, {"log8n", "'bucket.num'='8', 'table.log.arrow.compression.type'='NONE'"},
	} {
		if err := b.loadLog("bench."+t.name, t.with, b.number("n", logRows)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) loadKV(table string, n int) error {
	if err := b.recreate(table, kvColumns, "'bucket.num'='8'"); err != nil {
		return err
	}
	return b.upsertAll(table, n)
}

func (b *bench) loadLog(table, with string, n int) error {
	if err := b.recreate(table, logColumns, with); err != nil {
		return err
	}
	return b.appendAll(table, n)
}

func (b *bench) recreate(table, columns, with string) error {
	if err := b.exec("DROP TABLE IF EXISTS " + table); err != nil {
		return err
	}
	return b.exec("CREATE TABLE " + table + " " + columns + " WITH (" + with + ")")
}

func freshKV(b *bench) error {
	table := b.text("table", "bench.kv4")
	if err := b.recreate(table, kvColumns, "'bucket.num'='"+b.text("buckets", "8")+"'"); err != nil {
		return err
	}
	return b.expect(table, 0) // waits for the leaders
}

func freshLog(b *bench) error {
	with := "'bucket.num'='" + b.text("buckets", "8") + "'"
	if c := b.text("compression", ""); c != "" {
		with += ", 'table.log.arrow.compression.type'='" + c + "'"
	}
	table := b.text("table", "bench.log6")
	if err := b.recreate(table, logColumns, with); err != nil {
		return err
	}
	return b.expect(table, 0)
}

func drop(b *bench) error { return b.exec("DROP TABLE IF EXISTS " + b.text("table", "bench.kv4")) }
