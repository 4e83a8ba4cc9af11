package dialect

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/xwb1989/sqlparser"
)

const pointSelect = "SELECT customer_id, name, membership, account_balance FROM customer_profile WHERE customer_id = ?"

func insertText(rows int, row string) string {
	return "INSERT INTO order_events VALUES " +
		strings.Repeat(row+", ", rows-1) + row
}

const (
	mixedRow     = "(?, 7, 42.15, DATE '2026-08-01', 'it''s urgent', NULL)"
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

// A VALUES list costs the same for each row, however many there are: compare ns/row.
func BenchmarkParseRows(b *testing.B) {
	for _, row := range []struct{ name, text string }{{"parameters", parameterRow}, {"literals", literalRow}, {"mixed", mixedRow}} {
		for _, rows := range []int{100, 1_000, 10_000, 100_000} {
			sql := insertText(rows, row.text)
			b.Run(fmt.Sprintf("%s/%d", row.name, rows), func(b *testing.B) {
				for b.Loop() {
					if _, err := Parse(sql, Options{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
			})
		}
	}
}

// What a VALUES list allocates grows with its rows and not faster: a text of 10,000 rows takes ten times the bytes of one
// of 1,000, within what the growing of one slice may add.
func TestInsertBytesLinear(t *testing.T) {
	for _, row := range []string{parameterRow, literalRow, mixedRow, "(?, 'it''s')", "(ARRAY[1, ?], 'a')"} {
		few, many := parseBytes(t, insertText(1_000, row)), parseBytes(t, insertText(10_000, row))
		if many > 20*few+1<<16 {
			t.Errorf("%s: 1,000 rows take %d bytes, 10,000 take %d", row, few, many)
		}
	}
}

// parseBytes is how many bytes parsing a text allocates: the least of some tries, as others may allocate meanwhile.
func parseBytes(t *testing.T, sql string) uint64 {
	least := ^uint64(0)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Parse(sql, Options{}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
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
