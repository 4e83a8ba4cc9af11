package route

import (
	"context"
	"fmt"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
)

func manyTables(n int) []*catalog.Table {
	list := make([]*catalog.Table, n)
	for i := range list {
		t := *keyTable
		t.ID, t.Path = int64(i), catalog.TablePath{Database: "db", Table: fmt.Sprint("t", i)}
		list[i] = &t
	}
	return list
}

// BenchmarkKnownTables is what a table costs to get to know, and to find, among many that are idle.
func BenchmarkKnownTables(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		list := manyTables(n)
		know := func(c *Client, t *catalog.Table) {
			c.tables.change(func() {
				c.tables.byPath.set(t.Path, &knownTable{table: t})
				c.tables.byID.set(t.ID, newTableState(t))
			})
		}
		b.Run(fmt.Sprint("learn/known=", n), func(b *testing.B) {
			c := New(Config{})
			for _, t := range list {
				know(c, t)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				know(c, list[i%n])
			}
		})
		b.Run(fmt.Sprint("find/known=", n), func(b *testing.B) {
			c := New(Config{})
			for _, t := range list {
				know(c, t)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if t, _ := c.Table(context.Background(), list[i%n].Path); t != list[i%n] {
					b.Fatal("not found")
				}
			}
		})
	}
}
