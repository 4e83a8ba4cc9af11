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

func typed(kind catalog.Kind) catalog.Type { return catalog.Type{Kind: kind} }

// TestVectorAccessors reads one row through the accessors of each type.
func TestVectorAccessors(t *testing.T) {
	text := typed(catalog.String)
	columns := []catalog.Column{
		{Name: "bool", Type: typed(catalog.Boolean)},
		{Name: "tiny", Type: typed(catalog.TinyInt)},
		{Name: "small", Type: typed(catalog.SmallInt)},
		{Name: "float", Type: typed(catalog.Float)},
		{Name: "double", Type: typed(catalog.Double)},
		{Name: "map", Type: catalog.Type{Kind: catalog.Map, Key: &text, Elem: &text}},
		{Name: "row", Type: catalog.Type{Kind: catalog.Row, Fields: []catalog.Field{{Name: "a", Type: text}}}},
		{Name: "array", Type: catalog.Type{Kind: catalog.Array, Elem: &text}},
		{Name: "big", Type: catalog.Type{Kind: catalog.Decimal, Precision: 38}},
		{Name: "time", Type: catalog.Type{Kind: catalog.Time, Precision: 6}},
	}
	table := &catalog.Table{Descriptor: catalog.Descriptor{Schema: &catalog.Schema{ID: 1, Columns: columns}}}
	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	a, b := row.Datum{B: []byte("a")}, row.Datum{B: []byte("b")}
	empty := e.Size()
	err = e.Append([]row.Datum{
		{I: 1}, {I: -128}, {I: -32768}, {I: int64(math.Float32bits(1.5))}, {I: int64(math.Float64bits(-2.5))},
		{L: []row.Datum{a, b}}, {L: []row.Datum{b}}, {L: []row.Datum{a, b}}, {B: []byte{0xff, 0x7f}}, {I: 1234},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Size() - empty; got < 50 || got > 120 {
		t.Errorf("a row of about 80 bytes takes %d", got)
	}
	rows := decodeOne(t, table, e.Finish(nil, LogHeader{}))
	v := rows.Column
	if !v(0).Bool(0) || v(1).Int64(0) != -128 || v(2).Int64(0) != -32768 || v(3).Float64(0) != 1.5 || v(4).Float64(0) != -2.5 {
		t.Error("scalars differ")
	}
	if from, to := v(5).Span(0); from != 0 || to != 1 || string(v(5).Key().Bytes(0)) != "a" || string(v(5).Elem().Bytes(0)) != "b" {
		t.Error("map differs")
	}
	if string(v(6).Member(0).Bytes(0)) != "b" || string(v(7).Elem().Bytes(1)) != "b" || v(7).Elem().Len() != 2 {
		t.Error("row or array differs")
	}
	if string(v(8).BigUnscaled(0)) != "\xff\x7f" || v(9).MillisOfDay(0) != 1234 {
		t.Error("decimal or time differs")
	}
	if v(0).Type().Kind != catalog.Boolean || v(0).Nulls() != 0 || v(0).Len() != 1 || len(rows.Columns()) != 10 {
		t.Error("what the vector says of itself differs")
	}
}

// TestRowFormats selects columns of INDEXED and COMPACTED batches and turns them into Arrow.
func TestRowFormats(t *testing.T) {
	for _, format := range []string{"INDEXED", "COMPACTED"} {
		table, batches := everyType(t, format)
		types := table.Schema.Types()
		for i := range batches {
			d, b := decoderFor(t, table, batches[i].Bytes)
			rows, err := d.Decode(&b)
			if err != nil {
				t.Fatal(err)
			}
			want := wantRows(t, table, &batches[i])
			checkArrow(t, rows, types, want)
			d.Select([]int{1, 8})
			if rows, err = d.Decode(&b); err != nil || rows.Column(0) != nil {
				t.Fatal(err)
			}
			for r := range want {
				got := rowOf(rows, len(types), r)
				if !rowtest.Equal(types[1], &got[1], &want[r][1]) || !rowtest.Equal(types[8], &got[8], &want[r][8]) || !got[0].Null || !got[25].Null {
					t.Errorf("selected %s of %s", rowtest.FormatRow(types, got), rowtest.FormatRow(types, want[r]))
				}
			}
		}
	}
}

// checkArrow turns rows into Arrow and back. BINARY(n) loses its trailing zeros in INDEXED, so that an Arrow batch
// cannot hold it: that has to be said.
func checkArrow(t *testing.T, rows *LogRows, types []*catalog.Type, want [][]row.Datum) {
	t.Helper()
	batch, err := rows.Arrow()
	var refused *ValueError
	if errors.As(err, &refused) && strings.HasPrefix(refused.Type, "BINARY") {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Release()
	for i := range want {
		got := arrowRow(rows.Columns(), batch, i)
		for j := range got {
			if kept := stored(types[j], want[i][j]); !rowtest.Equal(types[j], &got[j], &kept) {
				t.Errorf("row %d column %d: %+v, want %+v", i, j, got[j], kept)
			}
		}
	}
}

func TestRowsFromArrowRefusesTypes(t *testing.T) {
	table := damageTable(catalog.NoCompression)
	rows := func() *LogRows {
		d, err := NewLogDecoder(table, table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := d.Decode(&LogBatch{Count: 4, AppendOnly: true, Payload: newDamaged(t, catalog.NoCompression).payload})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}()
	batch, err := rows.Arrow()
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Release()
	columns := table.Schema.Columns
	if _, err := RowsFromArrow(columns[:4], batch); err == nil {
		t.Error("a column too many is taken")
	}
	for i, wrong := range []catalog.Type{
		typed(catalog.BigInt), typed(catalog.Bytes), typed(catalog.Int), {Kind: catalog.Decimal, Precision: 11, Scale: 2}, {Kind: catalog.Timestamp, Precision: 3},
	} {
		other := append([]catalog.Column(nil), columns...)
		other[i].Type = wrong
		if _, err := RowsFromArrow(other, batch); err == nil || !strings.Contains(err.Error(), "is wanted") {
			t.Errorf("%s for %s: %v", columns[i].Type.Name(), wrong.Name(), err)
		}
	}
}

func TestWords(t *testing.T) {
	for c, want := range []string{"append", "insert", "update_before", "update_after", "delete", "invalid"} {
		if got := ChangeType(c).String(); got != want {
			t.Errorf("%d is %q, want %q", c, got, want)
		}
	}
	cause := errors.New("cause")
	err := within("offset 5", &CorruptError{Reason: "why", Cause: cause})
	if err.Error() != "corrupt batch: offset 5: why: cause" || !errors.Is(err, cause) {
		t.Error(err)
	}
	refused := &ValueError{Column: "c", Type: "TIME(0)", Reason: "why"}
	if refused.Error() != `column "c": the log cannot hold the value as TIME(0): why` {
		t.Error(refused)
	}
}

func TestUnsupportedSchemas(t *testing.T) {
	for _, typ := range []catalog.Type{{}, {Kind: catalog.Row}, {Kind: catalog.Binary}, {Kind: catalog.Array, Elem: &catalog.Type{Kind: catalog.Row}}} {
		table := oneColumn(typ)
		if _, err := NewLogEncoder(table); err == nil {
			t.Errorf("encoder for %s", typ.Name())
		}
		if _, err := NewLogDecoder(table, table.Schema, nil); err == nil {
			t.Errorf("decoder for %s", typ.Name())
		}
		if _, err := NewProjector(table, table.Schema, []int{0}); err == nil {
			t.Errorf("projector for %s", typ.Name())
		}
	}
}

func TestMayRefuse(t *testing.T) {
	time := typed(catalog.Time)
	for _, test := range []struct {
		typ  catalog.Type
		want bool
	}{
		{typed(catalog.BigInt), false}, {time, true}, {catalog.Type{Kind: catalog.Array, Elem: &time}, true},
		{catalog.Type{Kind: catalog.Map, Key: &time, Elem: &time}, true},
		{catalog.Type{Kind: catalog.Row, Fields: []catalog.Field{{Type: typed(catalog.Int)}, {Type: time}}}, true},
		{catalog.Type{Kind: catalog.Row, Fields: []catalog.Field{{Type: typed(catalog.Int)}}}, false},
	} {
		if got := MayRefuse(oneColumn(test.typ)); got != test.want {
			t.Errorf("%s: %v", test.typ.Name(), got)
		}
	}
}
