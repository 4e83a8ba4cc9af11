package row_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// Every value of the fixtures leaves as Rows.Next gives it, as JSON and as text, and comes back the same. Those
// that Bind refuses are beyond what a column of that type may hold; Fluss does not check and keeps them.
func TestValueGolden(t *testing.T) {
	var f rowsFixture
	readFixture(t, "rows.json", &f)
	values, refused := 0, map[string]int{}
	for _, g := range f.Groups {
		types := readSchema(t, g.Schema).Types()
		for _, c := range g.Cases {
			data, err := rowtest.ParseRow(types, c.Row)
			if err != nil {
				t.Fatalf("%s, %s: %v", g.Name, c.Name, err)
			}
			for i, typ := range types {
				values++
				if reason := checkValue(t, &data[i], typ); reason != "" {
					refused[beyond(t, typ, reason)]++
				}
			}
		}
	}
	if values < 1000 {
		t.Errorf("got only %d values", values)
	}
	t.Logf("%d values; refused: %v", values, refused)
}

// beyond names the limit that a refusal is about. There must be one.
func beyond(t *testing.T, typ *catalog.Type, reason string) string {
	t.Helper()
	for _, limit := range []string{"fit", "fraction digits", "years 0001 to 9999", "not a DATE", "not a timestamp"} {
		if strings.Contains(reason, limit) {
			return limit
		}
	}
	t.Errorf("%v: a value of the fixtures is refused: %s", typ, reason)
	return reason
}

// checkValue reports why the value can't be bound, if it can't.
func checkValue(t *testing.T, d *row.Datum, typ *catalog.Type) string {
	t.Helper()
	var back row.Datum
	for _, loc := range []*time.Location{nil, time.FixedZone("", 5400), time.FixedZone("", -7)} {
		v := row.Value(d, typ, loc)
		if err := row.Bind(&back, typ, v, nil); err != nil {
			return err.(*row.BindError).Reason
		}
		checkEqual(t, "value", d, &back, typ)

		array := &catalog.Type{Kind: catalog.Array, Elem: typ}
		text := row.AppendJSON(nil, &row.Datum{L: []row.Datum{*d}}, array, loc)
		if err := row.Bind(&back, array, text, nil); err != nil {
			t.Errorf("%v as JSON %s: %v", typ, text, err)
			continue
		}
		checkEqual(t, "JSON", d, &back.L[0], typ)
		if typ.Kind == catalog.Binary || typ.Kind == catalog.Bytes || d.Null {
			continue
		}
		text = row.Text(nil, d, typ, loc)
		if err := row.BindText(&back, typ, row.LiteralString, string(text), nil); err != nil {
			t.Errorf("%v as text %s: %v", typ, text, err)
			continue
		}
		checkEqual(t, "text", d, &back, typ)
	}
	return ""
}

func checkEqual(t *testing.T, what string, d, back *row.Datum, typ *catalog.Type) {
	t.Helper()
	if d.Null != back.Null || !d.Null && row.Compare(d, back, typ) != 0 {
		t.Errorf("%v: %s of %s came back as %s", typ, what, row.Text(nil, d, typ, nil), row.Text(nil, back, typ, nil))
	}
}
