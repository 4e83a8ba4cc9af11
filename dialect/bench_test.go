package dialect

import (
	"strings"
	"testing"

	"github.com/xwb1989/sqlparser"
)

const pointSelect = "SELECT customer_id, name, membership, account_balance FROM customer_profile WHERE customer_id = ?"

func insertText(rows int, row string) string {
	return "INSERT INTO order_events (order_id, customer_id, total_price, ordered_on, order_priority, clerk) VALUES " +
		strings.Repeat(row+", ", rows-1) + row
}

const (
	parameterRow = "(?, ?, ?, ?, ?, ?)"
	literalRow   = "(10001, 7, 42.15, DATE '2026-08-01', '1-URGENT', NULL)"
)

func BenchmarkParse(b *testing.B) {
	for _, bb := range []struct{ name, sql string }{
		{"point select", pointSelect},
		{"IN of 100", "SELECT * FROM t WHERE k IN (" + strings.Repeat("?, ", 99) + "?)"},
		{"insert 1", insertText(1, parameterRow)},
		{"insert 500 parameters", insertText(500, parameterRow)},
		{"insert 500 literals", insertText(500, literalRow)},
		{"insert 10000 literals", insertText(10_000, literalRow)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bb.sql)))
			for b.Loop() {
				if _, err := Parse(bb.sql, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// For comparison: the other parser alone, without rewriting before and converting after.
func BenchmarkSQLParser(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sqlparser.ParseStrictDDL(pointSelect); err != nil {
			b.Fatal(err)
		}
	}
}

// Rows of literals and parameters cost no allocation of their own, only the list of values grows.
func TestInsertAllocations(t *testing.T) {
	for _, row := range []string{parameterRow, literalRow, "('a', -1, X'', TRUE, \"b\", TIMESTAMP '2026-08-01 00:00:00')"} {
		for _, rows := range []int{1, 500, 10_000, 20_000} {
			sql := insertText(rows, row)
			n := testing.AllocsPerRun(3, func() {
				s, err := Parse(sql, Options{})
				if err != nil {
					t.Fatal(err)
				}
				want := 6 * rows
				if i := s.(*Insert); i.Uniform {
					want = 6
				}
				if i := s.(*Insert); i.Rows != rows || len(i.Values) != want {
					t.Fatalf("%d rows, %d values", i.Rows, len(i.Values))
				}
			})
			if n > 15 {
				t.Errorf("%d rows of %s: %.0f allocations, want at most 15", rows, row, n)
			}
		}
	}
}

func TestSelectAllocations(t *testing.T) {
	n := testing.AllocsPerRun(100, func() {
		if _, err := Parse(pointSelect, Options{}); err != nil {
			t.Fatal(err)
		}
	})
	if n > 20 {
		t.Errorf("%.0f allocations for a point SELECT, want at most 20", n)
	}
}
