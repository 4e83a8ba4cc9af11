package record

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// sameValues is reflect.DeepEqual with NaN equal to itself.
func sameValues(a, b driver.Value) bool {
	x, xOK := a.(float64)
	y, yOK := b.(float64)
	return xOK && yOK && x != x && y != y || reflect.DeepEqual(a, b)
}

// checkStrips compares the strips of every column, from every row on, with what the rows give one by one.
func checkStrips(t *testing.T, rows *LogRows, types []*catalog.Type) {
	t.Helper()
	loc := time.FixedZone("", 5400)
	var s Strip
	for col, typ := range types {
		v := rows.Column(col)
		for from := range rows.Len() {
			const stride = 2
			n := rows.Len() - from
			got := make([]driver.Value, stride*n)
			s.Values(got, stride, n, v, from, loc)
			texts := s.Texts(v, from, n)
			for k := range n {
				var d row.Datum
				rows.Datum(&d, col, from+k)
				want := row.Value(&d, typ, loc)
				if !sameValues(got[k*stride], want) || got[k*stride+1] != nil {
					t.Fatalf("%s, row %d of a strip from %d: got %T %v, want %T %v", typ.Name(), from+k, from, got[k*stride], got[k*stride], want, want)
				}
				if texts != nil && want != nil && texts[k] != want {
					t.Fatalf("%s, row %d of a strip from %d: got the text %q, want %v", typ.Name(), from+k, from, texts[k], want)
				}
			}
		}
	}
}

func TestStripsOfGoldenBatches(t *testing.T) {
	arrowCases(t, func(t *testing.T, table *catalog.Table, c *goldenBatch, _ [][]row.Datum) {
		d, b := decoderFor(t, table, c.Bytes)
		rows, err := d.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if rows.Len() > 0 {
			checkStrips(t, rows, table.Schema.Types())
		}
	})
}

// Values live on when the batch they are from does not, and texts that are too long for a strip go one by one.
func TestStripsAreCopies(t *testing.T) {
	schema := &catalog.Schema{ID: 1, Columns: []catalog.Column{
		{Name: "s", Type: catalog.Type{Kind: catalog.String}}, {Name: "d", Type: catalog.Type{Kind: catalog.Decimal, Precision: 9, Scale: 3}},
		{Name: "skipped", Type: catalog.Type{Kind: catalog.BigInt}}}}
	table := &catalog.Table{Descriptor: catalog.Descriptor{Schema: schema}, Compression: catalog.ZSTD, CompressionLevel: 3}
	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	const n = 300
	text := func(i int) string { return strings.Repeat(string(rune('a'+i%26)), i*i%350) }
	for i := range n {
		if err := e.Append([]row.Datum{{B: []byte(text(i))}, {I: int64(i - 100)}, {I: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	d, b := decoderFor(t, table, e.Finish(nil, LogHeader{WriterID: -1, Sequence: -1}))
	d.Select([]int{0, 1})
	rows, err := d.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	var s Strip
	got := make([]driver.Value, 3*n)
	for from := 0; from < n; from += 30 {
		for col := range 3 {
			s.Values(got[from*3+col:], 3, 30, rows.Column(col), from, nil)
		}
	}
	clear(b.Bytes)
	for _, slot := range d.payload.(*arrowPayload).reader.dec.slots {
		clear(slot)
	}
	runtime.GC()
	for i := range n {
		digits := fmt.Sprintf("%.3f", float64(i-100)/1000)
		if got[i*3] != text(i) || got[i*3+1] != digits || got[i*3+2] != nil {
			t.Fatalf("row %d: got %v, want %q, %s and NULL", i, got[i*3:i*3+3], text(i), digits)
		}
	}
	if bytes.Contains(b.Bytes, []byte("a")) {
		t.Error("the batch was not cleared")
	}
}

// Of six columns of 64 rows the texts cost one allocation a column, and boxes, where they are not shared, one a column more.
func TestStripAllocs(t *testing.T) {
	rows := benchStripRows(t, 64)
	var s Strip
	if n := testing.AllocsPerRun(100, func() {
		for _, col := range []int{2, 4, 5} {
			if s.Texts(rows.Column(col), 0, 64) == nil {
				t.Fatal("no texts")
			}
		}
	}); n > 3 {
		t.Errorf("texts: %v allocations", n)
	}
	if !strings.HasPrefix(runtime.Version(), "go1.26") {
		return
	}
	values := make([]driver.Value, 6*64)
	if n := testing.AllocsPerRun(100, func() { stripValues(&s, values, rows) }); n > 8 {
		t.Errorf("values: %v allocations", n)
	}
}

func benchStripRows(t testing.TB, n int) *LogRows {
	t.Helper()
	table := benchTable(catalog.ZSTD)
	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range benchRows(n) {
		if err := e.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	d, b := decoderFor(t, table, e.Finish(nil, LogHeader{WriterID: -1, Sequence: -1}))
	rows, err := d.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func stripValues(s *Strip, values []driver.Value, rows *LogRows) {
	for col := range 6 {
		s.Values(values[col:], 6, rows.Len(), rows.Column(col), 0, nil)
	}
}

// BenchmarkStrip makes the values of 64 rows of six columns; figures are per row.
func BenchmarkStrip(b *testing.B) {
	rows := benchStripRows(b, 64)
	values := make([]driver.Value, 6*64)
	var s Strip
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%64 == 0 {
			stripValues(&s, values, rows)
		}
	}
}
