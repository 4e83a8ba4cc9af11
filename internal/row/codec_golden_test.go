package row_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// rowsFixture is testdata/rows.json: row bytes made by RowEncoder of v0.9.1-incubating.
type rowsFixture struct {
	Groups []struct {
		Name   string
		Schema json.RawMessage
		Cases  []rowCase
	}
}

type rowCase struct {
	Name             string
	Row              json.RawMessage
	Compacted        string
	Indexed          string
	CompactedDecoded json.RawMessage `json:"compacted_decoded"` // set where the bytes hold another value than Row
	IndexedDecoded   json.RawMessage `json:"indexed_decoded"`
	IndexedError     string          `json:"indexed_error"`
}

// readFixture reads a JSON file of testdata.
func readFixture(t testing.TB, name string, v any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

func readSchema(t testing.TB, text json.RawMessage) *catalog.Schema {
	t.Helper()
	s, err := catalog.DecodeSchema(text, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustHex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGoldenRows(t *testing.T) {
	var f rowsFixture
	readFixture(t, "rows.json", &f)
	counts := map[string]int{}
	for _, g := range f.Groups {
		types := readSchema(t, g.Schema).Types()
		compacted, indexed := row.NewCodec(row.Compacted, types), row.NewCodec(row.Indexed, types)
		for _, c := range g.Cases {
			data, err := rowtest.ParseRow(types, c.Row)
			if err != nil {
				t.Fatalf("%s: %s: %v", g.Name, c.Row, err)
			}
			name := g.Name + ": " + c.Name
			checkRow(t, name+": COMPACTED", compacted, types, data, c.CompactedDecoded, c.Compacted)
			counts["compacted"]++
			if err := compacted.Check(data); err != nil {
				t.Errorf("%s: COMPACTED refuses: %v", name, err)
			}
			if err := indexed.Check(data); (err != nil) != (c.IndexedError != "") {
				t.Errorf("%s: check for INDEXED gives %v, Java %q", name, err, c.IndexedError)
			}
			if c.IndexedError != "" {
				counts["refused"]++
				continue
			}
			checkRow(t, name+": INDEXED", indexed, types, data, c.IndexedDecoded, c.Indexed)
			counts["indexed"]++
		}
	}
	t.Logf("%d groups, rows: %v", len(f.Groups), counts)
}

// checkRow holds a codec against the bytes wanted, in both directions, and against all shorter and one longer input.
func checkRow(t *testing.T, name string, c *row.Codec, types []*catalog.Type, data []row.Datum, decoded json.RawMessage, want string) {
	t.Helper()
	bytesWant := mustHex(t, want)
	if got := c.Append([]byte("xy"), data); !bytes.Equal(got[2:], bytesWant) {
		t.Errorf("%s:\n got %x\nwant %s", name, got[2:], want)
	}
	if decoded != nil {
		var err error
		if data, err = rowtest.ParseRow(types, decoded); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	got := make([]row.Datum, len(types))
	for i := range got {
		got[i] = row.Datum{Null: true, N: 9, I: 9, B: []byte("old"), L: []row.Datum{{}}} // must be overwritten
	}
	if err := c.Decode(got, bytesWant); err != nil {
		t.Errorf("%s: %s: %v", name, want, err)
		return
	}
	if !rowtest.EqualRows(types, got, data) {
		t.Errorf("%s: %s:\n got %s\nwant %s", name, want, rowtest.FormatRow(types, got), rowtest.FormatRow(types, data))
	}
	for n := range bytesWant {
		if err := c.Decode(got, bytesWant[:n]); err == nil {
			t.Errorf("%s: the first %d of %d bytes decode", name, n, len(bytesWant))
		}
	}
	if err := c.Decode(got, append(bytesWant, 0)); err == nil {
		t.Errorf("%s: decodes with a byte more", name)
	}
	checkColumns(t, name, c, types, data, bytesWant)
}

// checkColumns decodes single columns and every other column.
func checkColumns(t *testing.T, name string, c *row.Codec, types []*catalog.Type, data []row.Datum, src []byte) {
	t.Helper()
	untouched := row.Datum{I: 77, B: []byte("untouched")}
	check := func(want []int) {
		t.Helper()
		got := make([]row.Datum, len(types))
		for i := range got {
			got[i] = untouched
		}
		if err := c.DecodeColumns(got, src, want); err != nil {
			t.Errorf("%s: columns %v: %v", name, want, err)
			return
		}
		for i := range got {
			if len(want) > 0 && want[0] == i {
				want = want[1:]
				if !rowtest.Equal(types[i], &got[i], &data[i]) {
					t.Errorf("%s: column %d: got %s, want %s", name, i, rowtest.Format(types[i], &got[i]), rowtest.Format(types[i], &data[i]))
				}
			} else if got[i].I != 77 || got[i].Null {
				t.Errorf("%s: column %d was not asked for", name, i)
			}
		}
	}
	var odd []int
	for i := range types {
		check([]int{i})
		if i%2 == 1 {
			odd = append(odd, i)
		}
	}
	check(odd)
	check(nil)
}
