package record

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// wantRows is what reading a golden batch has to give.
func wantRows(t *testing.T, table *catalog.Table, b *goldenBatch) [][]row.Datum {
	t.Helper()
	types := table.Schema.Types()
	rows := make([][]row.Datum, len(b.Records))
	for i := range b.Records {
		r := &b.Records[i]
		if table.LogFormat != catalog.LogArrow {
			rows[i] = parseRow(t, types, r.Row)
			continue
		}
		rows[i] = parseRow(t, types, r.putIn())
		for j := range rows[i] {
			rows[i][j] = stored(types[j], rows[i][j])
		}
		if r.javaReads(types) && !rowtest.EqualRows(types, rows[i], parseRow(t, types, r.Row)) {
			t.Fatalf("the test expects %s, Java reads %s", rowtest.FormatRow(types, rows[i]), r.Row)
		}
	}
	return rows
}

func checkHeader(t *testing.T, b *LogBatch, want *goldenBatch) {
	t.Helper()
	if b.BaseOffset != want.BaseOffset || b.Magic != want.Magic && want.Bytes != nil || b.CommitMillis != want.CommitTimestamp ||
		b.LeaderEpoch != want.LeaderEpoch || b.CRC != want.CRC || b.SchemaID != want.SchemaID ||
		b.WriterID != want.WriterID || b.Sequence != want.Sequence || b.Count != want.Count ||
		b.NextOffset() != want.NextOffset || b.NextOffset()-1 != want.LastOffset || len(b.Bytes) != want.Size {
		t.Errorf("header %+v, want %+v", *b, *want)
	}
	if (b.CheckCRC() == nil) != want.Valid {
		t.Errorf("CRC check %v, valid %v", b.CheckCRC(), want.Valid)
	}
}

func checkRows(t *testing.T, got *LogRows, types []*catalog.Type, batch *goldenBatch, want [][]row.Datum) {
	t.Helper()
	if got.Len() != len(want) {
		t.Fatalf("%d rows, want %d", got.Len(), len(want))
	}
	for i := range want {
		if got.Offset(i) != batch.Records[i].Offset || got.Change(i) != changeSigns[batch.Records[i].Change] {
			t.Errorf("row %d: offset %d %s, want %d %s", i, got.Offset(i), got.Change(i), batch.Records[i].Offset, batch.Records[i].Change)
		}
		if r := rowOf(got, len(types), i); !rowtest.EqualRows(types, r, want[i]) {
			t.Errorf("row %d: %s, want %s", i, rowtest.FormatRow(types, r), rowtest.FormatRow(types, want[i]))
		}
	}
}

func rowOf(r *LogRows, columns, i int) []row.Datum {
	values := make([]row.Datum, columns)
	for c := range values {
		r.Datum(&values[c], c, i)
	}
	return values
}

// encodeGolden writes the golden batch's rows anew.
func encodeGolden(t *testing.T, e *LogEncoder, b *goldenBatch, rows [][]row.Datum) []byte {
	t.Helper()
	for i, r := range rows {
		var err error
		if b.AppendOnly {
			err = e.Append(r)
		} else {
			err = e.AppendChange(changeSigns[b.Records[i].Change], r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return e.Finish(nil, LogHeader{
		WriterID: b.WriterID, Sequence: b.Sequence, Magic: b.Magic,
		BaseOffset: b.BaseOffset, CommitMillis: b.CommitTimestamp, LeaderEpoch: b.LeaderEpoch,
	})
}

func TestGoldenLogBatches(t *testing.T) {
	var golden goldenLog
	readGolden(t, "log_batches.json", &golden)
	batches, records, refused := map[string]int{}, 0, 0
	for _, g := range golden.Groups {
		for i := range g.Cases {
			c := &g.Cases[i]
			t.Run(g.Name+"/"+g.LogFormat+"/"+g.Compression+"/"+c.Name, func(t *testing.T) {
				batches[g.LogFormat+" "+g.Compression]++
				records += len(c.Records)
				table := goldenTable(goldenSchema(t, g.Schema, int(c.SchemaID)), g.LogFormat, g.Compression)
				if !c.AppendOnly {
					table.PrimaryKey = []int{0}
				}
				goldenLogBatch(t, table, c)
				refused += checkRefused(t, table, c)
			})
		}
	}
	t.Logf("%v batches, %d records, %d refused values", batches, records, refused)
	if refused == 0 || len(batches) != 5 {
		t.Error("cases are missing")
	}
}

func goldenLogBatch(t *testing.T, table *catalog.Table, c *goldenBatch) {
	types := table.Schema.Types()
	b, rest, err := NextLogBatch(c.Bytes)
	if err != nil || len(rest) != 0 {
		t.Fatalf("%v, %d bytes behind", err, len(rest))
	}
	checkHeader(t, &b, c)
	if b.AppendOnly != c.AppendOnly {
		t.Errorf("append-only %v", b.AppendOnly)
	}
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := wantRows(t, table, c)
	got, err := d.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	checkRows(t, got, types, c, want)

	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	if table.LogFormat != catalog.LogArrow || c.Count == 0 {
		in := make([][]row.Datum, len(c.Records))
		for i := range in {
			in[i] = parseRow(t, types, c.Records[i].putIn())
		}
		if got := encodeGolden(t, e, c, in); !bytes.Equal(got, c.Bytes) {
			t.Errorf("encoded\n%x, want\n%x", got, []byte(c.Bytes))
		}
		return
	}
	reread(t, d, c, types, encodeGolden(t, e, c, want), want)
	e.Lossy = true
	for i := range want {
		want[i] = parseRow(t, types, c.Records[i].putIn())
	}
	reread(t, d, c, types, encodeGolden(t, e, c, want), wantRows(t, table, c))
}

// reread checks an ARROW batch of ours that holds the golden batch's rows: up to length and CRC the same
// header, the same change types, and the same values.
func reread(t *testing.T, d *LogDecoder, c *goldenBatch, types []*catalog.Type, ours []byte, want [][]row.Datum) {
	t.Helper()
	b, rest, err := NextLogBatch(ours)
	if err != nil || len(rest) != 0 {
		t.Fatalf("%v, %d bytes behind", err, len(rest))
	}
	if err := b.CheckCRC(); err != nil {
		t.Error(err)
	}
	head := len(ours) - len(b.Payload)
	if !b.AppendOnly {
		head += int(b.Count)
	}
	if !bytes.Equal(withoutLengthAndCRC(ours[:head]), withoutLengthAndCRC(c.Bytes[:head])) {
		t.Errorf("header and change types\n%x, want\n%x", ours[:head], []byte(c.Bytes[:head]))
	}
	got, err := d.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	checkRows(t, got, types, c, want)
}

func withoutLengthAndCRC(b []byte) []byte {
	shift, _ := magicShift(b[magicAt])
	out := slices.Clone(b)
	copy(out[8:12], "\x00\x00\x00\x00")
	copy(out[crcAt+shift:], "\x00\x00\x00\x00")
	return out
}

// checkRefused appends the values that the Java writer throws on and finds the encoder unchanged behind them.
func checkRefused(t *testing.T, table *catalog.Table, c *goldenBatch) int {
	for _, r := range c.Refused {
		e, err := NewLogEncoder(table)
		if err != nil {
			t.Fatal(err)
		}
		good := wantRows(t, table, c)
		before := encodeGolden(t, e, c, good)
		bad, err := rowtest.ParseDatum(&table.Schema.Columns[0].Type, []byte(`"`+r.Value+`"`))
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			if err := e.Append(good[i]); err != nil {
				t.Fatal(err)
			}
			if err := e.Append([]row.Datum{bad}); errors.As(err, new(*ValueError)) == false {
				t.Errorf("%q: %v, want a ValueError", r.Value, err)
			}
		}
		after := e.Finish(nil, LogHeader{
			WriterID: c.WriterID, Sequence: c.Sequence, Magic: c.Magic,
			BaseOffset: c.BaseOffset, CommitMillis: c.CommitTimestamp, LeaderEpoch: c.LeaderEpoch,
		})
		if !bytes.Equal(before, after) {
			t.Errorf("%q left a trace in the batch", r.Value)
		}
	}
	return len(c.Refused)
}

func TestGoldenBuffers(t *testing.T) {
	var golden goldenLog
	readGolden(t, "log_batches.json", &golden)
	batches := 0
	for _, g := range golden.Buffers {
		t.Run(g.LogFormat+"/"+g.Name, func(t *testing.T) {
			table := goldenTable(goldenSchema(t, g.Schema, 1), g.LogFormat, "")
			d, err := NewLogDecoder(table, table.Schema, nil)
			if err != nil {
				t.Fatal(err)
			}
			rest, n := []byte(g.Bytes), 0
			for {
				var b LogBatch
				if b, rest, err = NextLogBatch(rest); err != nil {
					break
				}
				if n == len(g.Batches) {
					t.Fatalf("more than %d batches", n)
				}
				want := &g.Batches[n]
				n++
				batches++
				checkHeader(t, &b, want)
				if !want.Valid {
					continue
				}
				got, err := d.Decode(&b)
				if err != nil {
					t.Fatal(err)
				}
				checkRows(t, got, table.Schema.Types(), want, wantRows(t, table, want))
			}
			if n != len(g.Batches) || err != io.EOF && err != ErrTruncated {
				t.Errorf("%d batches, then %v; want %d", n, err, len(g.Batches))
			}
		})
	}
	t.Logf("%d buffers with %d batches", len(golden.Buffers), batches)
	if len(golden.Buffers) != 27 {
		t.Errorf("%d buffers, want 27", len(golden.Buffers))
	}
}
