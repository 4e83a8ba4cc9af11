package catalog

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// tablesFixture is testdata/tables.json: texts made by the Java classes of v0.9.1-incubating.
type tablesFixture struct {
	Tables []struct {
		Name       string
		JSON       string
		SchemaJSON string   `json:"schema_json"`
		BucketKeys []string `json:"bucket_keys"`
		PrimaryKey []string `json:"primary_key"`
		Default    bool     `json:"default_bucket_key"`
	} `json:"table_descriptors"`
	Databases []struct{ Name, JSON string } `json:"database_descriptors"`
	Types     []struct{ SQL, JSON string }  `json:"types"`
}

func readTables(t testing.TB) *tablesFixture {
	t.Helper()
	text, err := os.ReadFile("testdata/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	f := new(tablesFixture)
	if err := json.Unmarshal(text, f); err != nil {
		t.Fatal(err)
	}
	return f
}

// sortKeys gives the text with the keys of "properties" and "custom_properties" in order: Java writes them in hash
// order. A map of one key needs no care, and these are flat, so it is enough to do it on the text.
func sortKeys(t *testing.T, text string) string {
	t.Helper()
	for _, name := range []string{`"properties":`, `"custom_properties":`} {
		from := strings.Index(text, name+"{")
		if from < 0 {
			continue
		}
		from += len(name)
		to := from + strings.IndexByte(text[from:], '}') + 1
		var m map[string]string
		if err := json.Unmarshal([]byte(text[from:to]), &m); err != nil {
			t.Fatal(err)
		}
		text = text[:from] + string(appendMap(nil, m)) + text[to:]
	}
	return text
}

func TestGoldenTypes(t *testing.T) {
	f := readTables(t)
	for _, c := range f.Types {
		typ, err := DecodeType([]byte(c.JSON))
		if err != nil {
			t.Errorf("%s: %v", c.SQL, err)
			continue
		}
		if got := string(EncodeType(typ)); got != c.JSON {
			t.Errorf("%s:\n got %s\nwant %s", c.SQL, got, c.JSON)
		}
		if got, want := typ.String(), ourName(c.SQL); got != want {
			t.Errorf("name of %s: got %s, want %s", c.SQL, got, want)
		}
	}
	t.Logf("%d types", len(f.Types))
}

// ourName turns a type name of the Java client into the one of Type.String.
func ourName(sql string) string {
	for _, p := range "0123456789" {
		digit := string(p)
		sql = strings.ReplaceAll(sql, "TIMESTAMP("+digit+") WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ("+digit+")")
	}
	var b strings.Builder
	decimal := false
	for i := range len(sql) {
		if strings.HasPrefix(sql[i:], "DECIMAL(") {
			decimal = true
		}
		if sql[i] == ')' {
			decimal = false
		}
		if !decimal || sql[i] != ' ' {
			b.WriteByte(sql[i])
		}
	}
	return b.String()
}

func TestGoldenTables(t *testing.T) {
	f := readTables(t)
	for _, c := range f.Tables {
		d, err := DecodeDescriptor([]byte(c.JSON))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		want := sortKeys(t, c.JSON)
		want = strings.Replace(want, `"comment":"",`, "", 1) // an empty comment is none
		if got := string(EncodeDescriptor(&d)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.Name, got, want)
		}
		s, err := DecodeSchema([]byte(c.SchemaJSON), 7)
		if err != nil || s.ID != 7 {
			t.Errorf("%s: schema id %d, error %v", c.Name, s.ID, err)
			continue
		}
		if got := string(EncodeSchema(s)); got != c.SchemaJSON {
			t.Errorf("%s:\n got %s\nwant %s", c.Name, got, c.SchemaJSON)
		}
		s.ID = 0
		if !reflect.DeepEqual(s, d.Schema) {
			t.Errorf("%s: the schema differs from the descriptor's", c.Name)
		}
		s.clearIDs()
		s.AssignIDs()
		if got := string(EncodeSchema(s)); got != c.SchemaJSON {
			t.Errorf("%s, numbered anew:\n got %s\nwant %s", c.Name, got, c.SchemaJSON)
		}
		table, err := NewTable(TablePath{"db", "t"}, 1, d)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if got := table.DefaultBucketKey(); got != c.Default {
			t.Errorf("%s: default bucket key: got %v, want %v", c.Name, got, c.Default)
		}
		if !equalNames(d.Schema.PrimaryKey, c.PrimaryKey) || !equalNames(d.BucketKeys, c.BucketKeys) {
			t.Errorf("%s: keys %q %q, want %q %q", c.Name, d.Schema.PrimaryKey, d.BucketKeys, c.PrimaryKey, c.BucketKeys)
		}
	}
	t.Logf("%d table descriptors", len(f.Tables))
}

func equalNames(a, b []string) bool { return strings.Join(a, "\x00") == strings.Join(b, "\x00") }

func (s *Schema) clearIDs() {
	var clear func(t *Type)
	clear = func(t *Type) {
		if t == nil {
			return
		}
		clear(t.Key)
		clear(t.Elem)
		for i := range t.Fields {
			t.Fields[i].ID = -1
			clear(&t.Fields[i].Type)
		}
	}
	for i := range s.Columns {
		s.Columns[i].ID = -1
		clear(&s.Columns[i].Type)
	}
	s.HighestFieldID = -1
}

func TestGoldenDatabases(t *testing.T) {
	f := readTables(t)
	for _, c := range f.Databases {
		d, err := DecodeDatabase([]byte(c.JSON))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if got := string(EncodeDatabase(&d)); got != c.JSON {
			t.Errorf("%s: got %s, want %s", c.Name, got, c.JSON)
		}
	}
	t.Logf("%d database descriptors", len(f.Databases))
}

func TestReadTolerant(t *testing.T) {
	nested := strings.Repeat(`{"type":"ARRAY","element_type":`, 70) + `{"type":"INTEGER"}` + strings.Repeat(`}`, 70)
	tests := []struct {
		name string
		text string
		want string // the text written again, or the error's text behind a '!'
	}{
		{"unknown fields", `{"version":9,"columns":[{"name":"a","data_type":{"type":"INTEGER","x":[1]},"id":4,"y":{}}],"highest_field_id":8,"z":null}`,
			`{"version":1,"columns":[{"name":"a","data_type":{"type":"INTEGER"},"id":4}],"highest_field_id":8}`},
		{"no ids", `{"columns":[{"name":"a","data_type":{"type":"INTEGER","nullable":true}},{"name":"b","data_type":{"type":"ROW","fields":[{"name":"f","field_type":{"type":"DATE"}}]}}]}`,
			`{"version":1,"columns":[{"name":"a","data_type":{"type":"INTEGER"},"id":0},{"name":"b","data_type":{"type":"ROW","fields":[{"name":"f","field_type":{"type":"DATE"},"field_id":-1}]},"id":1}],"highest_field_id":1}`},
		{"defaults", `{"columns":[{"name":"a","data_type":{"type":"DECIMAL"}},{"name":"b","data_type":{"type":"CHAR"}},{"name":"c","data_type":{"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE"}}]}`,
			`{"version":1,"columns":[{"name":"a","data_type":{"type":"DECIMAL","precision":10,"scale":0},"id":0},{"name":"b","data_type":{"type":"CHAR","length":1},"id":1},{"name":"c","data_type":{"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","precision":6},"id":2}],"highest_field_id":2}`},
		{"no columns", `{"columns":[]}`, `{"version":1,"columns":[],"highest_field_id":-1}`},
		{"some ids", `{"columns":[{"name":"a","data_type":{"type":"INTEGER"},"id":0},{"name":"b","data_type":{"type":"INTEGER"}}]}`, `!schema: 1 of 2 columns have an id`},
		{"unknown root", `{"columns":[{"name":"a","data_type":{"type":"VARIANT"}}]}`, `!schema: column "a": type "VARIANT" is not known to this client`},
		{"no type", `{"columns":[{"name":"a"}]}`, `!schema: column "a": a type is missing`},
		{"no element", `{"columns":[{"name":"a","data_type":{"type":"ARRAY"}}]}`, `!schema: column "a": a type is missing`},
		{"scale", `{"columns":[{"name":"a","data_type":{"type":"DECIMAL","precision":5,"scale":6}}]}`, `!schema: column "a": scale 6 is not within 0 and 5`},
		{"precision", `{"columns":[{"name":"a","data_type":{"type":"TIME_WITHOUT_TIME_ZONE","precision":10}}]}`, `!schema: column "a": precision 10 is not within 0 and 9`},
		{"depth", `{"columns":[{"name":"a","data_type":` + nested + `}]}`, `!schema: column "a": types nest deeper than 64`},
		{"auto", `{"columns":[],"auto_increment_column":["a","b"]}`, `!schema: more than one auto-increment column`},
		{"not JSON", `{"columns":`, `!schema JSON: unexpected end of JSON input`},
	}
	for _, tt := range tests {
		s, err := DecodeSchema([]byte(tt.text), 1)
		got := ""
		if err != nil {
			got = "!" + err.Error()
		} else {
			got = string(EncodeSchema(s))
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestAppendString(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a\"b\\c/", `"a\"b\\c/"`},
		{"\b\t\n\f\r\x00\x1f\x7f", `"\b\t\n\f\r\u0000\u001F` + "\x7f\""},
		{"<é> \u2028 \U0001F600&", "\"<é> \u2028 \U0001F600&\""},
		{"\xff", "\"\ufffd\""},
	}
	for _, tt := range tests {
		if got := string(appendString(nil, tt.in)); got != tt.want {
			t.Errorf("%q: got %s, want %s", tt.in, got, tt.want)
		}
	}
}
