package row_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// valuesFixture is testdata/values.json, as far as it concerns partitions: texts of v0.9.1-incubating.
type valuesFixture struct {
	Names []struct {
		Type  string
		Cases []struct {
			Value         json.RawMessage
			Partition     string
			CreateRefused string `json:"create_refused"`
			Error         string
		}
	} `json:"partition_names"`
	Specs []struct {
		Keys, Values []string
		Name         string
	} `json:"partition_specs"`
	Auto []struct {
		Now, Unit string
		Offset    int
		Partition string
	} `json:"auto_partitions"`
}

// partitionTypes maps the type names of values.json to types: the groups of rows.json have the same names.
func partitionTypes(t testing.TB) map[string]*catalog.Type {
	var f rowsFixture
	readFixture(t, "rows.json", &f)
	types := map[string]*catalog.Type{}
	for _, g := range f.Groups {
		types[g.Name] = readSchema(t, g.Schema).Types()[0]
	}
	return types
}

func TestGoldenPartitionNames(t *testing.T) {
	var f valuesFixture
	readFixture(t, "values.json", &f)
	types := partitionTypes(t)
	n := 0
	for _, g := range f.Names {
		typ := types[g.Type]
		if typ == nil {
			t.Fatalf("no type %s", g.Type)
		}
		table := &catalog.Table{PartitionCols: []int{0}}
		table.Schema = &catalog.Schema{Columns: []catalog.Column{{Name: "p", Type: *typ}}}
		for _, c := range g.Cases {
			n++
			d, err := rowtest.ParseDatum(typ, c.Value)
			if err != nil {
				t.Fatalf("%s: %s: %v", g.Type, c.Value, err)
			}
			got, err := row.AppendPartitionValue(nil, typ, &d)
			if (err != nil) != (c.Error != "") || string(got) != c.Partition {
				t.Errorf("%s: %s: got %q, %v, want %q, %q", g.Type, c.Value, got, err, c.Partition, c.Error)
				continue
			}
			name, err := row.PartitionName(table, []row.Datum{d})
			if refused := c.Error != "" || c.CreateRefused != ""; (err != nil) != refused || !refused && name != c.Partition {
				t.Errorf("%s: %s: name %q, %v, want refused %v", g.Type, c.Value, name, err, refused)
			}
			if c.Error == "" {
				checkParse(t, typ, c.Partition, &d)
			}
		}
	}
	t.Logf("%d types, %d values", len(f.Names), n)
}

// checkParse holds that the text reads back to the value, but for what the text does not tell.
func checkParse(t *testing.T, typ *catalog.Type, text string, want *row.Datum) {
	t.Helper()
	var got row.Datum
	if strings.HasPrefix(text, "+2922") { // years of 9 digits without their era
		return
	}
	if err := row.ParsePartitionValue(typ, text, &got); err != nil {
		t.Errorf("%s: %v", typ, err)
		return
	}
	if !rowtest.Equal(typ, &got, want) && text != "NaN" {
		t.Errorf("%s: %q: got %s, want %s", typ, text, rowtest.Format(typ, &got), rowtest.Format(typ, want))
	}
}

func TestPartitionSpecs(t *testing.T) {
	var f valuesFixture
	readFixture(t, "values.json", &f)
	for _, c := range f.Specs {
		if got := row.JoinPartitionName(c.Values); got != c.Name {
			t.Errorf("join %q: got %q, want %q", c.Values, got, c.Name)
		}
		if got := row.SplitPartitionName(c.Name); !slices.Equal(got, c.Values) {
			t.Errorf("split %q: got %q, want %q", c.Name, got, c.Values)
		}
	}
	t.Logf("%d specs", len(f.Specs))
}

func TestAutoPartition(t *testing.T) {
	var f valuesFixture
	readFixture(t, "values.json", &f)
	for _, c := range f.Auto {
		now, _, _ := strings.Cut(c.Now, "[")
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		got, err := row.AutoPartition(c.Unit, at, c.Offset)
		if err != nil || got != c.Partition {
			t.Errorf("%s %s %+d: got %q, %v, want %q", c.Now, c.Unit, c.Offset, got, err, c.Partition)
		}
	}
	if _, err := row.AutoPartition("WEEK", time.Time{}, 0); err == nil {
		t.Error("WEEK is taken")
	}
	t.Logf("%d points", len(f.Auto))
}

func TestPartitionName(t *testing.T) {
	table := &catalog.Table{PartitionCols: []int{2, 0}}
	table.Schema = &catalog.Schema{Columns: []catalog.Column{
		{Name: "dt", Type: catalog.Type{Kind: catalog.Date}},
		{Name: "v", Type: catalog.Type{Kind: catalog.Int}},
		{Name: "region", Type: catalog.Type{Kind: catalog.String}},
	}}
	tests := []struct {
		region, want, err string
	}{
		{"eu-west_1", "eu-west_1$2024-02-29", ""},
		{"", "", `"" cannot be a partition value: it is empty`},
		{"a$b", "", `"a$b" cannot be a partition value: only ASCII letters, digits, '_' and '-' are allowed`},
		{"__a", "", `"__a" cannot be a partition value: it starts with "__"`},
		{strings.Repeat("x", 201), "", `"` + strings.Repeat("x", 40) + `" cannot be a partition value: it is longer than 200 bytes`},
	}
	for _, tt := range tests {
		got, err := row.PartitionName(table, []row.Datum{{I: 19782}, {}, {B: []byte(tt.region)}})
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != tt.want || text != tt.err {
			t.Errorf("%q: got %q, %q, want %q, %q", tt.region, got, text, tt.want, tt.err)
		}
		if e, ok := errors.AsType[*row.PartitionValueError](err); err != nil && (!ok || e.Column != "region") {
			t.Errorf("%q: %#v names no column", tt.region, err)
		}
	}
	_, err := row.PartitionName(table, []row.Datum{{Null: true}, {}, {B: []byte("eu")}})
	if e, ok := errors.AsType[*row.NullKeyError](err); !ok || e.Column != "dt" {
		t.Errorf("NULL: got %v", err)
	}
}

func TestPartitionFloats(t *testing.T) {
	double := &catalog.Type{Kind: catalog.Double}
	tests := []struct{ text, again string }{
		{"1_5", "1_5"}, {"100_0", "100_0"}, {"1_0E7", "1_0E7"}, {"9999999_0", "9999999_0"}, {"0_001", "0_001"},
		{"9_0E-4", "9_0E-4"}, {"1_0E-4", "1_0E-4"}, {"-1_25E10", "-1_25E10"}, {"1_0", "1_0"},
	}
	for _, tt := range tests {
		var d row.Datum
		if err := row.ParsePartitionValue(double, tt.text, &d); err != nil {
			t.Error(err)
			continue
		}
		if got, err := row.AppendPartitionValue(nil, double, &d); err != nil || string(got) != tt.again {
			t.Errorf("%s: got %s, %v", tt.text, got, err)
		}
	}
}

// TestGoldenFloats runs testdata/java_floats.txt, texts of Float.toString (f) and Double.toString (d) of Java 17.
func TestGoldenFloats(t *testing.T) {
	text, err := os.ReadFile("testdata/java_floats.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		bits, err := strconv.ParseUint(f[1], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		typ, d := &catalog.Type{Kind: catalog.Double}, row.Datum{I: int64(bits)}
		if f[0] == "f" {
			typ = &catalog.Type{Kind: catalog.Float}
		}
		want := strings.Replace(f[2], ".", "_", 1)
		if got, err := row.AppendPartitionValue(nil, typ, &d); err != nil || string(got) != want {
			t.Errorf("%s %s: got %s, %v, want %s", typ, f[1], got, err, want)
		}
		var back row.Datum
		if err := row.ParsePartitionValue(typ, want, &back); err != nil || back.I != d.I {
			t.Errorf("%s %s: read back as %x, %v", typ, want, back.I, err)
		}
		n++
	}
	t.Logf("%d numbers", n)
}

func TestParsePartitionValueRefuses(t *testing.T) {
	tests := []struct {
		kind catalog.Kind
		text []string
	}{
		{catalog.Boolean, []string{"", "TRUE", "1"}},
		{catalog.TinyInt, []string{"128", "x", ""}},
		{catalog.Int, []string{"2147483648", "1_0", "0x1"}},
		{catalog.Bytes, []string{"0", "zz"}},
		{catalog.Date, []string{"2023-02-29", "2023-13-01", "2023-1-01", "20230101", "99999999999-01-01", "9999999-01-01", ""}},
		{catalog.Time, []string{"24-00-00_000", "00-60-00_000", "00-00-00_00", "00-00-00"}},
		{catalog.Timestamp, []string{"2023-01-01-00-00-00", "2023-02-30-00-00-00_", "2023-01-01-00-00-00_1234567890", "2023-01-01-25-00-00_", "300000000-01-01-00-00-00_"}},
		{catalog.Double, []string{"1", "1.5", "inf", "_1", "1_", "0x1_8", "1_5_5", "1_0E999"}},
		{catalog.Decimal, []string{"1"}},
	}
	for _, tt := range tests {
		for _, text := range tt.text {
			var d row.Datum
			typ := &catalog.Type{Kind: tt.kind, Precision: 9}
			if err := row.ParsePartitionValue(typ, text, &d); err == nil {
				t.Errorf("%s: %q gives %s", typ, text, rowtest.Format(typ, &d))
			}
		}
	}
}

func TestCheckAutoPartition(t *testing.T) {
	table := func(unit, enabled string, kind catalog.Kind) *catalog.Table {
		props := map[string]string{"table.auto-partition.enabled": enabled, "table.auto-partition.key": "dt"}
		if unit != "" {
			props["table.auto-partition.time-unit"] = unit
		}
		return &catalog.Table{Descriptor: catalog.Descriptor{PartitionKeys: []string{"region", "dt"}, Properties: props,
			Schema: &catalog.Schema{Columns: []catalog.Column{{Name: "region", Type: catalog.Type{Kind: catalog.String}}, {Name: "dt", Type: catalog.Type{Kind: kind}}}}},
			PartitionCols: []int{0, 1}}
	}
	for _, c := range []struct {
		unit, value string
		ok          bool
	}{
		{"YEAR", "2031", true}, {"YEAR", "31", false}, {"YEAR", "203112", false},
		{"QUARTER", "20314", true}, {"QUARTER", "20315", false}, {"QUARTER", "2031", false}, {"quarter", "20310", false},
		{"MONTH", "203112", true}, {"MONTH", "203113", false}, {"DAY", "20310228", true}, {"DAY", "20310229", false}, {"day", "2031-02-28", false}, {"", "20310228", true}, {"", "foo", false},
		{"HOUR", "2031022823", true}, {"HOUR", "2031022824", false}, {"CENTURY", "21", true},
	} {
		err := row.CheckAutoPartition(table(c.unit, "true", catalog.String), []string{"eu", c.value})
		if _, refused := errors.AsType[*row.PartitionValueError](err); (err == nil) != c.ok || !c.ok && !refused {
			t.Errorf("%s %q: %v", c.unit, c.value, err)
		}
	}
	for _, free := range []*catalog.Table{table("DAY", "false", catalog.String), table("DAY", "true", catalog.Date)} {
		if err := row.CheckAutoPartition(free, []string{"eu", "foo"}); err != nil {
			t.Error(err)
		}
	}
}
