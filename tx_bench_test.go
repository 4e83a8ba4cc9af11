package fluss_test

import (
	"database/sql"
	"testing"
	"time"

	_ "github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// BenchmarkStream is a prepared INSERT of one row a call in a transaction of tx=stream, the way of bulk loads; figures
// are per row.
func BenchmarkStream(b *testing.B) {
	for _, table := range []struct {
		name, ddl, insert string
		args              []any
	}{
		{"upsert", kvDDL, "UPSERT INTO t VALUES (?, ?, ?, ?)", []any{int64(0), "customer#000000001", "12.50", time.Unix(0, 0).UTC()}},
		{"append", logDDL, "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", []any{int64(0), int64(1), "12.50", time.Unix(0, 0).UTC(), "4-NOT SPECIFIED", "Clerk#000000001"}},
	} {
		b.Run(table.name, func(b *testing.B) {
			db, err := sql.Open("fluss", flusstest.Run(b).DSN()+"?tx=stream")
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { db.Close() })
			if _, err := db.Exec(table.ddl); err != nil {
				b.Fatal(err)
			}
			tx, err := db.Begin()
			if err != nil {
				b.Fatal(err)
			}
			insert, err := tx.Prepare(table.insert)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				table.args[0] = i % 1_000_000
				if _, err := insert.Exec(table.args...); err != nil {
					b.Fatal(err)
				}
			}
			if err := tx.Commit(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
