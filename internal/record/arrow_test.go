package record

import (
	"bytes"
	"io"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// schemaMessage is the encapsulated schema message that arrow-go writes. The message ends where its metadata
// does: it has no body.
func schemaMessage(t *testing.T, s *arrow.Schema) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, ipc.WithSchema(s))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()[:buf.Len()-8] // without the end of stream
}

// readByArrowGo lets arrow-go read the payload of a batch.
func readByArrowGo(t *testing.T, s *arrow.Schema, payload []byte) arrow.RecordBatch {
	t.Helper()
	r, err := ipc.NewReader(io.MultiReader(bytes.NewReader(schemaMessage(t, s)), bytes.NewReader(payload)))
	if err != nil {
		t.Fatal(err)
	}
	batch, err := r.Read()
	if err != nil {
		t.Fatalf("arrow-go: %v", err)
	}
	return batch
}

// arrowDatum reads a value of an Arrow array with arrow-go's own accessors.
func arrowDatum(typ *catalog.Type, a arrow.Array, i int) row.Datum {
	if a.IsNull(i) {
		return row.Datum{Null: true}
	}
	switch a := a.(type) {
	case *array.Boolean:
		if a.Value(i) {
			return row.Datum{I: 1}
		}
		return row.Datum{}
	case *array.Int8:
		return row.Datum{I: int64(a.Value(i))}
	case *array.Int16:
		return row.Datum{I: int64(a.Value(i))}
	case *array.Int32:
		return row.Datum{I: int64(a.Value(i))}
	case *array.Int64:
		return row.Datum{I: a.Value(i)}
	case *array.Date32:
		return row.Datum{I: int64(a.Value(i))}
	case *array.String:
		return row.Datum{B: []byte(a.Value(i))}
	case *array.Binary:
		return row.Datum{B: a.Value(i)}
	case *array.FixedSizeBinary:
		return row.Datum{B: a.Value(i)}
	case *array.Decimal128:
		return decimalDatum(typ, a.Value(i))
	case *array.Time32:
		return row.Datum{I: int64(a.Value(i)) * int64(a.DataType().(*arrow.Time32Type).Unit.Multiplier()) / 1e6}
	case *array.Time64:
		return row.Datum{I: int64(a.Value(i)) * int64(a.DataType().(*arrow.Time64Type).Unit.Multiplier()) / 1e6}
	case *array.Timestamp:
		return timestampDatum(int64(a.Value(i)), a.DataType().(*arrow.TimestampType).Unit)
	}
	return nestedDatum(typ, a, i)
}

func nestedDatum(typ *catalog.Type, a arrow.Array, i int) row.Datum {
	d := row.Datum{L: []row.Datum{}}
	switch a := a.(type) {
	case *array.Float32:
		return row.Datum{I: int64(math.Float32bits(a.Value(i)))}
	case *array.Float64:
		return row.Datum{I: int64(math.Float64bits(a.Value(i)))}
	case *array.Map:
		from, to := a.ValueOffsets(i)
		for j := int(from); j < int(to); j++ {
			d.L = append(d.L, arrowDatum(typ.Key, a.Keys(), j), arrowDatum(typ.Elem, a.Items(), j))
		}
	case *array.List:
		from, to := a.ValueOffsets(i)
		for j := int(from); j < int(to); j++ {
			d.L = append(d.L, arrowDatum(typ.Elem, a.ListValues(), j))
		}
	case *array.Struct:
		for j := range a.NumField() {
			d.L = append(d.L, arrowDatum(&typ.Fields[j].Type, a.Field(j), i))
		}
	default:
		panic("no Fluss type is kept as " + a.DataType().String())
	}
	return d
}

func decimalDatum(typ *catalog.Type, v decimal128.Num) row.Datum {
	if typ.IsCompactDecimal() {
		return row.Datum{I: v.BigInt().Int64()}
	}
	var b []byte
	for at := 120; at >= 0; at -= 8 {
		word, shift := uint64(v.HighBits()), at-64
		if at < 64 {
			word, shift = v.LowBits(), at
		}
		b = append(b, byte(word>>shift))
	}
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return row.Datum{B: b}
}

func timestampDatum(raw int64, u arrow.TimeUnit) row.Datum {
	switch u {
	case arrow.Second:
		return row.Datum{I: raw * 1000}
	case arrow.Millisecond:
		return row.Datum{I: raw}
	}
	perMilli := int64(1e6) / int64(u.Multiplier())
	millis := raw / perMilli
	if raw%perMilli < 0 {
		millis--
	}
	return row.Datum{I: millis, N: int32((raw - millis*perMilli) * int64(u.Multiplier()))}
}

func arrowRow(columns []catalog.Column, batch arrow.RecordBatch, i int) []row.Datum {
	values := make([]row.Datum, len(columns))
	for c := range values {
		values[c] = arrowDatum(&columns[c].Type, batch.Column(c), i)
	}
	return values
}

// arrowCases calls f with every golden ARROW batch that has rows and with its values.
func arrowCases(t *testing.T, f func(t *testing.T, table *catalog.Table, c *goldenBatch, rows [][]row.Datum)) {
	t.Helper()
	var golden goldenLog
	readGolden(t, "log_batches.json", &golden)
	n := 0
	for _, g := range golden.Groups {
		if g.LogFormat != "ARROW" {
			continue
		}
		for i := range g.Cases {
			c := &g.Cases[i]
			if c.Count == 0 {
				continue
			}
			n++
			t.Run(g.Name+"/"+g.Compression+"/"+c.Name, func(t *testing.T) {
				table := goldenTable(goldenSchema(t, g.Schema, int(c.SchemaID)), g.LogFormat, g.Compression)
				if !c.AppendOnly {
					table.PrimaryKey = []int{0}
				}
				f(t, table, c, wantRows(t, table, c))
			})
		}
	}
	t.Logf("%d ARROW batches", n)
	if n != 126 {
		t.Errorf("want 126")
	}
}

// TestArrowGoReadsOurs lets arrow-go read every batch that we write, in every codec.
func TestArrowGoReadsOurs(t *testing.T) {
	arrowCases(t, func(t *testing.T, table *catalog.Table, c *goldenBatch, rows [][]row.Datum) {
		types := table.Schema.Types()
		schema, err := ArrowSchema(table.Schema.Columns)
		if err != nil {
			t.Fatal(err)
		}
		for _, codec := range []catalog.Compression{catalog.NoCompression, catalog.LZ4Frame, catalog.ZSTD} {
			table.Compression = codec
			e, err := NewLogEncoder(table)
			if err != nil {
				t.Fatal(err)
			}
			b, _, err := NextLogBatch(encodeGolden(t, e, c, rows))
			if err != nil {
				t.Fatal(err)
			}
			payload := b.Payload
			if !b.AppendOnly {
				payload = payload[b.Count:]
			}
			batch := readByArrowGo(t, schema, payload)
			if int(batch.NumRows()) != len(rows) {
				t.Fatalf("%d rows, want %d", batch.NumRows(), len(rows))
			}
			for i, want := range rows {
				if got := arrowRow(table.Schema.Columns, batch, i); !rowtest.EqualRows(types, got, want) {
					t.Errorf("codec %d row %d: %s, want %s", codec, i, rowtest.FormatRow(types, got), rowtest.FormatRow(types, want))
				}
			}
		}
	})
}

// TestOursReadsArrowGo reads what arrow-go writes, in every codec, from the Arrow batch that a golden batch
// turns into.
func TestOursReadsArrowGo(t *testing.T) {
	options := map[string][]ipc.Option{"none": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}}
	arrowCases(t, func(t *testing.T, table *catalog.Table, c *goldenBatch, rows [][]row.Datum) {
		types := table.Schema.Types()
		d, err := NewLogDecoder(table, table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		golden, _, err := NextLogBatch(c.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := d.Decode(&golden)
		if err != nil {
			t.Fatal(err)
		}
		batch, err := decoded.Arrow()
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Release()
		for name, o := range options {
			golden.AppendOnly = true
			golden.Payload = writtenByArrowGo(t, batch, o)
			got, err := d.Decode(&golden)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, want := range rows {
				if r := rowOf(got, len(types), i); !rowtest.EqualRows(types, r, want) {
					t.Errorf("%s row %d: %s, want %s", name, i, rowtest.FormatRow(types, r), rowtest.FormatRow(types, want))
				}
			}
		}
	})
}

// writtenByArrowGo is the record batch message alone.
func writtenByArrowGo(t *testing.T, batch arrow.RecordBatch, o []ipc.Option) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := ipc.NewWriter(&buf, append([]ipc.Option{ipc.WithSchema(batch.Schema())}, o...)...)
	if err := w.Write(batch); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()[len(schemaMessage(t, batch.Schema())) : buf.Len()-8]
}

// TestArrowRoundTrip goes from a decoded batch to Arrow and back, whole and in slices.
func TestArrowRoundTrip(t *testing.T) {
	arrowCases(t, func(t *testing.T, table *catalog.Table, c *goldenBatch, rows [][]row.Datum) {
		types := table.Schema.Types()
		d, err := NewLogDecoder(table, table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := NextLogBatch(c.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := d.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		batch, err := decoded.Arrow()
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Release()
		for from := 0; from < len(rows); from += 3 {
			slice := batch.NewSlice(int64(from), int64(len(rows)))
			back, err := RowsFromArrow(table.Schema.Columns, slice)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range rows[from:] {
				if got := rowOf(back, len(types), i); !rowtest.EqualRows(types, got, want) {
					t.Errorf("from %d row %d: %s, want %s", from, i, rowtest.FormatRow(types, got), rowtest.FormatRow(types, want))
				}
				if got := arrowRow(table.Schema.Columns, slice, i); !rowtest.EqualRows(types, got, want) {
					t.Errorf("arrow-go from %d row %d: %s, want %s", from, i, rowtest.FormatRow(types, got), rowtest.FormatRow(types, want))
				}
			}
			slice.Release()
		}
	})
}
