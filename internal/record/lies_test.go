package record

import (
	"encoding/binary"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/fuzzbound"
)

// lies are counts and lengths that nothing of the size at hand can hold, and some that it nearly could.
var lies = []uint32{2, 7, 100, 1 << 16, 1 << 20, 1<<24 - 1, 1<<31 - 1, 1 << 31, 1<<32 - 1}

// TestLyingCounts writes each of the lies over every four bytes of batches of each kind, and again over one byte each: what is
// read or refused costs no more than the bound, whatever is claimed.
func TestLyingCounts(t *testing.T) {
	n := 0
	each := func(t *testing.T, kind string, in []byte, read func(b []byte) error) {
		t.Helper()
		for at := range in {
			for _, lie := range lies {
				b := append([]byte(nil), in...)
				if at+4 <= len(b) {
					binary.LittleEndian.PutUint32(b[at:], lie)
				} else {
					b[at] = byte(lie)
				}
				n++
				fuzzbound.Check(t, len(b), func() { checkError(t, read(b)) })
			}
		}
	}
	var kv goldenKV
	readGolden(t, "kv_batches.json", &kv)
	for _, g := range kv.Groups {
		for _, c := range g.Cases[:min(2, len(g.Cases))] {
			if len(c.Bytes) < 400 {
				each(t, "kv", c.Bytes, readWholeKV)
			}
		}
	}
	var values goldenValues
	readGolden(t, "values.json", &values)
	for _, g := range values.ValueBatches {
		for _, c := range g.Cases[:min(2, len(g.Cases))] {
			if len(c.Bytes) < 400 {
				each(t, "value", c.Bytes, readWholeValues)
			}
		}
	}
	for _, format := range []string{"ARROW", "INDEXED", "COMPACTED"} {
		table, batches := everyType(t, format)
		read := logReader(t, table)
		for i, c := range batches {
			if c.Count > 0 && c.Count <= 3 && i < 6 {
				each(t, format, c.Bytes, read)
			}
		}
	}
	t.Logf("%d lies", n)
	if n < 10_000 {
		t.Error("too few to show anything")
	}
}

func readWholeKV(b []byte) error {
	batch, err := ReadKVBatch(b)
	if err != nil {
		return err
	}
	it := batch.Records()
	for it.Next() {
	}
	return it.Err()
}

func readWholeValues(b []byte) error {
	batch, err := ReadValueBatch(b)
	if err != nil {
		return err
	}
	it := batch.Records()
	for it.Next() {
	}
	return it.Err()
}

// logReader reads log batches of a table with a decoder of its own, limited to what the bound allows.
func logReader(t *testing.T, table *catalog.Table) func(b []byte) error {
	return func(in []byte) error {
		b, _, err := NextLogBatch(in)
		if err != nil {
			return err
		}
		d, err := NewLogDecoder(table, table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.MaxBytes = 256 << 10
		_, err = d.Decode(&b)
		return err
	}
}
