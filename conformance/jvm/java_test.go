package jvm

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/conformance/javacheck"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// wideTable is a table with a column of every type that both clients write and read.
type wideTable struct {
	t      *testing.T
	db     *sql.DB
	java   javacheck.Client
	name   string // database.table
	key    bool
	schema *catalog.Schema
}

// javaClient is the Java client of the target.
func javaClient(t *testing.T) javacheck.Client {
	rest, _, _ := strings.Cut(strings.TrimPrefix(target(t), "fluss://"), "/")
	return javacheck.Client{Bootstrap: rest}
}

// TestJava has the Java client and the driver write wide tables of both kinds and in several formats. Each reads what
// both wrote.
func TestJava(t *testing.T) {
	db := open(t, target(t), nil)
	prefix := database(t, db) + "."
	for _, c := range []struct {
		name       string
		key        bool
		properties map[string]string
		bySQL      bool // the table is created by SQL, and by the Java client otherwise
	}{
		{"key_compacted", true, map[string]string{"table.kv.format": "COMPACTED"}, false},
		{"key_indexed", true, map[string]string{"table.kv.format": "INDEXED"}, true},
		{"key_paimon", true, map[string]string{"table.datalake.format": "paimon"}, true},
		{"key_iceberg", true, map[string]string{"table.datalake.format": "iceberg"}, false},
		{"log_arrow", false, map[string]string{"table.log.format": "ARROW"}, true},
		{"log_indexed", false, map[string]string{"table.log.format": "INDEXED"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &wideTable{t: t, db: db, java: javaClient(t), name: prefix + c.name, key: c.key}
			w.create(c.properties, c.bySQL)
			w.javaWrites()
			w.driverWrites()
			w.javaReads()
		})
	}
}

func (w *wideTable) context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	w.t.Cleanup(cancel)
	return ctx
}

func (w *wideTable) create(properties map[string]string, bySQL bool) {
	w.t.Helper()
	descriptor := javacheck.WideDescriptor(w.key, 3, properties)
	var parts struct{ Schema json.RawMessage }
	err := json.Unmarshal(descriptor, &parts)
	if err != nil {
		w.t.Fatal(err)
	}
	if w.schema, err = catalog.DecodeSchema(parts.Schema, 1); err != nil {
		w.t.Fatal(err)
	}
	if !bySQL {
		if err := w.java.Create(w.context(), w.name, descriptor); err != nil {
			w.t.Fatal(err)
		}
		return
	}
	key, with := "", ""
	if w.key {
		key = ", PRIMARY KEY (id) NOT ENFORCED"
	}
	for k, v := range properties {
		with += fmt.Sprintf(", '%s'='%s'", k, v)
	}
	mustExec(w.t, w.db, "CREATE TABLE "+w.name+" ("+javacheck.WideSQL()+key+") WITH ('bucket.num'='3'"+with+")")
	w.sameSchema(parts.Schema)
}

// sameSchema compares the schema of a table made by SQL, as the Java client sees it, with the one it would have made.
func (w *wideTable) sameSchema(want json.RawMessage) {
	w.t.Helper()
	text, err := w.java.Describe(w.context(), w.name)
	if err != nil {
		w.t.Fatal(err)
	}
	var got struct {
		Schema struct{ Columns []json.RawMessage }
	}
	var wanted struct{ Columns []json.RawMessage }
	if err := json.Unmarshal(text, &got); err != nil {
		w.t.Fatal(err)
	}
	if err := json.Unmarshal(want, &wanted); err != nil {
		w.t.Fatal(err)
	}
	if len(got.Schema.Columns) != len(wanted.Columns) {
		w.t.Fatalf("%d columns, want %d", len(got.Schema.Columns), len(wanted.Columns))
	}
	for i, c := range got.Schema.Columns {
		if normalJSON(c) != normalJSON(wanted.Columns[i]) {
			w.t.Errorf("column %d is %s, want %s", i, c, wanted.Columns[i])
		}
	}
}

func normalJSON(raw json.RawMessage) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err.Error()
	}
	text, _ := json.Marshal(v) // cannot fail
	return string(text)
}

// values are those that Rows.Next gives for a row in the text form.
func (w *wideTable) values(r javacheck.Row) []any {
	w.t.Helper()
	data, err := rowtest.ParseRow(w.schema.Types(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	out := make([]any, len(data))
	for i := range data {
		out[i] = row.Value(&data[i], &w.schema.Columns[i].Type, time.UTC)
	}
	return out
}

// The rows: Java writes those from javaFirst on, the driver those from driverFirst on.
const (
	javaFirst, driverFirst = 10, 100
	rowsEach               = 6
)

func (w *wideTable) javaWrites() {
	w.t.Helper()
	rows := javacheck.WideRows(javaFirst, rowsEach)
	if err := w.java.Write(w.context(), w.name, rows...); err != nil {
		w.t.Fatal(err)
	}
	w.compare("a scan", rows, "SELECT * FROM "+w.name)
	if !w.key {
		return
	}
	for i, r := range rows {
		w.compare("a lookup", []javacheck.Row{r}, fmt.Sprintf("SELECT * FROM %s WHERE id = %d", w.name, javaFirst+i))
	}
	w.compare("IN", rows[1:3], fmt.Sprintf("SELECT * FROM %s WHERE id IN (%d, %d)", w.name, javaFirst+1, javaFirst+2))
}

// compare runs a query that has to give those rows, in whatever order.
func (w *wideTable) compare(what string, want []javacheck.Row, query string) {
	w.t.Helper()
	got := map[int64][]any{}
	for _, r := range mustQuery(w.t, w.db, query) {
		got[r[0].(int64)] = r
	}
	if len(got) != len(want) {
		w.t.Errorf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for _, r := range want {
		values := w.values(r)
		w.sameValues(what, got[values[0].(int64)], values)
	}
}

func (w *wideTable) sameValues(what string, got, want []any) {
	w.t.Helper()
	if len(got) != len(want) {
		w.t.Errorf("%s: row %v has %d values, want %d", what, want[0], len(got), len(want))
		return
	}
	for i := range want {
		if !sameValue(got[i], want[i]) {
			w.t.Errorf("%s: row %v, column %s: got %#v, want %#v", what, want[0], w.schema.Columns[i].Name, got[i], want[i])
		}
	}
}

func sameValue(a, b driver.Value) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y))
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Equal(y)
	}
	return reflect.DeepEqual(a, b)
}

// driverWrites inserts rows as parameters, and on a key table changes one of the driver's and one of Java's and deletes
// one of each.
func (w *wideTable) driverWrites() {
	w.t.Helper()
	marks := strings.Repeat(", ?", len(w.schema.Columns))[2:]
	for _, r := range javacheck.WideRows(driverFirst, rowsEach) {
		mustExec(w.t, w.db, "INSERT INTO "+w.name+" VALUES ("+marks+")", w.values(r)...)
	}
	if !w.key {
		return
	}
	for _, first := range []int{javaFirst, driverFirst} {
		mustExec(w.t, w.db, fmt.Sprintf("UPDATE %s SET c_string = 'changed' WHERE id = %d", w.name, first+1))
		mustExec(w.t, w.db, fmt.Sprintf("DELETE FROM %s WHERE id = %d", w.name, first+2))
	}
}

// changed is a row as it is after driverWrites.
func (w *wideTable) changed(r javacheck.Row) javacheck.Row {
	w.t.Helper()
	var values []json.RawMessage
	if err := json.Unmarshal(r, &values); err != nil {
		w.t.Fatal(err)
	}
	values[w.schema.Index("c_string")] = json.RawMessage(`"changed"`)
	text, _ := json.Marshal(values) // cannot fail
	return text
}

// javaReads looks up with the Java client what the driver wrote, and compares the logs that both read.
func (w *wideTable) javaReads() {
	w.t.Helper()
	if w.key {
		w.javaLookups()
	}
	changes, err := w.java.Scan(w.context(), w.name)
	if err != nil {
		w.t.Fatal(err)
	}
	got := w.driverLog()
	if len(got) != len(changes) {
		w.t.Errorf("the driver reads %d records, Java %d", len(got), len(changes))
	}
	kinds := map[string]int{}
	for _, c := range changes {
		kinds[c.Change]++
		at := logPlace{int64(c.Bucket), c.Offset}
		r, ok := got[at]
		if !ok {
			w.t.Errorf("the driver does not read %v", at)
			continue
		}
		if r.change != javaChanges[c.Change] || r.millis != c.Timestamp {
			w.t.Errorf("%v: the driver reads %s at %d, Java %s at %d", at, r.change, r.millis, c.Change, c.Timestamp)
		}
		w.sameValues(fmt.Sprint("record ", at), r.values, w.values(sortMaps(w.schema, c.Row)))
	}
	want := map[string]int{"+A": 2 * rowsEach}
	if w.key {
		want = map[string]int{"+I": 2 * rowsEach, "-U": 2, "+U": 2, "-D": 2}
	}
	if !reflect.DeepEqual(kinds, want) {
		w.t.Errorf("changes %v, want %v", kinds, want)
	}
	w.t.Logf("%d rows of %d columns each way, %d records", rowsEach, len(w.schema.Columns), len(changes))
}

func (w *wideTable) javaLookups() {
	w.t.Helper()
	rows := javacheck.WideRows(driverFirst, rowsEach)
	rows[1], rows[2] = w.changed(rows[1]), nil
	javas := javacheck.WideRows(javaFirst, 3)
	rows = append(rows, w.changed(javas[1]), nil)
	var keys []javacheck.Row
	for i := range rowsEach {
		keys = append(keys, javacheck.Row(fmt.Sprintf(`["%d"]`, driverFirst+i)))
	}
	keys = append(keys, javacheck.Row(fmt.Sprintf(`["%d"]`, javaFirst+1)), javacheck.Row(fmt.Sprintf(`["%d"]`, javaFirst+2)))
	found, err := w.java.Lookup(w.context(), w.name, keys...)
	if err != nil {
		w.t.Fatal(err)
	}
	for i, r := range rows {
		if r == nil || found[i] == nil {
			if (r == nil) != (found[i] == nil) {
				w.t.Errorf("key %s: Java finds %s, want %s", keys[i], found[i], r)
			}
			continue
		}
		w.sameValues("Java's lookup", w.values(found[i]), w.values(r))
	}
}

type logPlace struct{ bucket, offset int64 }

type logRecord struct {
	change string
	millis int64
	values []any
}

var javaChanges = map[string]string{"+A": "append", "+I": "insert", "-U": "update_before", "+U": "update_after", "-D": "delete"}

// driverLog reads the whole log, or change log, through database/sql.
func (w *wideTable) driverLog() map[logPlace]logRecord {
	w.t.Helper()
	from := w.name
	if w.key {
		from += "$changelog"
	}
	columns := "_bucket, _log_offset, _commit_timestamp"
	if w.key {
		columns += ", _change_type"
	}
	for i := range w.schema.Columns {
		columns += ", " + w.schema.Columns[i].Name
	}
	out := map[logPlace]logRecord{}
	for _, r := range mustQuery(w.t, w.db, "SELECT "+columns+" FROM "+from) {
		at := logPlace{r[0].(int64), r[1].(int64)}
		record := logRecord{change: "append", millis: r[2].(time.Time).UnixMilli(), values: r[3:]}
		if w.key {
			record.change, record.values = r[3].(string), r[4:]
		}
		if _, twice := out[at]; twice {
			w.t.Errorf("the driver reads %v twice", at)
		}
		out[at] = record
	}
	return out
}

// sortMaps orders the pairs of a row's maps as javacheck.WideColumns writes them: from an Arrow batch the Java client
// gives them back in another order. Only that of the column c_map differs.
func sortMaps(s *catalog.Schema, r javacheck.Row) javacheck.Row {
	var values []json.RawMessage
	if json.Unmarshal(r, &values) != nil {
		return r
	}
	for i := range s.Columns {
		var pairs []json.RawMessage
		if s.Columns[i].Type.Kind != catalog.Map || json.Unmarshal(values[i], &pairs) != nil || pairs == nil {
			continue
		}
		written := wideOrder(s.Columns[i].Name)
		slices.SortStableFunc(pairs, func(a, b json.RawMessage) int {
			return strings.Index(written, string(a)) - strings.Index(written, string(b))
		})
		values[i], _ = json.Marshal(pairs) // cannot fail
	}
	text, _ := json.Marshal(values) // cannot fail
	return text
}

func wideOrder(column string) string {
	for _, c := range javacheck.WideColumns {
		if c.Name == column {
			return strings.Join(c.Values, " ")
		}
	}
	return ""
}
