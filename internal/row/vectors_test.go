package row_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// TestVectors runs testdata/vectors.tsv: bytes made by the encoders of the 0.9.1-incubating client, with values
// written for people. Columns: kind, types, values, bytes in hex or text, bucket of 7.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		kind, want := f[0], f[3]
		counts[kind]++
		if f[1] == "bytes" {
			if got := hashVector(t, kind, mustHex(t, f[2])); got != want {
				t.Errorf("%s: got %s", line, got)
			}
			continue
		}
		types, data := parseVector(t, f[1], f[2])
		var got string
		switch {
		case strings.HasPrefix(kind, "row_"):
			format := map[string]row.Format{"row_compacted": row.Compacted, "row_indexed": row.Indexed}[kind]
			c := row.NewCodec(format, types)
			if c.Check(data) != nil {
				got = "(the encoder fails)"
				break
			}
			b := c.Append(nil, data)
			got = hex.EncodeToString(b)
			back := make([]row.Datum, len(types))
			if err := c.Decode(back, b); err != nil || !rowtest.EqualRows(types, back, data) {
				t.Errorf("%s: decodes to %s, %v", line, rowtest.FormatRow(types, back), err)
			}
		case strings.HasPrefix(kind, "key_"):
			var bucket string
			if got, bucket = keyVector(t, strings.TrimPrefix(kind, "key_"), types, data); f[4] != "" && bucket != f[4] {
				t.Errorf("%s: bucket %q", line, bucket)
			}
		default:
			b, err := row.AppendPartitionValue(nil, types[0], &data[0])
			if got = string(b); err != nil {
				got = "(type not supported)"
			}
			if want == "(the string itself)" {
				want = string(data[0].B)
			}
		}
		if got != want {
			t.Errorf("%s:\n got %s", line, got)
		}
	}
	t.Logf("%d vectors: %v", len(lines)-1, counts)
}

func hashVector(t *testing.T, kind string, b []byte) string {
	t.Helper()
	if kind == "hash_murmur" {
		return strconv.Itoa(int(row.Hash42(b)))
	}
	table := &catalog.Table{DatalakeFormat: strings.TrimSuffix(strings.TrimPrefix(kind, "hash_"), "(16)")}
	table.BucketCount = 16
	if table.DatalakeFormat == "fluss" {
		table.DatalakeFormat = ""
	}
	return strconv.Itoa(int(row.NewBucketer(table).Bucket(b)))
}

func keyVector(t *testing.T, lake string, types []*catalog.Type, data []row.Datum) (key, bucket string) {
	t.Helper()
	d := catalog.Descriptor{Schema: &catalog.Schema{}, BucketCount: 7}
	if lake != "fluss" {
		d.Properties = map[string]string{"table.datalake.format": lake}
	}
	for i, typ := range types {
		name := fmt.Sprint("c", i)
		d.Schema.Columns = append(d.Schema.Columns, catalog.Column{Name: name, Type: *typ, ID: i})
		d.BucketKeys = append(d.BucketKeys, name)
	}
	table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
	if err != nil {
		t.Fatal(err)
	}
	k, err := row.NewBucketKeyEncoder(table)
	if err != nil {
		return "(type not supported)", ""
	}
	b, err := k.Append(nil, data)
	if err != nil {
		return "(refused: empty bucket key)", ""
	}
	return hex.EncodeToString(b), strconv.Itoa(int(row.NewBucketer(table).Bucket(b)))
}

func parseVector(t *testing.T, types, values string) ([]*catalog.Type, []row.Datum) {
	t.Helper()
	types, _, _ = strings.Cut(types, " (columns")
	names := splitTop(types)
	texts := []string{values}
	if len(names) > 1 {
		texts = splitTop(values)
	}
	var list []*catalog.Type
	var data []row.Datum
	for i, name := range names {
		typ := vectorType(t, name)
		list = append(list, typ)
		data = append(data, vectorValue(t, typ, texts[i]))
	}
	return list, data
}

// splitTop splits at the commas that are in no brackets and no quotes.
func splitTop(s string) []string {
	var parts []string
	depth, quoted, from := 0, false, 0
	for i, c := range s {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.ContainsRune("<([{", c):
			depth++
		case strings.ContainsRune(">)]}", c):
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, s[from:i]), i+1
		}
	}
	if from < len(s) {
		parts = append(parts, s[from:])
	}
	return parts
}

func vectorType(t *testing.T, s string) *catalog.Type {
	t.Helper()
	s, notNull := strings.CutSuffix(s, " NOT NULL")
	typ := &catalog.Type{NotNull: notNull}
	end := len(s)
	if i := strings.IndexAny(s, "<("); i >= 0 {
		end = i
	}
	for k := catalog.Boolean; k <= catalog.Row; k++ {
		if k.Word() == s[:end] {
			typ.Kind = k
		}
	}
	var args []string
	if end < len(s) {
		args = splitTop(s[end+1 : len(s)-1])
	}
	switch typ.Kind {
	case 0:
		t.Fatalf("type %q", s)
	case catalog.Array:
		typ.Elem = vectorType(t, args[0])
	case catalog.Map:
		typ.Key, typ.Elem = vectorType(t, args[0]), vectorType(t, args[1])
	case catalog.Row:
		for _, a := range args {
			name, of, _ := strings.Cut(a, " ")
			typ.Fields = append(typ.Fields, catalog.Field{Name: name, Type: *vectorType(t, of)})
		}
	case catalog.Decimal:
		typ.Precision, _ = strconv.Atoi(args[0])
		typ.Scale, _ = strconv.Atoi(args[1])
	default:
		if args != nil {
			typ.Length, _ = strconv.Atoi(args[0])
			typ.Precision = typ.Length
		}
	}
	return typ
}

func vectorValue(t *testing.T, typ *catalog.Type, s string) row.Datum {
	t.Helper()
	if s == "NULL" {
		return row.Datum{Null: true}
	}
	if typ.IsNested() {
		return vectorNested(t, typ, s)
	}
	d, err := rowtest.ParseDatum(typ, []byte(strconv.Quote(vectorText(t, typ, s))))
	if err != nil {
		t.Fatalf("%s %q: %v", typ, s, err)
	}
	return d
}

// vectorText turns a scalar of the file into the text form of rowtest.
func vectorText(t *testing.T, typ *catalog.Type, s string) string {
	t.Helper()
	var text string
	var err error
	switch typ.Kind {
	case catalog.Float:
		var f float64
		f, err = strconv.ParseFloat(s, 32)
		text = fmt.Sprintf("0x%08x", math.Float32bits(float32(f)))
		if f != f {
			text = "0x7fc00000"
		}
	case catalog.Double:
		var f float64
		f, err = strconv.ParseFloat(s, 64)
		text = fmt.Sprintf("0x%016x", math.Float64bits(f))
	case catalog.Char, catalog.String:
		text = vectorString(s)
	case catalog.Binary, catalog.Bytes:
		text = strings.ReplaceAll(strings.TrimSuffix(s, " (short)"), " ", "")
	case catalog.Date:
		var at time.Time
		at, err = time.Parse(time.DateOnly, s)
		text = strconv.FormatInt(at.Unix()/86400, 10)
	case catalog.Time:
		var at time.Time
		at, err = time.Parse("15:04:05.000", s)
		text = strconv.FormatInt(at.Sub(at.Truncate(24*time.Hour)).Milliseconds(), 10)
	case catalog.Timestamp, catalog.TimestampLTZ:
		millis, nanos, _ := strings.Cut(strings.TrimSuffix(s, " ns"), " ms")
		if nanos = strings.TrimPrefix(nanos, " + "); nanos == "" {
			nanos = "0"
		}
		text = millis + "," + nanos
	default:
		text = s
	}
	if err != nil {
		t.Fatalf("%s %q: %v", typ, s, err)
	}
	return text
}

func vectorString(s string) string {
	if s == "(empty)" || s == `""` {
		return ""
	}
	if n, of, ok := strings.Cut(s, " x "); ok {
		count, _ := strconv.Atoi(n)
		return strings.Repeat(strings.Trim(of, `"`), count)
	}
	if strings.HasPrefix(s, "U+") {
		var b strings.Builder
		for _, code := range strings.Fields(s) {
			r, _ := strconv.ParseInt(code[2:], 16, 32)
			b.WriteRune(rune(r))
		}
		return b.String()
	}
	return strings.Trim(s, `"`)
}

func vectorNested(t *testing.T, typ *catalog.Type, s string) row.Datum {
	t.Helper()
	d := row.Datum{L: []row.Datum{}}
	for i, part := range splitTop(s[1 : len(s)-1]) {
		switch typ.Kind {
		case catalog.Array:
			d.L = append(d.L, vectorValue(t, typ.Elem, part))
		case catalog.Map:
			k, v, _ := strings.Cut(part, ":")
			d.L = append(d.L, vectorValue(t, typ.Key, k), vectorValue(t, typ.Elem, v))
		case catalog.Row:
			d.L = append(d.L, vectorValue(t, &typ.Fields[i].Type, part))
		}
	}
	return d
}
