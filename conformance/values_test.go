package conformance

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// edgeGroup is one table's worth of rows from the golden fixtures: every type with its edge values.
type edgeGroup struct {
	Name   string
	Schema json.RawMessage
	Cases  []struct {
		Name string
		Row  json.RawMessage
	}
}

func edgeGroups(t *testing.T) []edgeGroup {
	t.Helper()
	text, err := os.ReadFile("../internal/row/testdata/rows.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct{ Groups []edgeGroup }
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	return f.Groups
}

// counts of the rows of TestEdgeValues.
type edgeCounts struct{ stored, refused atomic.Int64 }

// TestEdgeValues writes every row of the fixtures through database/sql, as parameters and as literals, into a key table
// and a log table, and reads it back by key, by scan and from the change log. Rows that hold a value which the driver
// documents as refused must be refused, and leave nothing behind.
func TestEdgeValues(t *testing.T) {
	db := open(t)
	var key, log edgeCounts
	t.Run("groups", func(t *testing.T) {
		for i, g := range edgeGroups(t) {
			t.Run(g.Name, func(t *testing.T) {
				t.Parallel()
				schema, err := catalog.DecodeSchema(g.Schema, 1)
				if err != nil {
					t.Fatal(err)
				}
				e := &edgeTable{t: t, db: db, schema: schema, cases: g}
				e.keyTable(fmt.Sprintf("edge_key_%d", i), &key)
				e.logTable(fmt.Sprintf("edge_log_%d", i), &log)
			})
		}
	})
	t.Logf("key tables: %d rows stored and read back, %d refused; log tables: %d and %d",
		key.stored.Load(), key.refused.Load(), log.stored.Load(), log.refused.Load())
	if key.stored.Load() < 600 || log.stored.Load() < 600 {
		t.Error("too few rows were stored")
	}
}

type edgeTable struct {
	t      *testing.T
	db     *sql.DB
	schema *catalog.Schema
	cases  edgeGroup
}

func (e *edgeTable) columns() string {
	var b strings.Builder
	for i := range e.schema.Columns {
		c := &e.schema.Columns[i]
		fmt.Fprintf(&b, ", `%s` %s", c.Name, c.Type.String())
	}
	return b.String()
}

// create makes the table afresh, with a row_number in front of the columns.
func (e *edgeTable) create(name, key string) string {
	e.t.Helper()
	table := database(e.t, e.db) + "." + name
	mustExec(e.t, e.db, "CREATE TABLE "+table+" (row_number INT NOT NULL"+e.columns()+key+") WITH ('bucket.num'='1')")
	return table
}

// storable reports whether the driver takes the values, and the format of the table's log has room for them.
func (e *edgeTable) storable(values []row.Datum, inLog bool) bool {
	var o row.BindOptions
	for i := range values {
		var d row.Datum
		ct := &e.schema.Columns[i].Type
		if row.Bind(&d, ct, row.Value(&values[i], ct, time.UTC), &o) != nil {
			return false
		}
	}
	if !inLog {
		return true
	}
	table, err := catalog.NewTable(catalog.TablePath{}, 0, catalog.Descriptor{Schema: &catalog.Schema{ID: 1, Columns: e.schema.Columns}})
	if err != nil {
		e.t.Fatal(err)
	}
	enc, err := record.NewLogEncoder(table)
	if err != nil {
		e.t.Fatal(err)
	}
	return enc.Append(values) == nil
}

// edgeRow is a row that must be there, by its number.
type edgeRow struct {
	name string
	want []any
}

// insert writes all cases, odd numbers as parameters and even ones as literals, and returns what must be there.
func (e *edgeTable) insert(table string, inLog bool, n *edgeCounts) map[int64]edgeRow {
	e.t.Helper()
	stored := map[int64]edgeRow{}
	marks := strings.Repeat(", ?", len(e.schema.Columns))
	for i, c := range e.cases.Cases {
		values, err := rowtest.ParseRow(e.schema.Types(), c.Row)
		if err != nil {
			e.t.Fatal(err)
		}
		ok := e.storable(values, inLog)
		args := []any{2*i + 1}
		var want []any
		literal := fmt.Sprint(2*i + 2)
		for j := range values {
			ct := &e.schema.Columns[j].Type
			v := row.Value(&values[j], ct, time.UTC)
			args, want = append(args, v), append(want, v)
			literal += ", " + literalOf(&values[j], ct)
		}
		_, err = e.db.Exec("INSERT INTO "+table+" VALUES (?"+marks+")", args...)
		e.check(c.Name+" as parameters", err, ok, n)
		_, err = e.db.Exec("INSERT INTO " + table + " VALUES (" + literal + ")")
		e.check(c.Name+" as literals", err, ok, n)
		if ok {
			stored[int64(2*i+1)] = edgeRow{c.Name, want}
			stored[int64(2*i+2)] = edgeRow{c.Name, want}
		}
	}
	return stored
}

func (e *edgeTable) check(name string, err error, ok bool, n *edgeCounts) {
	e.t.Helper()
	switch {
	case ok && err != nil:
		e.t.Errorf("%s: %v", name, err)
	case !ok && !errors.Is(err, fluss.ErrValue):
		e.t.Errorf("%s: got %v, want a refusal of the value", name, err)
	case ok:
		n.stored.Add(1)
	default:
		n.refused.Add(1)
	}
}

// literalOf writes a value as SQL.
func literalOf(d *row.Datum, t *catalog.Type) string {
	if d.Null {
		return "NULL"
	}
	text := string(row.Text(nil, d, t, time.UTC))
	switch t.Kind {
	case catalog.Boolean, catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Decimal:
		return text
	case catalog.Float, catalog.Double:
		if !strings.ContainsAny(text, "NI") {
			return text
		}
	case catalog.Binary, catalog.Bytes:
		return fmt.Sprintf("X'%x'", d.B)
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(text) + "'"
}

func (e *edgeTable) keyTable(name string, n *edgeCounts) {
	table := e.create(name, ", PRIMARY KEY (row_number) NOT ENFORCED")
	want := e.insert(table, true, n)
	e.compare("scan", want, "SELECT * FROM "+table)
	e.compare("change log", want, "SELECT row_number"+e.names()+" FROM "+table+"$changelog")
	for number, r := range want {
		e.compare("lookup", map[int64]edgeRow{number: r}, fmt.Sprintf("SELECT * FROM %s WHERE row_number = %d", table, number))
	}
}

func (e *edgeTable) logTable(name string, n *edgeCounts) {
	table := e.create(name, "")
	want := e.insert(table, true, n)
	e.compare("log", want, "SELECT * FROM "+table)
	last := e.schema.Columns[len(e.schema.Columns)-1].Name
	tail := map[int64]edgeRow{}
	for number, r := range want {
		tail[number] = edgeRow{r.name, r.want[len(r.want)-1:]}
	}
	e.compare("projection", tail, "SELECT row_number, `"+last+"` FROM "+table)
}

func (e *edgeTable) names() string {
	var b strings.Builder
	for i := range e.schema.Columns {
		b.WriteString(", `" + e.schema.Columns[i].Name + "`")
	}
	return b.String()
}

// compare runs a query whose first column is the row's number.
func (e *edgeTable) compare(what string, want map[int64]edgeRow, query string) {
	e.t.Helper()
	got := map[int64][]any{}
	for _, r := range queryAll(e.t, e.db, query) {
		number := r[0].(int64)
		if got[number] != nil {
			e.t.Errorf("%s: row %d came twice", what, number)
		}
		got[number] = r[1:]
	}
	if len(got) != len(want) {
		e.t.Errorf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for number, r := range want {
		if !equalValues(got[number], r.want) {
			e.t.Errorf("%s: %s: got %#v, want %#v", what, r.name, got[number], r.want)
		}
	}
}

// equalValues compares what Rows.Next gave, NaN equal to NaN and times by instant and location.
func equalValues(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equalValue(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalValue(a, b driver.Value) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y))
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Equal(y) && x.Location().String() == y.Location().String()
	}
	return reflect.DeepEqual(a, b)
}
