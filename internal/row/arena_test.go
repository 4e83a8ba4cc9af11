package row_test

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// An Arena gives what Value gives, for every value of the fixtures, and none of them changes when others follow.
func TestArenaGolden(t *testing.T) {
	var f rowsFixture
	readFixture(t, "rows.json", &f)
	loc := time.FixedZone("", 5400)
	var arena row.Arena
	var got, want []any
	for _, g := range f.Groups {
		types := readSchema(t, g.Schema).Types()
		for _, c := range g.Cases {
			data, err := rowtest.ParseRow(types, c.Row)
			if err != nil {
				t.Fatalf("%s, %s: %v", g.Name, c.Name, err)
			}
			for i, typ := range types {
				got, want = append(got, arena.Value(&data[i], typ, loc)), append(want, row.Value(&data[i], typ, loc))
			}
		}
	}
	runtime.GC() // the boxes are known to the collector as what they are
	for i := range want {
		if !sameValue(got[i], want[i]) {
			t.Errorf("value %d: got %T %v, want %T %v", i, got[i], got[i], want[i], want[i])
		}
	}
	if len(want) < 1000 {
		t.Errorf("got only %d values", len(want))
	}
	t.Logf("%d values", len(want))
}

// sameValue is reflect.DeepEqual with NaN equal to itself.
func sameValue(a, b any) bool {
	x, xOK := a.(float64)
	y, yOK := b.(float64)
	if xOK && yOK && x != x && y != y {
		return true
	}
	return reflect.DeepEqual(a, b)
}

// Texts of all lengths survive the chunks being filled and replaced, and a collection.
func TestArenaTexts(t *testing.T) {
	var arena row.Arena
	typ := catalog.Type{Kind: catalog.String}
	var got []any
	var texts []string
	text := func(i int) string { return fmt.Sprintf("%0*d", i%700, i) }
	for i := range 5000 {
		b := []byte(text(i))
		got, texts = append(got, arena.Value(&row.Datum{B: b}, &typ, nil)), append(texts, arena.Text(b))
		clear(b)
	}
	runtime.GC()
	for i := range got {
		if got[i] != text(i) || texts[i] != text(i) {
			t.Fatalf("text %d: got %v and %q", i, got[i], texts[i])
		}
	}
}

// A row of the usual columns costs a share of a chunk, less than one allocation, where boxes are shared too.
func TestArenaAllocs(t *testing.T) {
	var arena row.Arena
	data, types := usualRow()
	values := make([]any, len(data))
	n := testing.AllocsPerRun(1000, func() {
		for i := range data {
			values[i] = arena.Value(&data[i], types[i], nil)
		}
	})
	if limit := arenaAllocs(); n > limit {
		t.Errorf("got %v allocations a row, want at most %v", n, limit)
	}
}

// arenaAllocs is what a row may cost: without boxes nothing, with them one for each value.
func arenaAllocs() float64 {
	if strings.HasPrefix(runtime.Version(), "go1.26") {
		return 0
	}
	return 4
}

func usualRow() ([]row.Datum, []*catalog.Type) {
	return []row.Datum{{I: 123456}, {B: []byte("customer#000000001")}, {I: 12345678}, {I: 8035}}, []*catalog.Type{
		{Kind: catalog.BigInt}, {Kind: catalog.String}, {Kind: catalog.Decimal, Precision: 15, Scale: 2}, {Kind: catalog.Date}}
}

func BenchmarkArena(b *testing.B) {
	data, types := usualRow()
	values := make([]any, len(data))
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range data {
				values[i] = row.Value(&data[i], types[i], nil)
			}
		}
	})
	b.Run("arena", func(b *testing.B) {
		b.ReportAllocs()
		var arena row.Arena
		for b.Loop() {
			for i := range data {
				values[i] = arena.Value(&data[i], types[i], nil)
			}
		}
	})
}

// Reading a stored row into values costs no more than what Arena makes of its Datums, and no Datum.
func TestValueReaderAllocs(t *testing.T) {
	data, types := usualRow()
	c := row.NewCodec(row.Compacted, types)
	r := row.NewValueReader(c, types, []int{0, 1, 2, 3})
	stored := c.Append(nil, data)
	values := make([]driver.Value, len(data))
	var arena row.Arena
	n := testing.AllocsPerRun(1000, func() {
		if err := r.Read(values, stored, &arena, nil); err != nil {
			t.Fatal(err)
		}
	})
	if limit := arenaAllocs(); n > limit {
		t.Errorf("got %v allocations a row, want at most %v", n, limit)
	}
}
