package rowtest

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
)

// TestTextForm reads every row of the fixture and writes it again.
func TestTextForm(t *testing.T) {
	text, err := os.ReadFile("../testdata/rows.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Groups []struct {
			Name   string
			Schema json.RawMessage
			Cases  []struct{ Row json.RawMessage }
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, g := range f.Groups {
		s, err := catalog.DecodeSchema(g.Schema, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Cases {
			data, err := ParseRow(s.Types(), c.Row)
			if err != nil {
				t.Errorf("%s: %s: %v", g.Name, c.Row, err)
				continue
			}
			if !EqualRows(s.Types(), data, data) {
				t.Errorf("%s: %s does not equal itself", g.Name, c.Row)
			}
			var got, want any
			out := FormatRow(s.Types(), data)
			if json.Unmarshal([]byte(out), &got) != nil || json.Unmarshal(c.Row, &want) != nil {
				t.Errorf("%s: not JSON: %s", g.Name, out)
			}
			a, _ := json.Marshal(got)
			b, _ := json.Marshal(want)
			if !bytes.Equal(a, b) {
				t.Errorf("%s: got %s, want %s", g.Name, out, c.Row)
			}
			n++
		}
	}
	t.Logf("%d rows", n)
}
