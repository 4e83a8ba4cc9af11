package conformance

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// lakeBuckets is the bucket count of the tables of TestLakeKeys, the third of those that the golden buckets are for.
const lakeBuckets, goldenBuckets = 8, 2

// lakeGroup is a group of golden keys: rows of one schema, each with the bucket that the Java classes put it into.
type lakeGroup struct {
	Name       string
	Schema     json.RawMessage
	KeyColumns []string `json:"key_columns"` // of the bucket key
	Cases      []struct {
		Name                   string
		Row                    json.RawMessage
		Fluss, Paimon, Iceberg struct {
			Buckets []int32
			Error   string
		}
	}
}

// lakeRow is a row that a table with a lake's keys takes, or not.
type lakeRow struct {
	values []any
	bucket int64
	none   bool // the lake has no key for it
}

// TestLakeKeys writes tables of each lake format with every type of key column, and finds each row in the bucket where the
// lake's own classes would put it, by key, by IN and by prefix. The format alone says how keys and buckets are made; no
// server needs a lake for that.
func TestLakeKeys(t *testing.T) {
	raw, err := os.ReadFile("../internal/row/testdata/keys.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Groups []lakeGroup }
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	db := own(t)
	for _, format := range []string{"paimon", "iceberg", "lance"} {
		tables, rows := 0, 0
		for i := range golden.Groups {
			if format == "lance" && i%8 != 0 { // its keys are those of tables without a lake
				continue
			}
			l := &lakeTable{t: t, db: db, group: &golden.Groups[i], format: format, name: fmt.Sprintf("%s%d", format, i)}
			rows += l.run()
			tables++
		}
		t.Logf("%s: %d tables, %d rows", format, tables, rows)
	}
}

// lakeTable is one table of the test.
type lakeTable struct {
	t      *testing.T
	db     *sql.DB
	group  *lakeGroup
	format string
	name   string
	schema *catalog.Schema
	rows   []lakeRow
}

// run makes the table and returns how many rows were written.
func (l *lakeTable) run() int {
	l.t.Helper()
	var err error
	if l.schema, err = catalog.DecodeSchema(l.group.Schema, 1); err != nil {
		l.t.Fatal(err)
	}
	mustExec(l.t, l.db, l.create())
	l.readCases()
	l.refuse()
	l.rows = slices.DeleteFunc(l.rows, func(r lakeRow) bool { return r.none })
	l.lastOfEachKey()
	if len(l.rows) == 0 {
		return 0
	}
	l.write()
	if len(l.schema.PrimaryKey) > 0 {
		l.lookups()
		l.prefixes()
		l.change()
	}
	return len(l.rows)
}

// lastOfEachKey drops rows that a later one of the same key would replace.
func (l *lakeTable) lastOfEachKey() {
	if len(l.schema.PrimaryKey) == 0 {
		return
	}
	same := func(i int) string {
		key := l.key(&l.rows[i], l.schema.PrimaryKey)
		for j := range key {
			if at, ok := key[j].(time.Time); ok && l.format == "iceberg" { // whose keys know no nanoseconds
				key[j] = at.Truncate(time.Microsecond)
			}
		}
		return fmt.Sprintf("%#v", key)
	}
	last := map[string]int{}
	for i := range l.rows {
		last[same(i)] = i
	}
	var kept []lakeRow
	for i := range l.rows {
		if last[same(i)] == i {
			kept = append(kept, l.rows[i])
		}
	}
	l.rows = kept
}

func (l *lakeTable) create() string {
	var parts []string
	for i := range l.schema.Columns {
		c := &l.schema.Columns[i]
		text := "`" + c.Name + "` " + c.Type.Name()
		if c.Type.NotNull {
			text += " NOT NULL"
		}
		parts = append(parts, text)
	}
	parts = append(parts, "case_no INT")
	if len(l.schema.PrimaryKey) > 0 {
		parts = append(parts, "PRIMARY KEY ("+strings.Join(l.schema.PrimaryKey, ", ")+") NOT ENFORCED")
	}
	return fmt.Sprintf("CREATE TABLE %s (%s) WITH ('bucket.num' = '%d', 'bucket.key' = '%s', 'table.datalake.format' = '%s')",
		l.name, strings.Join(parts, ", "), lakeBuckets, strings.Join(l.group.KeyColumns, ","), l.format)
}

// readCases takes the golden rows whose values the columns can hold: those of times with more digits are for the encoders alone.
func (l *lakeTable) readCases() {
	l.t.Helper()
	for i := range l.group.Cases {
		c := &l.group.Cases[i]
		data, err := rowtest.ParseRow(l.schema.Types(), c.Row)
		if err != nil {
			l.t.Fatal(err)
		}
		r, fit := lakeRow{}, true
		for j := range data {
			fit = fit && fitsColumn(&data[j], &l.schema.Columns[j].Type)
			r.values = append(r.values, row.Value(&data[j], &l.schema.Columns[j].Type, time.UTC))
		}
		if !fit {
			continue
		}
		want := map[string]struct {
			Buckets []int32
			Error   string
		}{"paimon": c.Paimon, "iceberg": c.Iceberg, "lance": c.Fluss}[l.format]
		if r.none = want.Buckets == nil; !r.none {
			r.bucket = int64(want.Buckets[goldenBuckets])
		}
		r.values = append(r.values, int64(i))
		l.rows = append(l.rows, r)
	}
}

// fitsColumn reports whether a text has the length of its column, and a time has no more digits than its column and lies where every
// log can hold it.
func fitsColumn(d *row.Datum, ty *catalog.Type) bool {
	digits := int64(1)
	for range 9 - ty.Precision {
		digits *= 10
	}
	switch ty.Kind {
	case catalog.Char:
		return utf8.RuneCount(d.B) <= ty.Length
	case catalog.Binary:
		return len(d.B) == ty.Length
	case catalog.Time:
		return d.I*1_000_000%digits == 0
	case catalog.Timestamp, catalog.TimestampLTZ:
		return (d.I%1000*1_000_000+int64(d.N))%digits == 0 && inYears(d.I, 1, 9999) && (ty.Precision <= 6 || inYears(d.I, 1678, 2261))
	case catalog.Date:
		return inYears(d.I*24*60*60*1000, 1, 9999)
	}
	return true
}

func inYears(millis int64, first, last int) bool {
	year := time.UnixMilli(millis).UTC().Year()
	return first <= year && year <= last
}

// refuse writes the rows that have no key in the lake's eyes: none of them may be sent.
func (l *lakeTable) refuse() {
	l.t.Helper()
	for _, r := range l.rows {
		if !r.none {
			continue
		}
		_, err := l.db.ExecContext(timeout(l.t), l.insert(1), r.values...)
		if err == nil || !strings.Contains(err.Error(), "key") {
			l.t.Errorf("%s, %s: a row without a key, %v: %v", l.format, l.group.Name, r.values, err)
		}
	}
}

func (l *lakeTable) insert(rows int) string {
	one := "(?" + strings.Repeat(", ?", len(l.schema.Columns)) + ")"
	return "INSERT INTO " + l.name + " VALUES " + one + strings.Repeat(", "+one, rows-1)
}

// write inserts all rows and finds each in its bucket.
func (l *lakeTable) write() {
	l.t.Helper()
	var args []any
	want := map[int64]int64{}
	for _, r := range l.rows {
		args = append(args, r.values...)
		want[r.values[len(r.values)-1].(int64)] = r.bucket
	}
	mustExec(l.t, l.db, l.insert(len(l.rows)), args...)
	got := map[int64]int64{}
	for _, r := range queryAll(l.t, l.db, "SELECT case_no, _bucket FROM "+l.name) {
		got[r[0].(int64)] = r[1].(int64)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		l.t.Errorf("%s, %s: cases in buckets\ngot  %v\nwant %v", l.format, l.group.Name, got, want)
	}
}

// key are the values of columns of a row.
func (l *lakeTable) key(r *lakeRow, columns []string) []any {
	var out []any
	for _, c := range columns {
		out = append(out, r.values[l.schema.Index(c)])
	}
	return out
}

func equals(columns []string) string { return strings.Join(columns, " = ? AND ") + " = ?" }

// lookups finds each row by its key, and all by IN, in the order of the list.
func (l *lakeTable) lookups() {
	l.t.Helper()
	pk := l.schema.PrimaryKey
	var all []any
	var want []string
	for i := range l.rows {
		r := &l.rows[i]
		key, number := l.key(r, pk), fmt.Sprint(r.values[len(r.values)-1])
		if got := texts(queryAll(l.t, l.db, "SELECT case_no FROM "+l.name+" WHERE "+equals(pk), key...)); len(got) != 1 || got[0] != number {
			l.t.Errorf("%s, %s: by the key %v: %v, want case %s", l.format, l.group.Name, key, got, number)
		}
		all, want = append(all, key...), append(want, number)
	}
	slices.Reverse(want)
	for i, j := 0, len(all)-len(pk); i < j; i, j = i+len(pk), j-len(pk) {
		for k := range pk {
			all[i+k], all[j+k] = all[j+k], all[i+k]
		}
	}
	marks := "(?" + strings.Repeat(", ?", len(pk)-1) + ")"
	query := "SELECT case_no FROM " + l.name + " WHERE (" + strings.Join(pk, ", ") + ") IN (" + marks + strings.Repeat(", "+marks, len(l.rows)-1) + ")"
	if got := texts(queryAll(l.t, l.db, query, all...)); !slices.Equal(got, want) {
		l.t.Errorf("%s, %s: by IN: %v, want %v", l.format, l.group.Name, got, want)
	}
}

// prefixes finds rows by the bucket key, where that is the front of the primary key.
func (l *lakeTable) prefixes() {
	l.t.Helper()
	front := l.group.KeyColumns
	if len(front) >= len(l.schema.PrimaryKey) || !slices.Equal(front, l.schema.PrimaryKey[:len(front)]) {
		return
	}
	for i := range l.rows {
		prefix := l.key(&l.rows[i], front)
		var want []string
		for j := range l.rows {
			if fmt.Sprint(l.key(&l.rows[j], front)) == fmt.Sprint(prefix) {
				want = append(want, fmt.Sprint(l.rows[j].values[len(l.schema.Columns)]))
			}
		}
		got := texts(queryAll(l.t, l.db, "SELECT case_no FROM "+l.name+" WHERE "+equals(front), prefix...))
		if !slices.Equal(sorted(got), sorted(want)) {
			l.t.Errorf("%s, %s: by the prefix %v: %v, want %v", l.format, l.group.Name, prefix, got, want)
		}
	}
}

// change replaces the first row and deletes the last.
func (l *lakeTable) change() {
	l.t.Helper()
	pk := l.schema.PrimaryKey
	first, last := &l.rows[0], &l.rows[len(l.rows)-1]
	first.values[len(l.schema.Columns)] = int64(-1)
	mustExec(l.t, l.db, l.insert(1), first.values...)
	if n := affected(l.t, l.db, "DELETE FROM "+l.name+" WHERE "+equals(pk), l.key(last, pk)...); n != 1 {
		l.t.Errorf("%s, %s: DELETE affected %d", l.format, l.group.Name, n)
	}
	var want []string
	for i := range l.rows[:len(l.rows)-1] {
		want = append(want, fmt.Sprint(l.rows[i].values[len(l.schema.Columns)]))
	}
	if got := texts(queryAll(l.t, l.db, "SELECT case_no FROM "+l.name)); !slices.Equal(sorted(got), sorted(want)) {
		l.t.Errorf("%s, %s: after an UPSERT and a DELETE: %v, want %v", l.format, l.group.Name, got, want)
	}
}

// TestLakeTable has what else there is to a table whose keys are a lake's: partitions, logs, prefixes, and the refusals.
func TestLakeTable(t *testing.T) {
	db := own(t)
	notHere := []string{"lake files are read by their own engines", "select from the table itself"}
	for _, format := range []string{"paimon", "iceberg", "lance"} {
		with := " WITH ('bucket.num' = '4', 'table.datalake.format' = '" + format + "'"
		play(t, db, []step{
			{sql: "CREATE TABLE k_" + format + " (id INT, v STRING, PRIMARY KEY (id) NOT ENFORCED)" + with + ")"},
			{sql: "INSERT INTO k_" + format + " VALUES (1, 'a'), (2, 'b'), (3, 'c')", rows: 3},
			{sql: "UPDATE k_" + format + " SET v = 'B' WHERE id IN (2, 9)", rows: 1},
			{sql: "SELECT id, v FROM k_" + format + " WHERE id IN (3, 9, 2, 1)", want: []string{"3 c", "2 B", "1 a"}},
			{sql: "SELECT * FROM k_" + format + "$lake", is: fluss.ErrUnsupported, words: append(notHere, "k_"+format+"$lake")},
			{sql: "INSERT INTO k_" + format + "$lake VALUES (1, 'a')", is: fluss.ErrUnsupported, words: []string{"k_" + format + "$lake"}},
			{sql: "CREATE TABLE p_" + format + " (id INT, dt STRING, v STRING, PRIMARY KEY (id, dt) NOT ENFORCED) PARTITIONED BY (dt)" + with + ")"},
			{sql: "INSERT INTO p_" + format + " VALUES (1, 'x', 'a'), (1, 'y', 'b'), (2, 'y', 'c')", rows: 3},
			{sql: "SELECT v FROM p_" + format + " WHERE id = 1 AND dt = 'y'", want: []string{"b"}},
			{sql: "DELETE FROM p_" + format + " WHERE id = 1 AND dt = 'y'", rows: 1},
			{sql: "SELECT v FROM p_" + format + " WHERE (id, dt) IN ((2, 'y'), (1, 'y'), (1, 'x'))", want: []string{"c", "a"}},
			{sql: "CREATE TABLE w_" + format + " (a STRING, b INT, v STRING, PRIMARY KEY (a, b) NOT ENFORCED)" + with + ", 'bucket.key' = 'a')"},
			{sql: "INSERT INTO w_" + format + " VALUES ('longer than seven', 1, 'x'), ('longer than seven', 2, 'y'), ('s', 1, 'z')", rows: 3},
			{sql: "SELECT v FROM w_" + format + " WHERE a = 'longer than seven'", want: []string{"x", "y"}, sort: true},
			{sql: "SELECT v FROM w_" + format + " WHERE a = 's' AND b = 1", want: []string{"z"}},
			{sql: "CREATE TABLE l_" + format + " (id BIGINT, v STRING)" + with + ", 'bucket.key' = 'id')"},
			{sql: "INSERT INTO l_" + format + " VALUES (1, 'a'), (2, 'b'), (1, 'c')", rows: 3},
			{sql: "SELECT v FROM l_" + format, want: []string{"a", "b", "c"}, sort: true},
		})
		ids := map[string]bool{}
		for _, r := range queryAll(t, db, "SELECT _bucket FROM l_"+format+" WHERE id = 1") {
			ids[fmt.Sprint(r)] = true
		}
		if len(ids) != 1 {
			t.Errorf("%s: rows of one bucket key in the buckets %v", format, ids)
		}
	}
	play(t, db, []step{
		// the keys of tables from before 0.9 have no prefixes
		{sql: "CREATE TABLE old (a STRING, b INT, v STRING, PRIMARY KEY (a, b)) WITH ('table.datalake.format' = 'paimon', 'table.kv.format-version' = '1', 'bucket.key' = 'a', 'bucket.num' = '2')"},
		{sql: "INSERT INTO old VALUES ('x', 1, 'p'), ('x', 2, 'q'), ('longer than seven', 1, 'r')", rows: 3},
		{sql: "SELECT v FROM old WHERE a = 'longer than seven'", want: []string{"r"}},
		{sql: "SELECT v FROM old WHERE a = 'x'", want: []string{"p", "q"}, sort: true},
		{sql: "SELECT v FROM old WHERE a = 'longer than seven' AND b = 1", want: []string{"r"}},
		{sql: "CREATE TABLE refused (id INT, PRIMARY KEY (id)) WITH ('table.datalake.enabled' = 'true')", fails: true,
			words: []string{"table.datalake.enabled", "doesn't enable datalake tables"}},
		{sql: "CREATE TABLE refused (id INT, PRIMARY KEY (id)) WITH ('table.datalake.format' = 'parquet')", fails: true, words: []string{"table.datalake.format", "parquet"}},
		{sql: "CREATE TABLE two (a INT, b INT, PRIMARY KEY (a, b)) WITH ('table.datalake.format' = 'iceberg')"},
		{sql: "INSERT INTO two VALUES (1, 2)", fails: true, words: []string{"a key of an iceberg table has exactly one column, not 2"}},
		{sql: "CREATE TABLE flag (a BOOLEAN, PRIMARY KEY (a)) WITH ('table.datalake.format' = 'iceberg')"},
		{sql: "SELECT * FROM flag WHERE a = true", fails: true, words: []string{"a key of an iceberg table cannot be of type BOOLEAN"}},
	})
}
