package flusstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// script is a test of a key table in words.
//
//	columns  "k INT, v STRING, n BIGINT sum": the first keys columns are the key
//	steps    "put 1,a 2,b => 2"   a batch of upserts and what its answer is: the log end, or E and a code
//	         "put 1,a !2"         !key deletes
//	         "put@0,2 1,,7"       target columns
//	         "over 1,a"           overwrite mode
//	         "put@0,1#1 1,a"      written with schema id 1
//	         "add c STRING"       adds a column
//	         "insert 1 2 => 1(1,~) 1(2,~)"  a lookup that inserts
//	log      "0+I(1,a) 1-U(1,a) 2+U(1,b) 3." : offsets, changes, rows; a dot is an empty batch
//	rows     "1(1,a) 2(2,b)": what LIMIT_SCAN gives, with schema ids
//	stats    the row count, or E and a code
//
// ~ is NULL, nothing is the empty string.
type script struct {
	name    string
	columns string
	keys    int
	props   map[string]string
	auto    string // the auto-increment column
	part    string // the partition column; its partition is "p"
	steps   []string
	log     string
	rows    string
	stats   string
}

func (s *script) descriptor(t testing.TB) catalog.Descriptor {
	t.Helper()
	d := catalog.Descriptor{Schema: &catalog.Schema{AutoIncrement: s.auto}, Properties: map[string]string{
		"table.kv.format-version": "2", "table.replication.factor": "1",
	}}
	for k, v := range s.props {
		d.Properties[k] = v
	}
	for _, text := range splitColumns(s.columns) {
		d.Schema.Columns = append(d.Schema.Columns, parseColumn(t, text))
	}
	for i := range max(s.keys, 1) {
		d.Schema.PrimaryKey = append(d.Schema.PrimaryKey, d.Schema.Columns[i].Name)
	}
	d.BucketKeys = d.Schema.PrimaryKey[:1]
	if s.part != "" {
		d.PartitionKeys = []string{s.part}
		d.BucketKeys = slices.DeleteFunc(slices.Clone(d.Schema.PrimaryKey), func(c string) bool { return c == s.part })
	}
	return d
}

func splitColumns(columns string) []string { return strings.Split(columns, ", ") }

// parseColumn reads "name TYPE", then perhaps a function and its delimiter, then perhaps NOT NULL. ARRAY is one of INT,
// MAP one from STRING to INT, ROW one of an INT and a STRING.
func parseColumn(t testing.TB, text string) catalog.Column {
	t.Helper()
	text, notNull := strings.CutSuffix(text, " NOT NULL")
	f := strings.Fields(text)
	c := catalog.Column{Name: f[0], Type: catalog.Type{NotNull: notNull}}
	word, args, _ := strings.Cut(strings.TrimSuffix(f[1], ")"), "(")
	for k := catalog.Boolean; k <= catalog.Row; k++ {
		if k.Word() == word {
			c.Type.Kind = k
		}
	}
	if c.Type.Kind == 0 {
		t.Fatalf("type %q", f[1])
	}
	switch integer := (catalog.Type{Kind: catalog.Int}); c.Type.Kind {
	case catalog.Array:
		c.Type.Elem = &integer
	case catalog.Map:
		c.Type.Key, c.Type.Elem = &catalog.Type{Kind: catalog.String, NotNull: true}, &integer
	case catalog.Row:
		c.Type.Fields = []catalog.Field{{Name: "a", Type: integer}, {Name: "b", Type: catalog.Type{Kind: catalog.String}}}
	}
	var numbers []int
	for a := range strings.SplitSeq(args, ";") {
		n, _ := strconv.Atoi(a)
		numbers = append(numbers, n)
	}
	c.Type.Length, c.Type.Precision = numbers[0], numbers[0]
	if c.Type.Kind == catalog.Char || c.Type.Kind == catalog.Binary {
		c.Type.Precision = 0
	} else {
		c.Type.Length = 0
	}
	if len(numbers) > 1 {
		c.Type.Scale = numbers[1]
	}
	if len(f) > 2 {
		c.Agg = &catalog.AggFunction{Name: f[2]}
		if len(f) > 3 {
			c.Agg.Parameters = map[string]string{"delimiter": f[3]}
		}
	}
	return c
}

func (s *script) run(t *testing.T) {
	d := s.descriptor(t)
	target := newTarget(t, d)
	for _, step := range s.steps {
		do, want, _ := strings.Cut(step, " => ")
		if got := runStep(t, target, do); want != "" && got != want {
			t.Errorf("%s: got %s, want %s", do, got, want)
		}
	}
	if got := logText(t, target, nil); got != s.log {
		t.Errorf("log:\n got %s\nwant %s", got, s.log)
	}
	if got := rowsText(t, target); got != s.rows {
		t.Errorf("rows:\n got %s\nwant %s", got, s.rows)
	}
	if s.stats != "" {
		n, err := target.stats()
		if got := answer(t, n, err); got != s.stats {
			t.Errorf("stats: got %s, want %s", got, s.stats)
		}
	}
}

func answer(t testing.TB, n int64, err error) string {
	t.Helper()
	if err != nil {
		t.Log(err)
		return fmt.Sprintf("E%d", code(t, err))
	}
	return strconv.FormatInt(n, 10)
}

func runStep(t testing.TB, target storeTarget, do string) string {
	t.Helper()
	words := strings.Split(do, " ")
	verb, args := words[0], words[1:]
	switch verb {
	case "add":
		target.addColumn(parseColumn(t, strings.Join(args, " ")))
		return ""
	case "insert":
		values, err := target.insert(parseKeys(t, target.table(), args))
		if err != nil {
			return answer(t, 0, err)
		}
		return valuesText(t, target, values)
	}
	verb, id, _ := strings.Cut(verb, "#")
	verb, at, _ := strings.Cut(verb, "@")
	schema := target.table().Schema
	if id != "" {
		n, _ := strconv.Atoi(id)
		if schema = target.schema(n); schema == nil {
			schema = &catalog.Schema{ID: n, Columns: target.schema(1).Columns}
		}
	}
	var columns []int32
	if at != "" {
		for p := range strings.SplitSeq(at, ",") {
			n, _ := strconv.Atoi(p)
			columns = append(columns, int32(n))
		}
	}
	end, err := target.put(batchOf(t, target.table(), schema, -1, -1, args), columns, verb == "over")
	return answer(t, end, err)
}

// batchOf makes a kv batch of rows in text form.
func batchOf(t testing.TB, table *catalog.Table, schema *catalog.Schema, writer int64, sequence int32, rows []string) []byte {
	t.Helper()
	var records []byte
	codec := row.NewCodec(kvFormat(table), schema.Types())
	for _, text := range rows {
		if key, deletes := strings.CutPrefix(text, "!"); deletes {
			records = record.AppendKVRecord(records, parseKeys(t, table, []string{key})[0], nil)
			continue
		}
		values := parseRow(t, schema.Types(), text)
		records = record.AppendKVRecord(records, keyOf(t, table, values), codec.Append(nil, values))
	}
	return kvBatch(schema.ID, writer, sequence, len(rows), records)
}

func kvBatch(schemaID int, writer int64, sequence int32, count int, records []byte) []byte {
	return record.AppendKVBatch(nil, record.KVHeader{
		SchemaID: int16(schemaID), WriterID: writer, Sequence: sequence, Count: int32(count)}, records)
}

func kvFormat(t *catalog.Table) row.Format {
	if t.KVFormat == catalog.KVIndexed {
		return row.Indexed
	}
	return row.Compacted
}

func keyOf(t testing.TB, table *catalog.Table, values []row.Datum) []byte {
	t.Helper()
	keys, err := row.NewKeyEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	key, err := keys.Append(nil, values)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func parseKeys(t testing.TB, table *catalog.Table, texts []string) (keys [][]byte) {
	t.Helper()
	types := table.Schema.Types()
	for _, text := range texts {
		values := parseRow(t, types[:len(table.PrimaryKey)], text)
		for range types[len(values):] {
			values = append(values, row.Datum{Null: true})
		}
		keys = append(keys, keyOf(t, table, values))
	}
	return keys
}

func parseRow(t testing.TB, types []*catalog.Type, text string) []row.Datum {
	t.Helper()
	parts := strings.Split(text, ",")
	if len(parts) != len(types) {
		t.Fatalf("row %q for %d columns", text, len(types))
	}
	values := make([]row.Datum, len(types))
	for i, typ := range types {
		values[i] = parseDatum(t, typ, parts[i])
	}
	return values
}

func parseDatum(t testing.TB, typ *catalog.Type, text string) row.Datum {
	t.Helper()
	if text == "~" {
		return row.Datum{Null: true}
	}
	var raw string
	switch typ.Kind {
	case catalog.Float, catalog.Double:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if typ.Kind == catalog.Float {
			return row.Datum{I: int64(math.Float32bits(float32(f)))}
		}
		return row.Datum{I: int64(math.Float64bits(f))}
	case catalog.Timestamp, catalog.TimestampLTZ:
		raw = strings.ReplaceAll(text, "+", ",")
	default:
		raw = text
	}
	quoted, _ := json.Marshal(raw)
	d, err := rowtest.ParseDatum(typ, quoted)
	if err != nil {
		t.Fatalf("%s %q: %v", typ, text, err)
	}
	return d
}

func datumText(typ *catalog.Type, d *row.Datum) string {
	switch {
	case d.Null:
		return "~"
	case typ.Kind == catalog.Float:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(d.I))), 'g', -1, 32)
	case typ.Kind == catalog.Double:
		return strconv.FormatFloat(math.Float64frombits(uint64(d.I)), 'g', -1, 64)
	case typ.Kind == catalog.Timestamp || typ.Kind == catalog.TimestampLTZ:
		return fmt.Sprintf("%d+%d", d.I, d.N)
	}
	return strings.Trim(rowtest.Format(typ, d), `"`)
}

func rowText(types []*catalog.Type, values []row.Datum) string {
	var parts []string
	for i, typ := range types {
		parts = append(parts, datumText(typ, &values[i]))
	}
	return "(" + strings.Join(parts, ",") + ")"
}

var changeSigns = map[record.ChangeType]string{
	record.Append: "+A", record.Insert: "+I", record.UpdateBefore: "-U", record.UpdateAfter: "+U", record.Delete: "-D"}

// logText fetches the whole log, batch after batch being told apart by two blanks when there is a projection.
func logText(t testing.TB, target storeTarget, projection []int32) string {
	t.Helper()
	var words []string
	for _, b := range fetchAll(t, target, projection) {
		words = append(words, batchText(t, target, &b, projection)...)
	}
	return strings.Join(words, " ")
}

func fetchAll(t testing.TB, target storeTarget, projection []int32) (batches []record.LogBatch) {
	t.Helper()
	offset, err := target.offset(listEarliest, 0)
	if err != nil {
		t.Fatal(err)
	}
	for {
		records, end, err := target.fetch(offset, 1<<20, projection)
		if err != nil {
			t.Fatal(err)
		}
		for {
			b, rest, err := record.NextLogBatch(records)
			if errors.Is(err, io.EOF) || errors.Is(err, record.ErrTruncated) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			batches = append(batches, b)
			offset, records = b.NextOffset(), rest
		}
		if offset >= end {
			return batches
		}
	}
}

func batchText(t testing.TB, target storeTarget, b *record.LogBatch, projection []int32) (words []string) {
	t.Helper()
	if b.Count == 0 {
		return []string{fmt.Sprintf("%d.", b.BaseOffset)}
	}
	var positions []int
	for _, p := range projection {
		positions = append(positions, int(p))
	}
	if projection == nil {
		if err := b.CheckCRC(); err != nil {
			t.Error(err)
		}
	}
	d, err := record.NewLogDecoder(target.table(), target.schema(int(b.SchemaID)), positions)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	columns := d.Columns()
	types := make([]*catalog.Type, len(columns))
	values := make([]row.Datum, len(columns))
	for i := range rows.Len() {
		for c := range columns {
			types[c] = &columns[c].Type
			rows.Datum(&values[c], c, i)
		}
		words = append(words, fmt.Sprintf("%d%s%s", rows.Offset(i), changeSigns[rows.Change(i)], rowText(types, values)))
	}
	return words
}

func rowsText(t testing.TB, target storeTarget) string {
	t.Helper()
	records, err := target.limitScan(math.MaxInt32)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := record.ReadValueBatch(records)
	if err != nil {
		t.Fatal(err)
	}
	var values [][]byte
	for it := batch.Records(); it.Next(); {
		values = append(values, record.AppendValue(nil, it.SchemaID, it.Row))
	}
	return valuesText(t, target, values)
}

func valuesText(t testing.TB, target storeTarget, list [][]byte) string {
	t.Helper()
	var words []string
	for _, v := range list {
		if v == nil {
			words = append(words, "-")
			continue
		}
		id, stored, err := record.ReadValue(v)
		if err != nil {
			t.Fatal(err)
		}
		types := target.schema(int(id)).Types()
		values := make([]row.Datum, len(types))
		if err := row.NewCodec(kvFormat(target.table()), types).Decode(values, slices.Clone(stored)); err != nil {
			t.Fatal(err)
		}
		words = append(words, fmt.Sprintf("%d%s", id, rowText(types, values)))
	}
	return strings.Join(words, " ")
}
