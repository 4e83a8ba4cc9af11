package record

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// TestRecordedProjections compares with what a real server answered to fetches of the same batches, whole and
// with a projection: the same header, change types, nodes, buffers and body, and values that agree.
func TestRecordedProjections(t *testing.T) {
	var golden struct {
		Cases []struct {
			Name            string
			Whole           hexBytes
			Projected       hexBytes
			ProjectedFields []int `json:"projected_fields"`
			Schema          json.RawMessage
		}
	}
	readGolden(t, "projected.json", &golden)
	batches := 0
	for _, c := range golden.Cases {
		whole, projected := []byte(c.Whole), []byte(c.Projected)
		for {
			var w, p LogBatch
			var err error
			if w, whole, err = NextLogBatch(whole); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if p, projected, err = NextLogBatch(projected); err != nil {
				t.Fatal(err)
			}
			batches++
			checkRecordedProjection(t, c.Name, goldenSchema(t, c.Schema, int(w.SchemaID)), c.ProjectedFields, &w, &p)
		}
		if len(projected) != 0 {
			t.Errorf("%s: %d bytes of projected batches left", c.Name, len(projected))
		}
	}
	t.Logf("%d recorded projections, %d batches", len(golden.Cases), batches)
	if len(golden.Cases) != 2 || batches == 0 {
		t.Error("cases are missing")
	}
}

func checkRecordedProjection(t *testing.T, name string, schema *catalog.Schema, positions []int, whole, want *LogBatch) {
	t.Helper()
	if whole.CheckCRC() != nil || want.CheckCRC() == nil {
		t.Errorf("%s: the CRC of the whole batch is wrong, or that of the projected one right", name)
	}
	server, err := readMessage(want.Payload)
	if err != nil {
		t.Fatal(err)
	}
	table := &catalog.Table{Descriptor: catalog.Descriptor{Schema: schema}, Compression: server.codec}
	p, err := NewProjector(table, schema, positions)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.Append(nil, whole)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := NextLogBatch(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(withoutLength(got.Bytes), withoutLength(want.Bytes)) {
		t.Errorf("%s: header %x, want %x", name, got.Bytes[:logHeaderSize], want.Bytes[:logHeaderSize])
	}
	ours, err := readMessage(got.Payload)
	if err != nil {
		t.Fatal(err)
	}
	if ours.length != server.length || ours.codec != server.codec || !bytes.Equal(ours.nodes, server.nodes) ||
		!bytes.Equal(ours.buffers, server.buffers) || !bytes.Equal(ours.body, server.body) {
		t.Errorf("%s: projected %+v, the server has %+v", name, ours, server)
	}
	comparePicked(t, table, positions, whole, want)
}

func withoutLength(b []byte) []byte {
	return append(append([]byte(nil), b[:8]...), b[logPrefix:logHeaderSize]...)
}

// comparePicked reads the columns from both batches.
func comparePicked(t *testing.T, table *catalog.Table, positions []int, whole, projected *LogBatch) {
	t.Helper()
	all, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	some, err := NewLogDecoder(table, table.Schema, positions)
	if err != nil {
		t.Fatal(err)
	}
	a, err := all.Decode(whole)
	if err != nil {
		t.Fatal(err)
	}
	b, err := some.Decode(projected)
	if err != nil || a.Len() != b.Len() {
		t.Fatalf("%v", err)
	}
	for i := range a.Len() {
		for j, position := range positions {
			var x, y row.Datum
			a.Datum(&x, position, i)
			b.Datum(&y, j, i)
			if !rowtest.Equal(&table.Schema.Columns[position].Type, &x, &y) {
				t.Errorf("row %d column %d: %+v, want %+v", i, position, y, x)
			}
		}
	}
}
