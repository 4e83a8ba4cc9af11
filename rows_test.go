package fluss

import (
	"database/sql/driver"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/row"
)

// endless hands out the same row again and again.
type endless []row.Datum

func (e endless) next(v []row.Datum) (bool, error) {
	copy(v, e)
	return true, nil
}

func (e endless) close() {}

func usualRows() *rows {
	types := []catalog.Type{{Kind: catalog.BigInt}, {Kind: catalog.String}, {Kind: catalog.Decimal, Precision: 15, Scale: 2}, {Kind: catalog.Date}}
	r := &rows{src: endless{{I: 123456}, {B: []byte("customer#000000001")}, {I: 12345678}, {I: 8035}}, left: -1}
	for i := range types {
		r.columns = append(r.columns, plan.Output{Name: "c", Column: i, Type: &types[i]})
	}
	r.width(len(types))
	return r
}

func BenchmarkRowsNext(b *testing.B) {
	r := usualRows()
	dest := make([]driver.Value, len(r.columns))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Next(dest); err != nil {
			b.Fatal(err)
		}
	}
}

// The memory that a conn keeps serves one result at a time, and a closed result stays at its end.
func TestRowsKept(t *testing.T) {
	c := plainConn(t)
	first, second := c.lookup.take(), c.lookup.take()
	if first == second {
		t.Fatal("two open results share their memory")
	}
	for _, r := range []*rows{first, second} {
		r.home, r.src = c, endless{}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if err := r.Next(nil); err == nil {
			t.Error("a closed result has a row")
		}
	}
	if got := c.lookup.take(); got != second || got.src != nil || got.home != nil {
		t.Errorf("got %+v", got)
	}
}
