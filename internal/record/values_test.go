package record

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

func oneColumn(typ catalog.Type) *catalog.Table {
	return &catalog.Table{Descriptor: catalog.Descriptor{Schema: &catalog.Schema{ID: 1, Columns: []catalog.Column{{Name: "c", Type: typ}}}}}
}

func timestamp(p int) catalog.Type { return catalog.Type{Kind: catalog.Timestamp, Precision: p} }

// TestValueBounds appends a value and reads it back, or is refused with a reason.
func TestValueBounds(t *testing.T) {
	maxUS, minUS := row.Datum{I: math.MaxInt64 / 1000, N: 807_000}, row.Datum{I: math.MinInt64/1000 - 1, N: 192_000}
	maxNS, minNS := row.Datum{I: math.MaxInt64 / 1_000_000, N: 775_807}, row.Datum{I: math.MinInt64/1_000_000 - 1, N: 224_192}
	tests := []struct {
		typ    catalog.Type
		value  row.Datum
		refuse string
	}{
		{timestamp(0), row.Datum{I: -1000}, ""},
		{timestamp(0), row.Datum{I: 1500}, "whole seconds"},
		{timestamp(0), row.Datum{I: 1000, N: 1}, "whole seconds"},
		{timestamp(0), row.Datum{I: math.MaxInt64 / 1000 * 1000}, ""},
		{timestamp(0), row.Datum{I: math.MinInt64 / 1000 * 1000}, ""},
		{timestamp(1), row.Datum{I: math.MinInt64}, ""},
		{timestamp(3), row.Datum{I: math.MaxInt64}, ""},
		{timestamp(3), row.Datum{I: 1, N: 1}, "finer"},
		{timestamp(6), row.Datum{I: -1, N: 999_000}, ""},
		{timestamp(6), row.Datum{I: 0, N: 1}, "finer"},
		{timestamp(6), maxUS, ""},
		{timestamp(6), row.Datum{I: maxUS.I, N: maxUS.N + 1000}, "64 bits"},
		{timestamp(6), minUS, ""},
		{timestamp(6), row.Datum{I: minUS.I, N: minUS.N - 1000}, "64 bits"},
		{timestamp(6), row.Datum{I: math.MinInt64}, "64 bits"},
		{timestamp(9), row.Datum{I: -1, N: 999_999}, ""},
		{timestamp(9), maxNS, ""},
		{timestamp(9), row.Datum{I: maxNS.I, N: maxNS.N + 1}, "64 bits"},
		{timestamp(9), minNS, ""},
		{timestamp(9), row.Datum{I: minNS.I, N: minNS.N - 1}, "64 bits"},
		{timestamp(9), row.Datum{I: 253402300799999}, "64 bits"},
		{catalog.Type{Kind: catalog.TimestampLTZ, Precision: 9}, row.Datum{I: -62135596800000}, "64 bits"},
		{catalog.Type{Kind: catalog.Time}, row.Datum{I: 86_399_000}, ""},
		{catalog.Type{Kind: catalog.Time}, row.Datum{I: 86_399_999}, "whole seconds"},
		{catalog.Type{Kind: catalog.Time, Precision: 3}, row.Datum{I: 86_399_999}, ""},
		{catalog.Type{Kind: catalog.Time, Precision: 6}, row.Datum{I: 86_399_999}, ""},
		{catalog.Type{Kind: catalog.Time, Precision: 9}, row.Datum{I: 86_399_999}, ""},
		{catalog.Type{Kind: catalog.Binary, Length: 3}, row.Datum{B: []byte("abc")}, ""},
		{catalog.Type{Kind: catalog.Binary, Length: 3}, row.Datum{B: []byte("ab")}, "2 bytes, an ARROW log wants exactly 3"},
		{catalog.Type{Kind: catalog.Binary, Length: 3}, row.Datum{B: []byte("abcd")}, "4 bytes, an ARROW log wants exactly 3"},
		{catalog.Type{Kind: catalog.Decimal, Precision: 18}, row.Datum{I: -999_999_999_999_999_999}, ""},
		{catalog.Type{Kind: catalog.Decimal, Precision: 38}, row.Datum{B: []byte{0x80}}, ""},
		{catalog.Type{Kind: catalog.Decimal, Precision: 38}, row.Datum{B: []byte{0x00, 0x80}}, ""},
		{catalog.Type{Kind: catalog.Decimal, Precision: 38}, row.Datum{B: []byte{0}}, ""},
		{catalog.Type{Kind: catalog.Decimal, Precision: 38}, row.Datum{B: make([]byte, 17)}, "17 bytes"},
		{catalog.Type{Kind: catalog.Array, Elem: &catalog.Type{Kind: catalog.Time}}, row.Datum{L: []row.Datum{{}, {I: 1}}}, "whole seconds"},
		{catalog.Type{Kind: catalog.Map, Key: &catalog.Type{Kind: catalog.Int}, Elem: &catalog.Type{Kind: catalog.Int}},
			row.Datum{L: []row.Datum{{Null: true}, {I: 1}}}, "key is NULL"},
		{catalog.Type{Kind: catalog.Row, Fields: []catalog.Field{{Name: "a", Type: catalog.Type{Kind: catalog.String}}, {Name: "b", Type: timestamp(0)}}},
			row.Datum{L: []row.Datum{{B: []byte("x")}, {I: 1}}}, "whole seconds"},
	}
	for _, test := range tests {
		table := oneColumn(test.typ)
		e, err := NewLogEncoder(table)
		if err != nil {
			t.Fatal(err)
		}
		null := []row.Datum{{Null: true}}
		if err := e.Append(null); err != nil {
			t.Fatal(err)
		}
		err = e.Append([]row.Datum{test.value})
		var refused *ValueError
		if test.refuse != "" {
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, test.refuse) || refused.Column != "c" || e.Count() != 1 {
				t.Errorf("%s %+v: %v, want %q", test.typ.Name(), test.value, err, test.refuse)
			}
		} else if err != nil {
			t.Errorf("%s %+v: %v", test.typ.Name(), test.value, err)
		}
		if err := e.Append(null); err != nil {
			t.Fatal(err)
		}
		rows := decodeOne(t, table, e.Finish(nil, LogHeader{}))
		if test.refuse != "" {
			if rows.Len() != 2 {
				t.Errorf("%s: %d rows after a refused one", test.typ.Name(), rows.Len())
			}
			continue
		}
		var got row.Datum
		if rows.Datum(&got, 0, 1); !rowtest.Equal(&test.typ, &got, &test.value) {
			t.Errorf("%s: %+v came back as %+v", test.typ.Name(), test.value, got)
		}
	}
}

func decodeOne(t testing.TB, table *catalog.Table, b []byte) *LogRows {
	t.Helper()
	lb, _, err := NextLogBatch(b)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Decode(&lb)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestIndexedRefusesToCut: five two-byte characters have no room in CHAR(5), wherever it sits.
func TestIndexedRefusesToCut(t *testing.T) {
	char := catalog.Type{Kind: catalog.Char, Length: 5}
	inRow := catalog.Type{Kind: catalog.Row, Fields: []catalog.Field{{Name: "a", Type: char}}}
	long := row.Datum{B: []byte("\u00e9\u00e9\u00e9\u00e9\u00e9")}
	list := func(d row.Datum) row.Datum { return row.Datum{L: []row.Datum{d}} }
	for _, test := range []struct {
		typ    catalog.Type
		value  row.Datum
		format catalog.LogFormat
		refuse bool
	}{
		{char, long, catalog.LogIndexed, true},
		{char, long, catalog.LogCompacted, false},
		{char, long, catalog.LogArrow, false},
		{inRow, list(long), catalog.LogIndexed, true},
		{catalog.Type{Kind: catalog.Array, Elem: &char}, list(long), catalog.LogIndexed, false},
		{catalog.Type{Kind: catalog.Array, Elem: &inRow}, list(list(long)), catalog.LogIndexed, true},
	} {
		table := oneColumn(test.typ)
		table.LogFormat = test.format
		e, err := NewLogEncoder(table)
		if err != nil {
			t.Fatal(err)
		}
		err = e.Append([]row.Datum{test.value})
		var refused *ValueError
		if errors.As(err, &refused) != test.refuse || test.refuse && (refused.Column != "c" || !MayRefuse(table)) {
			t.Errorf("%s in format %d: %v", test.typ.Name(), test.format, err)
		}
	}
}

// TestNestedEdges keeps NULL, empty and NULL elements apart, over batches long enough for several bytes of
// validity, and reads from the middle.
func TestNestedEdges(t *testing.T) {
	text := catalog.Type{Kind: catalog.String}
	big := catalog.Type{Kind: catalog.BigInt}
	typ := catalog.Type{Kind: catalog.Row, Fields: []catalog.Field{
		{Name: "m", Type: catalog.Type{Kind: catalog.Map, Key: &text, Elem: &big}},
		{Name: "l", Type: catalog.Type{Kind: catalog.Array, Elem: &catalog.Type{Kind: catalog.Array, Elem: &text}}},
		{Name: "r", Type: catalog.Type{Kind: catalog.Array, Elem: &catalog.Type{Kind: catalog.Row, Fields: []catalog.Field{{Name: "a", Type: big}}}}},
	}}
	null, s := row.Datum{Null: true}, func(v string) row.Datum { return row.Datum{B: []byte(v)} }
	list := func(d ...row.Datum) row.Datum { return row.Datum{L: d} }
	shapes := []row.Datum{
		null,
		list(null, null, null),
		list(list(), list(), list()),
		list(list(s(""), null), list(null, list(), list(null, s(""))), list(null, list(null))),
		list(list(s("a"), row.Datum{I: 1}, s("b"), row.Datum{I: -2}), list(list(s("x"), s("y")), list(s("long enough"))), list(list(row.Datum{I: 5}))),
	}
	for _, codec := range []catalog.Compression{catalog.NoCompression, catalog.LZ4Frame, catalog.ZSTD} {
		for _, n := range []int{1, 7, 8, 9, 101, 1025} {
			table := oneColumn(typ)
			table.Compression = codec
			e, err := NewLogEncoder(table)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if err := e.Append([]row.Datum{shapes[i%len(shapes)]}); err != nil {
					t.Fatal(err)
				}
			}
			rows := decodeOne(t, table, e.Finish(nil, LogHeader{}))
			for i := n / 2; i < n; i++ {
				var got row.Datum
				if rows.Datum(&got, 0, i); !rowtest.Equal(&typ, &got, &shapes[i%len(shapes)]) {
					t.Fatalf("codec %d, row %d of %d: %s, want %s", codec, i, n, rowtest.Format(&typ, &got), rowtest.Format(&typ, &shapes[i%len(shapes)]))
				}
			}
		}
	}
}

// TestProjection projects golden batches as the server does and decodes every pair of columns, from projected
// batches and by Select.
func TestProjection(t *testing.T) {
	batches := 0
	arrowCases(t, func(t *testing.T, table *catalog.Table, c *goldenBatch, rows [][]row.Datum) {
		width := len(table.Schema.Columns)
		if width < 3 {
			return
		}
		whole, _, err := NextLogBatch(c.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		selected, err := NewLogDecoder(table, table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range width - 1 {
			batches++
			positions := []int{i, width - 1}
			p, err := NewProjector(table, table.Schema, positions)
			if err != nil {
				t.Fatal(err)
			}
			bytes, err := p.Append(nil, &whole)
			if err != nil {
				t.Fatal(err)
			}
			b, rest, err := NextLogBatch(bytes)
			if err != nil || len(rest) != 0 || b.CRC != whole.CRC {
				t.Fatalf("%v, %d bytes behind", err, len(rest))
			}
			d, err := NewLogDecoder(table, table.Schema, positions)
			if err != nil {
				t.Fatal(err)
			}
			got, err := d.Decode(&b)
			if err != nil {
				t.Fatal(err)
			}
			selected.Select(positions)
			all, err := selected.Decode(&whole)
			if err != nil {
				t.Fatal(err)
			}
			checkPair(t, table, positions, got, all, rows)
		}
	})
	t.Logf("%d projections", batches)
}

func checkPair(t *testing.T, table *catalog.Table, positions []int, got, all *LogRows, rows [][]row.Datum) {
	t.Helper()
	for r := range rows {
		for i, p := range positions {
			typ := &table.Schema.Columns[p].Type
			var a, b row.Datum
			got.Datum(&a, i, r)
			all.Datum(&b, p, r)
			if !rowtest.Equal(typ, &a, &rows[r][p]) || !rowtest.Equal(typ, &b, &rows[r][p]) {
				t.Fatalf("columns %v, row %d: %+v and %+v, want %+v", positions, r, a, b, rows[r][p])
			}
		}
		var skipped row.Datum
		if other := len(rows[r]) - 2; positions[0] != other {
			if all.Datum(&skipped, other, r); !skipped.Null || all.Column(other).Selected() {
				t.Fatalf("a column that was not selected reads as %+v", skipped)
			}
		}
	}
}

func TestProjectionRefused(t *testing.T) {
	table := benchTable(0)
	for _, positions := range [][]int{{1, 1}, {2, 1}, {6}, {-1}} {
		if _, err := NewLogDecoder(table, table.Schema, positions); err == nil {
			t.Errorf("projection %v is taken", positions)
		}
	}
	table.LogFormat = catalog.LogIndexed
	if _, err := NewLogDecoder(table, table.Schema, []int{1}); err == nil {
		t.Error("a projection of an INDEXED log is taken")
	}
}

// TestNoAllocations pins what is promised: appending rows and reading scalar values costs no allocation.
func TestNoAllocations(t *testing.T) {
	table := benchTable(catalog.NoCompression)
	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	rows := benchRows(1000)
	var out []byte
	encode := func() {
		for _, r := range rows {
			if err := e.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		out = e.Finish(out[:0], LogHeader{})
	}
	encode()
	encode()
	if n := testing.AllocsPerRun(10, encode); n != 0 {
		t.Errorf("%v allocations to encode a batch", n)
	}
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	var value row.Datum
	var b LogBatch
	decode := func() {
		if b, _, err = NextLogBatch(out); err != nil {
			t.Fatal(err)
		}
		r, err := d.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Len() {
			for c := range 6 {
				r.Datum(&value, c, i)
			}
		}
	}
	if n := testing.AllocsPerRun(10, decode); n != 0 {
		t.Errorf("%v allocations to decode a batch", n)
	}
}
