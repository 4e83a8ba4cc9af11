package record

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// checkError finds out whether an error is one that damage may cause.
func checkError(t *testing.T, err error) {
	t.Helper()
	if err == nil || err == ErrTruncated || err == io.EOF {
		return
	}
	if _, ok := err.(*CorruptError); !ok {
		t.Fatalf("%T: %v, want a CorruptError", err, err)
	}
}

// FuzzKVBatch: no panic, little allocation, and what is read writes the same bytes.
func FuzzKVBatch(f *testing.F) {
	var golden goldenKV
	readGolden(f, "kv_batches.json", &golden)
	for _, g := range golden.Groups {
		for _, c := range g.Cases {
			f.Add([]byte(c.Bytes))
		}
	}
	fuzzbound.Fuzz(f, func(t *testing.T, in []byte) {
		fuzzbound.Check(t, len(in), func() {
			b, err := ReadKVBatch(in)
			for it := b.Records(); err == nil && it.Next(); {
			}
		})
		b, err := ReadKVBatch(in)
		checkError(t, err)
		if err != nil {
			return
		}
		var records []byte
		it := b.Records()
		for it.Next() {
			records = AppendKVRecord(records, it.Key, it.Value)
		}
		checkError(t, it.Err())
		if it.Err() != nil {
			return
		}
		again, err := ReadKVBatch(AppendKVBatch(nil, b.KVHeader, records))
		if err != nil || again.KVHeader != b.KVHeader || again.CheckCRC() != nil || len(again.Payload) > len(b.Payload) {
			t.Fatalf("%+v came back as %+v, %v", b, again, err)
		}
		first, second := b.Records(), again.Records()
		for first.Next() {
			if !second.Next() || string(first.Key) != string(second.Key) || string(first.Value) != string(second.Value) {
				t.Fatalf("record %x %x came back as %x %x", first.Key, first.Value, second.Key, second.Value)
			}
		}
	})
}

// FuzzValueBatch: no panic, and what is read writes the same bytes.
func FuzzValueBatch(f *testing.F) {
	var golden goldenValues
	readGolden(f, "values.json", &golden)
	for _, g := range golden.ValueBatches {
		for _, c := range g.Cases {
			f.Add([]byte(c.Bytes))
		}
	}
	fuzzbound.Fuzz(f, func(t *testing.T, in []byte) {
		fuzzbound.Check(t, len(in), func() {
			b, err := ReadValueBatch(in)
			for it := b.Records(); err == nil && it.Next(); {
			}
		})
		b, err := ReadValueBatch(in)
		checkError(t, err)
		if err != nil {
			return
		}
		var records []byte
		it := b.Records()
		for it.Next() {
			records = AppendValueRecord(records, it.SchemaID, it.Row)
		}
		checkError(t, it.Err())
		if it.Err() == nil {
			if out := AppendValueBatch(nil, b.Count, records); string(out) != string(in) {
				t.Fatalf("%x was written as %x", in, out)
			}
		}
	})
}

// FuzzLogWalk walks over batches: no panic, no allocation, offsets go forward, the end comes.
func FuzzLogWalk(f *testing.F) {
	var golden goldenLog
	readGolden(f, "log_batches.json", &golden)
	for _, g := range golden.Buffers {
		f.Add([]byte(g.Bytes))
	}
	fuzzbound.Fuzz(f, func(t *testing.T, in []byte) {
		fuzzbound.Check(t, len(in), func() { checkError(t, walkBatches(t, in)) })
	})
}

func walkBatches(t *testing.T, rest []byte) error {
	for {
		before := len(rest)
		b, tail, err := NextLogBatch(rest)
		if err != nil {
			return err
		}
		rest = tail
		if len(rest) >= before || len(b.Bytes)+len(rest) != before || b.NextOffset() <= b.BaseOffset {
			t.Fatalf("no progress at %+v", b)
		}
		b.CheckCRC()
	}
}

// everyType is the table of the golden group with a column of every type.
func everyType(t testing.TB, format string) (*catalog.Table, []goldenBatch) {
	t.Helper()
	var golden goldenLog
	readGolden(t, "log_batches.json", &golden)
	var table *catalog.Table
	var batches []goldenBatch
	for _, g := range golden.Groups {
		if g.Name == "every type" && g.LogFormat == format {
			table = goldenTable(goldenSchema(t, g.Schema, 1), format, "")
			batches = append(batches, g.Cases...)
		}
	}
	if table == nil {
		t.Fatal("no group of every type")
	}
	return table, batches
}

// fuzzPayload decodes a payload of any log format: no panic at decoding or reading, allocation bounded by the
// limit and the input, and what is read can be written and read again, unless it cannot be written at all.
func fuzzPayload(f *testing.F, format string) {
	table, batches := everyType(f, format)
	for _, c := range batches {
		b, _, err := NextLogBatch(c.Bytes)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b.Count, b.AppendOnly, b.Payload)
	}
	fuzzbound.Fuzz(f, func(t *testing.T, count int32, appendOnly bool, payload []byte) {
		if count < 0 || len(payload) > 1<<16 {
			return
		}
		d, err := NewLogDecoder(table, table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.MaxBytes = 512<<10 + 8*len(payload)
		var rows *LogRows
		fuzzbound.Check(t, len(payload), func() {
			rows, err = d.Decode(&LogBatch{Count: count, AppendOnly: appendOnly, Payload: payload})
		})
		checkError(t, err)
		if err == nil && rows.Len() <= 1000 {
			writeAgain(t, table, rows)
		}
	})
}

func writeAgain(t *testing.T, table *catalog.Table, rows *LogRows) {
	types := table.Schema.Types()
	for c := range types {
		if v := rows.Column(c); v != nil && v.children != nil && v.children[0].n > 10_000 {
			return
		}
	}
	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]row.Datum
	for i := range rows.Len() {
		want = append(want, rowOf(rows, len(types), i))
		if err := e.AppendChange(rows.Change(i), want[i]); err != nil {
			if !errors.As(err, new(*ValueError)) && table.LogFormat == catalog.LogArrow {
				t.Fatal(err)
			}
			return
		}
	}
	if e.Count() == 0 {
		return
	}
	again := decodeOne(t, table, e.Finish(nil, LogHeader{}))
	for i := range want {
		if got := rowOf(again, len(types), i); !rowtest.EqualRows(types, got, want[i]) {
			a, b := rowtest.FormatRow(types, got), rowtest.FormatRow(types, want[i])
			if a != b {
				t.Fatalf("%s was read as %s", b, a)
			}
		}
	}
}

func FuzzArrowPayload(f *testing.F)     { fuzzPayload(f, "ARROW") }
func FuzzIndexedPayload(f *testing.F)   { fuzzPayload(f, "INDEXED") }
func FuzzCompactedPayload(f *testing.F) { fuzzPayload(f, "COMPACTED") }

// TestEveryByteDamaged decodes golden ARROW batches of every type and codec with each byte changed in some
// ways. There may be wrong values, no panic and no other error than a CorruptError.
func TestEveryByteDamaged(t *testing.T) {
	table, batches := everyType(t, "ARROW")
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.MaxBytes = 1 << 20
	n, refused := 0, 0
	for i := range batches {
		if batches[i].Count == 0 || batches[i].Count > 3 || batches[i].Magic != 0 {
			continue
		}
		in := append([]byte(nil), batches[i].Bytes...)
		for at := bodyAt; at < len(in); at++ {
			old := in[at]
			for _, v := range []byte{0, 0x7f, 0xff, old ^ 1, old ^ 0x80} {
				in[at] = v
				b, _, err := NextLogBatch(in)
				if err == nil {
					var rows *LogRows
					if rows, err = d.Decode(&b); err == nil && rows.Len() < 10 {
						for r := range rows.Len() {
							rowOf(rows, len(table.Schema.Columns), r)
						}
					}
				}
				checkError(t, err)
				n++
				if err != nil {
					refused++
				}
			}
			in[at] = old
		}
	}
	t.Logf("%d damaged batches, %d refused", n, refused)
	if n == 0 {
		t.Error("no batches")
	}
}

// FuzzDecompress reads bytes as a compressed Arrow buffer of either codec: no panic, and never more memory than the
// limit, whatever the bytes claim.
func FuzzDecompress(f *testing.F) {
	for _, codec := range []catalog.Compression{catalog.ZSTD, catalog.LZ4Frame} {
		for _, plain := range []string{"", "fluss", strings.Repeat("fluss", 1000)} {
			f.Add(codec == catalog.ZSTD, newCompressor(codec, 3).appendBuffer(nil, []byte(plain)))
		}
	}
	fuzzbound.Fuzz(f, func(t *testing.T, zstd bool, in []byte) {
		codec := catalog.LZ4Frame
		if zstd {
			codec = catalog.ZSTD
		}
		fuzzbound.Check(t, len(in), func() {
			d := decompressor{codec: codec, budget: 512<<10 + 8*len(in)}
			out, err := d.plain(0, in, 0, -1)
			checkError(t, err)
			if len(out) > 512<<10+8*len(in) {
				t.Fatalf("%d bytes out of %d", len(out), len(in))
			}
		})
	})
}
