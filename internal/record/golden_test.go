package record

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// The files in testdata were made by the Java classes of fluss-client and fluss-server 0.9.1-incubating.

// hexBytes is bytes written as hex in JSON.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	b, err := hex.DecodeString(s)
	*h = b
	return err
}

func readGolden(t testing.TB, name string, v any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

func goldenSchema(t testing.TB, text json.RawMessage, id int) *catalog.Schema {
	t.Helper()
	s, err := catalog.DecodeSchema(text, id)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return s
}

func kvCodec(format string, s *catalog.Schema) *row.Codec {
	if format == "INDEXED" {
		return row.NewCodec(row.Indexed, s.Types())
	}
	return row.NewCodec(row.Compacted, s.Types())
}

func parseRow(t testing.TB, types []*catalog.Type, text json.RawMessage) []row.Datum {
	t.Helper()
	r, err := rowtest.ParseRow(types, text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return r
}

type goldenKV struct {
	Groups []struct {
		Name     string
		KVFormat string `json:"kv_format"`
		Schema   json.RawMessage
		Cases    []struct {
			Name     string
			SchemaID int16 `json:"schema_id"`
			WriterID int64 `json:"writer_id"`
			Sequence int32 `json:"batch_sequence"`
			CRC      uint32
			Count    int32 `json:"record_count"`
			Valid    *bool
			Bytes    hexBytes
			Records  []struct {
				Op  string
				Key hexBytes
				Row json.RawMessage
			}
		}
	}
}

func TestGoldenKVBatches(t *testing.T) {
	var golden goldenKV
	readGolden(t, "kv_batches.json", &golden)
	batches, damaged, records := 0, 0, 0
	for _, g := range golden.Groups {
		schema := goldenSchema(t, g.Schema, 1)
		codec := kvCodec(g.KVFormat, schema)
		for _, c := range g.Cases {
			name := g.Name + " " + g.KVFormat + ": " + c.Name
			b, err := ReadKVBatch(c.Bytes)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if c.Valid != nil && !*c.Valid {
				damaged++
				if b.CheckCRC() == nil {
					t.Errorf("%s: CRC accepted", name)
				}
				continue
			}
			batches++
			want := KVHeader{SchemaID: c.SchemaID, WriterID: c.WriterID, Sequence: c.Sequence, Count: c.Count}
			if b.KVHeader != want || b.CRC != c.CRC || b.CheckCRC() != nil {
				t.Errorf("%s: header %+v CRC %d, want %+v %d", name, b.KVHeader, b.CRC, want, c.CRC)
			}
			var out []byte
			it := b.Records()
			for _, r := range c.Records {
				records++
				if !it.Next() || it.Delete() != (r.Op == "delete") || string(it.Key) != string(r.Key) {
					t.Fatalf("%s: record key %x delete %v (%v), want %x %s", name, it.Key, it.Delete(), it.Err(), r.Key, r.Op)
				}
				var value []byte
				if r.Op != "delete" {
					value = codec.Append(nil, parseRow(t, schema.Types(), r.Row))
				}
				if string(value) != string(it.Value) {
					t.Errorf("%s: value %x, want %x", name, it.Value, value)
				}
				out = AppendKVRecord(out, r.Key, value)
			}
			if it.Next() || it.Err() != nil {
				t.Errorf("%s: more records, or %v", name, it.Err())
			}
			if got := AppendKVBatch(nil, want, out); string(got) != string(c.Bytes) {
				t.Errorf("%s: encoded\n%x, want\n%x", name, got, []byte(c.Bytes))
			}
			checkKVPrefixes(t, name, c.Bytes)
		}
	}
	t.Logf("%d kv batches with %d records, %d damaged ones", batches, records, damaged)
	if batches != 24 || damaged != 4 {
		t.Errorf("want 24 and 4")
	}
}

func checkKVPrefixes(t *testing.T, name string, b []byte) {
	t.Helper()
	for n := range len(b) {
		if _, err := ReadKVBatch(b[:n]); err == nil {
			t.Fatalf("%s: the first %d of %d bytes are accepted", name, n, len(b))
		}
	}
}

type goldenValues struct {
	LookupValues []struct {
		KVFormat string `json:"kv_format"`
		Schema   json.RawMessage
		Cases    []struct {
			SchemaID int16 `json:"schema_id"`
			Row      json.RawMessage
			Bytes    hexBytes
		}
	} `json:"lookup_values"`
	ValueBatches []struct {
		KVFormat string `json:"kv_format"`
		Schema   json.RawMessage
		Cases    []struct {
			Count   int32 `json:"record_count"`
			Records []struct {
				SchemaID int16 `json:"schema_id"`
				Row      json.RawMessage
			}
			Bytes hexBytes
		}
	} `json:"value_batches"`
}

func TestGoldenLookupValues(t *testing.T) {
	var golden goldenValues
	readGolden(t, "values.json", &golden)
	n := 0
	for _, g := range golden.LookupValues {
		schema := goldenSchema(t, g.Schema, 1)
		codec := kvCodec(g.KVFormat, schema)
		for _, c := range g.Cases {
			n++
			id, bytes, err := ReadValue(c.Bytes)
			want := codec.Append(nil, parseRow(t, schema.Types(), c.Row))
			if err != nil || id != c.SchemaID || string(bytes) != string(want) {
				t.Errorf("%x: schema %d row %x, %v; want %d %x", []byte(c.Bytes), id, bytes, err, c.SchemaID, want)
			}
			if got := AppendValue(nil, c.SchemaID, want); string(got) != string(c.Bytes) {
				t.Errorf("encoded %x, want %x", got, []byte(c.Bytes))
			}
		}
	}
	t.Logf("%d lookup values", n)
	if n == 0 {
		t.Error("no cases")
	}
}

func TestGoldenValueBatches(t *testing.T) {
	var golden goldenValues
	readGolden(t, "values.json", &golden)
	n, records := 0, 0
	for _, g := range golden.ValueBatches {
		schema := goldenSchema(t, g.Schema, 1)
		codec := kvCodec(g.KVFormat, schema)
		for _, c := range g.Cases {
			n++
			b, err := ReadValueBatch(c.Bytes)
			if err != nil || b.Count != c.Count {
				t.Fatalf("%x: %+v, %v; want %d records", []byte(c.Bytes), b, err, c.Count)
			}
			var out []byte
			it := b.Records()
			for _, r := range c.Records {
				records++
				want := codec.Append(nil, parseRow(t, schema.Types(), r.Row))
				if !it.Next() || it.SchemaID != r.SchemaID || string(it.Row) != string(want) {
					t.Fatalf("record of schema %d, %x (%v); want %d, %x", it.SchemaID, it.Row, it.Err(), r.SchemaID, want)
				}
				out = AppendValueRecord(out, r.SchemaID, want)
			}
			if it.Next() || it.Err() != nil {
				t.Errorf("more records, or %v", it.Err())
			}
			if got := AppendValueBatch(nil, c.Count, out); string(got) != string(c.Bytes) {
				t.Errorf("encoded %x, want %x", got, []byte(c.Bytes))
			}
			for cut := range len(c.Bytes) {
				if _, err := ReadValueBatch(c.Bytes[:cut]); err == nil {
					t.Fatalf("the first %d of %d bytes are accepted", cut, len(c.Bytes))
				}
			}
		}
	}
	t.Logf("%d value batches with %d records", n, records)
	if n == 0 {
		t.Error("no cases")
	}
}

type goldenRecord struct {
	Offset   int64
	Change   string
	Row      json.RawMessage
	RowPutIn json.RawMessage `json:"row_put_in"`
}

// putIn is the row that the Java writer was given.
func (r *goldenRecord) putIn() json.RawMessage {
	if r.RowPutIn != nil {
		return r.RowPutIn
	}
	return r.Row
}

// javaReads reports whether the Java reader's row can be trusted: it throws on some values and returns wrong
// text for ARRAY<CHAR(n)>.
func (r *goldenRecord) javaReads(types []*catalog.Type) bool {
	for _, t := range types {
		if t.Kind == catalog.Array && t.Elem.Kind == catalog.Char {
			return false
		}
	}
	return !strings.Contains(string(r.Row), "java_error")
}

type goldenBatch struct {
	Name            string
	Magic           uint8
	AppendOnly      bool  `json:"append_only"`
	BaseOffset      int64 `json:"base_offset"`
	LastOffset      int64 `json:"last_offset"`
	NextOffset      int64 `json:"next_offset"`
	Size            int   `json:"size_in_bytes"`
	CommitTimestamp int64 `json:"commit_timestamp"`
	LeaderEpoch     int32 `json:"leader_epoch"`
	CRC             uint32
	Valid           bool
	SchemaID        int16 `json:"schema_id"`
	WriterID        int64 `json:"writer_id"`
	Sequence        int32 `json:"batch_sequence"`
	Count           int32 `json:"record_count"`
	Records         []goldenRecord
	Bytes           hexBytes
	Refused         []struct {
		Value string
		Error string
	} `json:"refused_by_writer"`
}

type goldenLog struct {
	Groups []struct {
		Name        string
		LogFormat   string `json:"log_format"`
		Compression string
		Schema      json.RawMessage
		Cases       []goldenBatch
	}
	Buffers []struct {
		Name      string
		LogFormat string `json:"log_format"`
		Schema    json.RawMessage
		Batches   []goldenBatch
		Bytes     hexBytes
	}
}

var logFormats = map[string]catalog.LogFormat{
	"ARROW": catalog.LogArrow, "INDEXED": catalog.LogIndexed, "COMPACTED": catalog.LogCompacted,
}

var compressions = map[string]catalog.Compression{
	"": catalog.NoCompression, "NONE": catalog.NoCompression, "LZ4_FRAME": catalog.LZ4Frame, "ZSTD": catalog.ZSTD,
}

func goldenTable(s *catalog.Schema, format, compression string) *catalog.Table {
	return &catalog.Table{
		Descriptor: catalog.Descriptor{Schema: s},
		LogFormat:  logFormats[format], Compression: compressions[compression], CompressionLevel: 3,
	}
}

var changeSigns = map[string]ChangeType{"+A": Append, "+I": Insert, "-U": UpdateBefore, "+U": UpdateAfter, "-D": Delete}

// stored is what an ARROW log keeps of a value that the Java writer was given.
func stored(t *catalog.Type, d row.Datum) row.Datum {
	if d.Null {
		return d
	}
	switch t.Kind {
	case catalog.Time:
		if t.Precision == 0 {
			d.I = d.I / 1000 * 1000
		}
	case catalog.Timestamp, catalog.TimestampLTZ:
		return storedTimestamp(t.Precision, d)
	case catalog.Binary:
		d.B = d.B[:t.Length]
	case catalog.Array, catalog.Map, catalog.Row:
		l := make([]row.Datum, len(d.L))
		for i := range l {
			l[i] = stored(member(t, i), d.L[i])
		}
		d.L = l
	}
	return d
}

func storedTimestamp(precision int, d row.Datum) row.Datum {
	unit := int64(1_000_000)
	switch {
	case precision == 0:
		return row.Datum{I: d.I / 1000 * 1000}
	case precision <= 3:
		return row.Datum{I: d.I}
	case precision <= 6:
		unit = 1000
	}
	raw := d.I*unit + int64(d.N)*unit/1_000_000 // wraps around as in Java
	millis := raw / unit
	if raw%unit < 0 {
		millis--
	}
	return row.Datum{I: millis, N: int32((raw - millis*unit) * (1_000_000 / unit))}
}

// decoderFor returns a decoder of all columns of the table, and the first batch of a log of it.
func decoderFor(t testing.TB, table *catalog.Table, log []byte) (*LogDecoder, LogBatch) {
	t.Helper()
	b, _, err := NextLogBatch(log)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d, b
}
