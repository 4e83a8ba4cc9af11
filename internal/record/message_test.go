package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/row"
)

// damageTable has an INT, a STRING, an ARRAY<INT>, a DECIMAL(10,2) and a TIMESTAMP(0).
func damageTable(codec catalog.Compression) *catalog.Table {
	return &catalog.Table{Compression: codec, CompressionLevel: 3, Descriptor: catalog.Descriptor{Schema: &catalog.Schema{ID: 1, Columns: []catalog.Column{
		{Name: "i", Type: catalog.Type{Kind: catalog.Int}},
		{Name: "s", Type: catalog.Type{Kind: catalog.String}},
		{Name: "a", Type: catalog.Type{Kind: catalog.Array, Elem: &catalog.Type{Kind: catalog.Int}}},
		{Name: "d", Type: catalog.Type{Kind: catalog.Decimal, Precision: 10, Scale: 2}},
		{Name: "t", Type: catalog.Type{Kind: catalog.Timestamp}},
	}}}}
}

// The buffers of damageTable, in order.
const (
	bufI      = 1
	bufSValid = 2
	bufSOff   = 3
	bufSData  = 4
	bufAOff   = 6
	bufD      = 10
	bufT      = 12
)

// damaged is the payload of four rows of damageTable in the hands of a test.
type damaged struct {
	payload []byte
	at      *template
	count   int32
}

func newDamaged(t *testing.T, codec catalog.Compression) *damaged {
	t.Helper()
	table := damageTable(codec)
	e, err := NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		r := []row.Datum{
			{I: int64(i)}, {B: bytes.Repeat([]byte("text"), 100)}, {L: []row.Datum{{I: 1}, {I: 2}}}, {I: 100}, {I: 1000},
		}
		if i == 2 {
			r[1] = row.Datum{Null: true}
		}
		if err := e.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	b, _, err := NextLogBatch(e.Finish(nil, LogHeader{}))
	if err != nil {
		t.Fatal(err)
	}
	fields, err := layout(table.Schema.Columns)
	if err != nil {
		t.Fatal(err)
	}
	nodes, buffers := count(fields)
	return &damaged{payload: b.Payload, at: newTemplate(nodes, buffers, codec), count: 4}
}

func (d *damaged) put(at int, v int64) { binary.LittleEndian.PutUint64(d.payload[at:], uint64(v)) }

// node sets length and null count of a node.
func (d *damaged) node(i int, length, nulls int64) {
	d.put(d.at.nodes+i*nodeSize, length)
	d.put(d.at.nodes+i*nodeSize+8, nulls)
}

// place sets offset and length of a buffer.
func (d *damaged) place(i int, offset, length int64) {
	d.put(d.at.buffers+i*bufferSize, offset)
	d.put(d.at.buffers+i*bufferSize+8, length)
}

// in returns the bytes of a buffer.
func (d *damaged) in(i int) []byte {
	p := d.payload[d.at.buffers+i*bufferSize:]
	from := len(d.at.bytes) + int(binary.LittleEndian.Uint64(p))
	return d.payload[from : from+int(binary.LittleEndian.Uint64(p[8:]))]
}

func (d *damaged) put32(buffer, i int, v int32) {
	binary.LittleEndian.PutUint32(d.in(buffer)[4*i:], uint32(v))
}

func (d *damaged) claim(buffer int, v int64) {
	binary.LittleEndian.PutUint64(d.in(buffer), uint64(v))
}

func TestDamagedMessages(t *testing.T) {
	none, zstd, lz4 := catalog.NoCompression, catalog.ZSTD, catalog.LZ4Frame
	tests := []struct {
		name   string
		codec  catalog.Compression
		damage func(*damaged)
		want   string
	}{
		{"nothing", none, func(d *damaged) {}, ""},
		{"nothing, zstd", zstd, func(d *damaged) {}, ""},
		{"nothing, lz4", lz4, func(d *damaged) {}, ""},
		{"no payload", none, func(d *damaged) { d.payload = nil }, "do not start an Arrow message"},
		{"no continuation", none, func(d *damaged) { d.payload[0] = 0 }, "do not start an Arrow message"},
		{"metadata length -1", none, func(d *damaged) { put32(4, -1)(d.payload) }, "Arrow metadata of -1 bytes"},
		{"metadata length 2^31-1", none, func(d *damaged) { put32(4, 1<<31-1)(d.payload) }, "Arrow metadata of 2147483647 bytes"},
		{"metadata length 0", none, func(d *damaged) { put32(4, 0)(d.payload) }, "without a readable record batch"},
		{"root outside", none, func(d *damaged) { put32(8, 1<<20)(d.payload) }, "without a readable record batch"},
		{"a row too many", none, func(d *damaged) { d.count = 5 }, "4 rows, the header counts 5"},
		{"body length beyond", none, func(d *damaged) { d.put(d.at.bodyLength, 1<<40) }, "Arrow body of"},
		{"body length -1", none, func(d *damaged) { d.put(d.at.bodyLength, -1) }, "Arrow body of -1"},
		{"a cut body", none, func(d *damaged) { d.payload = d.payload[:len(d.payload)-1] }, "Arrow body of"},
		{"node shorter", none, func(d *damaged) { d.node(0, 3, 0) }, `column "i": Arrow field of 3 values for 4 rows`},
		{"node longer", none, func(d *damaged) { d.node(0, 5, 0) }, "Arrow field of 5 values for 4 rows"},
		{"node of 2^62", none, func(d *damaged) { d.node(0, 1<<62, 0) }, "for 4 rows"},
		{"child of 2^40", none, func(d *damaged) { d.node(3, 1<<40, 0) }, "for 8 rows"},
		{"child of 2^30", none, func(d *damaged) { d.node(3, 1<<30, 0) }, "values of 4 bytes"},
		{"child of 2^20", none, func(d *damaged) { d.node(3, 1<<20, 0) }, "bytes, 4194304 are needed"},
		{"nulls -1", none, func(d *damaged) { d.node(0, 4, -1) }, "4 values with -1 nulls"},
		{"nulls 5", none, func(d *damaged) { d.node(0, 4, 5) }, "4 values with 5 nulls"},
		{"nulls without validity", none, func(d *damaged) { d.node(0, 4, 1) }, "Arrow buffer of 0 bytes, 1 are needed"},
		{"all nulls without validity", none, func(d *damaged) { d.node(0, 4, 4) }, ""},
		{"buffer beyond", none, func(d *damaged) { d.place(bufI, 1<<40, 16) }, "in a body of"},
		{"buffer at -8", none, func(d *damaged) { d.place(bufI, -8, 16) }, "in a body of"},
		{"buffer of -1", none, func(d *damaged) { d.place(bufI, 0, -1) }, "in a body of"},
		{"buffer too short", none, func(d *damaged) { d.place(bufI, 0, 15) }, "Arrow buffer of 15 bytes, 16 are needed"},
		{"offset descends", none, func(d *damaged) { d.put32(bufSOff, 2, 10) }, "Arrow offset 10 after 400"},
		{"offset negative", none, func(d *damaged) { d.put32(bufSOff, 0, -1) }, "Arrow offset -1"},
		{"offset beyond the data", none, func(d *damaged) { d.put32(bufSOff, 4, 1<<30) }, "1073741824 are needed"},
		{"list offset beyond the child", none, func(d *damaged) { d.put32(bufAOff, 4, 9) }, "8 values for 9 rows"},
		{"decimal too large", none, func(d *damaged) { d.in(bufD)[15] = 0x7f }, "too large for DECIMAL(10,2)"},
		{"seconds too large", none, func(d *damaged) { d.in(bufT)[7] = 0x7f }, "too large for TIMESTAMP(0)"},
		{"zstd claims 2^40", zstd, func(d *damaged) { d.claim(bufSData, 1<<40) }, "claims 1099511627776 bytes uncompressed"},
		{"zstd claims -2", zstd, func(d *damaged) { d.claim(bufSData, -2) }, "claims -2 bytes"},
		{"zstd claims 200 MB of a few bytes", zstd, func(d *damaged) { d.claim(bufSData, 200<<20) }, "claims 209715200 bytes out of"},
		{"zstd claims one more", zstd, func(d *damaged) { d.claim(bufSData, 1201) }, "1200 bytes uncompressed and claims 1201"},
		{"zstd claims one less", zstd, func(d *damaged) { d.claim(bufSData, 1199) }, "Arrow buffer"},
		{"zstd claims none", zstd, func(d *damaged) { d.claim(bufSData, 0) }, "Arrow buffer of 0 bytes, 1200 are needed"},
		{"zstd frame damaged", zstd, func(d *damaged) { d.in(bufSData)[8] = 0 }, "Arrow buffer in zstd"},
		{"offsets claim a lot", zstd, func(d *damaged) { d.claim(bufSOff, 10_000) }, "its rows take 20"},
		{"compressed buffer of 7 bytes", zstd, func(d *damaged) { d.place(bufSData, 0, 7) }, "compressed Arrow buffer of 7 bytes"},
		{"lz4 claims 1 MB of a few bytes", lz4, func(d *damaged) { d.claim(bufSData, 1<<20) }, "claims 1048576 bytes out of"},
		{"lz4 claims one more", lz4, func(d *damaged) { d.claim(bufSData, 1201) }, "Arrow buffer in lz4"},
		{"lz4 claims one less", lz4, func(d *damaged) { d.claim(bufSData, 1199) }, "Arrow buffer in lz4"},
		{"lz4 frame damaged", lz4, func(d *damaged) { d.in(bufSData)[8] = 0 }, "Arrow buffer in lz4"},
	}
	for _, test := range tests {
		table := damageTable(test.codec)
		dec, err := NewLogDecoder(table, table.Schema, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := newDamaged(t, test.codec)
		test.damage(d)
		fuzzbound.Check(t, len(d.payload), func() {
			_, err = dec.Decode(&LogBatch{BaseOffset: 77, Count: d.count, AppendOnly: true, Payload: d.payload})
		})
		var corrupt *CorruptError
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (!errors.As(err, &corrupt) || !strings.Contains(corrupt.Reason, test.want) || !strings.Contains(corrupt.Reason, "offset 77")):
			t.Errorf("%s: %v, want %q at offset 77", test.name, err, test.want)
		}
	}
}

// TestSchemaMessageInFront refuses a payload that begins with a schema message, as stream writers make it.
func TestSchemaMessageInFront(t *testing.T) {
	table := damageTable(catalog.NoCompression)
	schema, err := ArrowSchema(table.Schema.Columns)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload := append(schemaMessage(t, schema), newDamaged(t, catalog.NoCompression).payload...)
	_, err = d.Decode(&LogBatch{Count: 4, AppendOnly: true, Payload: payload})
	if err == nil || !strings.Contains(err.Error(), "Arrow message of type 1, not a record batch") {
		t.Errorf("%v", err)
	}
}

func TestChangeTypesChecked(t *testing.T) {
	table := damageTable(catalog.NoCompression)
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload := newDamaged(t, catalog.NoCompression).payload
	for _, test := range []struct{ changes, want string }{
		{"\x01\x02\x03\x04", ""}, {"\x01\x02\x03\x05", "record 3 has change type 5"}, {"\x01", "change type 255"},
	} {
		_, err := d.Decode(&LogBatch{Count: 4, Payload: append([]byte(test.changes), payload...)})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%x: %v, want %q", test.changes, err, test.want)
		}
	}
	_, err = d.Decode(&LogBatch{Count: 4, Payload: []byte{1, 2, 3}})
	if err == nil || !strings.Contains(err.Error(), "4 change types in 3 bytes") {
		t.Errorf("%v", err)
	}
}

// TestRowPayloadDamage is about the INDEXED and COMPACTED formats.
func TestRowPayloadDamage(t *testing.T) {
	for _, format := range []catalog.LogFormat{catalog.LogIndexed, catalog.LogCompacted} {
		table := benchTable(0)
		table.LogFormat = format
		e, err := NewLogEncoder(table)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range benchRows(2) {
			if err := e.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		d, b := decoderFor(t, table, e.Finish(nil, LogHeader{}))
		whole := b.Payload
		for _, test := range []struct {
			name    string
			count   int32
			payload []byte
			want    string
		}{
			{"whole", 2, whole, ""},
			{"cut", 2, whole[:len(whole)-1], "left"},
			{"record too few", 1, whole, "behind the last record"},
			{"record too many", 3, whole, "1 more records announced, 0 bytes left"},
			{"count 2^31-1", 1<<31 - 1, whole, "more records announced"},
			{"no change type", 1, []byte{0, 0, 0, 0}, "record 0 has no known change type"},
			{"change type 5", 1, []byte{2, 0, 0, 0, 5, 0}, "record 0 has no known change type"},
			{"no row", 1, []byte{1, 0, 0, 0, 0}, "record 0"},
			{"row cut", 1, []byte{2, 0, 0, 0, 0, 0}, "record 0"},
		} {
			_, err := d.Decode(&LogBatch{Count: test.count, Payload: test.payload})
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", test.name, err, test.want)
			}
			checkError(t, err)
		}
	}
}

// TestTemplateIsFlatbuffer lets arrow-go read messages of 0 to 20 columns, so that every alignment occurs.
func TestTemplateIsFlatbuffer(t *testing.T) {
	for _, codec := range []catalog.Compression{catalog.NoCompression, catalog.LZ4Frame, catalog.ZSTD} {
		for columns := 1; columns <= 20; columns++ {
			table := &catalog.Table{Compression: codec, Descriptor: catalog.Descriptor{Schema: &catalog.Schema{ID: 1}}}
			for range columns {
				table.Schema.Columns = append(table.Schema.Columns, catalog.Column{Name: "b", Type: catalog.Type{Kind: catalog.Boolean}})
			}
			e, err := NewLogEncoder(table)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Append(make([]row.Datum, columns)); err != nil {
				t.Fatal(err)
			}
			b, _, err := NextLogBatch(e.Finish(nil, LogHeader{}))
			if err != nil {
				t.Fatal(err)
			}
			schema, err := ArrowSchema(table.Schema.Columns)
			if err != nil {
				t.Fatal(err)
			}
			m, err := ipc.NewMessageReader(bytes.NewReader(b.Payload)).Message()
			if err != nil || m.Version() != ipc.MetadataV5 || m.Type() != ipc.MessageRecordBatch || m.BodyLen()%8 != 0 {
				t.Fatalf("%v, %+v", err, m)
			}
			if batch := readByArrowGo(t, schema, b.Payload); batch.NumCols() != int64(columns) || batch.NumRows() != 1 {
				t.Errorf("%d columns, %d rows", batch.NumCols(), batch.NumRows())
			}
		}
	}
}
