package plan

import (
	"database/sql/driver"
	"errors"
	"strings"
	"testing"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// makeTable makes a table from column definitions such as "id INT NOT NULL".
func makeTable(t testing.TB, key, buckets []string, columns ...catalog.Column) *catalog.Table {
	t.Helper()
	s := &catalog.Schema{ID: 1, Columns: columns, PrimaryKey: key}
	table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, catalog.Descriptor{Schema: s, BucketKeys: buckets, BucketCount: 4})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func column(name string, k catalog.Kind, notNull bool) catalog.Column {
	return catalog.Column{Name: name, Type: catalog.Type{Kind: k, NotNull: notNull, Precision: 10, Scale: 2}}
}

func keyTable(t testing.TB) *catalog.Table {
	return makeTable(t, []string{"a", "b"}, []string{"a"}, column("a", catalog.Int, true), column("b", catalog.Int, true),
		column("s", catalog.String, false), column("n", catalog.Decimal, false), column("ok", catalog.Boolean, false))
}

func logTable(t testing.TB) *catalog.Table {
	return makeTable(t, nil, nil, column("a", catalog.Int, true), column("s", catalog.String, false))
}

func compile(t *testing.T, table *catalog.Table, sql string) (Plan, error) {
	t.Helper()
	stmt, err := dialect.Parse(sql, dialect.Options{})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return Compile(stmt, table, Options{})
}

func TestAccess(t *testing.T) {
	key, log := keyTable(t), logTable(t)
	for _, c := range []struct {
		sql    string
		table  *catalog.Table
		access Access
		want   string // a part of EXPLAIN
	}{
		{"SELECT * FROM t WHERE a = 1 AND b = 2", key, Lookup, "point lookup"},
		{"SELECT * FROM t WHERE b = 2 AND 1 = a", key, Lookup, "point lookup"},
		{"SELECT * FROM t x WHERE x.a = ? AND t.b = ?", key, Lookup, "point lookup"},
		{"SELECT * FROM t WHERE a IN (1, 2) AND b IN (3, 4)", key, Lookup, "multi lookup"},
		{"SELECT * FROM t WHERE (a, b) IN ((1, 2), (3, 4))", key, Lookup, "multi lookup"},
		{"SELECT * FROM t WHERE (b, a) = (1, 2)", key, Lookup, "point lookup"},
		{"SELECT * FROM t WHERE a = 1 AND b = 2 AND a = 1", key, Lookup, "filter in the driver on: a"},
		{"SELECT * FROM t WHERE a = 1 AND b = 2 AND s LIKE 'x%'", key, Lookup, "filter in the driver on: s"},
		{"SELECT * FROM t WHERE a = 1", key, Prefix, "prefix lookup"},
		{"SELECT * FROM t WHERE a = 1 AND b > 2", key, Prefix, "filter in the driver on: b"},
		{"SELECT * FROM t WHERE b = 1 LIMIT 5", key, TableScan, "filter in the driver on: b"},
		{"SELECT * FROM t WHERE a = 1 OR b = 2 LIMIT 5", key, TableScan, "filter"},
		{"SELECT * FROM t LIMIT 5", key, TableScan, "limit 5"},
		{"SELECT * FROM t WHERE _bucket = 1 LIMIT 5", key, TableScan, "buckets restricted"},
		{"SELECT COUNT(*) FROM t", key, CountRows, "statistics"},
		{"SELECT /*+ EXACT */ COUNT(*) FROM t", key, TableScan, "scan of key table"},
		{"SELECT COUNT(*) FROM t WHERE s = 'x'", key, TableScan, "filter"},
		{"SELECT * FROM t$changelog", key, LogScan, "change log"},
		{"SELECT COUNT(*) FROM t$changelog", key, LogScan, "change log"},
		{"SELECT s FROM t", log, LogScan, "projection pushed down: s"},
		{"SELECT s FROM t WHERE a = 1", log, LogScan, "filter in the driver on: a"},
		{"SELECT * FROM t WHERE _bucket = 0 AND _log_offset BETWEEN 1 AND 2", log, LogScan, "bounded by _log_offset"},
		{"SELECT /*+ OFFSET('latest') FOLLOW */ * FROM t", log, LogScan, "from latest, following"},
		{"SELECT COUNT(*) FROM t", log, CountRows, "statistics"},
		{"SELECT COUNT(*) FROM t WHERE _log_offset > 5", log, LogScan, "bounded"},
		{"SELECT s FROM t WHERE _commit_timestamp >= ? AND _commit_timestamp < ?", log, LogScan, "from earliest, bounded by _commit_timestamp"},
		{"SELECT s FROM t WHERE _commit_timestamp BETWEEN ? AND ?", log, LogScan, "filter in the driver on: _commit_timestamp"},
	} {
		p, err := compile(t, c.table, c.sql)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := p.(*Select).Access; got != c.access {
			t.Errorf("%s: access %d, want %d", c.sql, got, c.access)
		}
		if text := strings.Join(Explain(p), "\n"); !strings.Contains(text, c.want) {
			t.Errorf("%s: EXPLAIN gives\n%s\nwhich lacks %q", c.sql, text, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	key, log := keyTable(t), logTable(t)
	for _, c := range []struct {
		sql   string
		table *catalog.Table
		want  string
	}{
		{"SELECT nope FROM t LIMIT 1", key, "there is no such column"},
		{"SELECT S FROM t LIMIT 1", key, "did you mean s?"},
		{"SELECT x.a FROM t LIMIT 1", key, "no table or alias x"},
		{"SELECT SUM(a) FROM t", key, "can only count rows"},
		{"SELECT COUNT(DISTINCT a) FROM t", key, "use COUNT(*)"},
		{"SELECT a, COUNT(*) FROM t", key, "no GROUP BY"},
		{"SELECT _log_offset FROM t LIMIT 1", key, "have no _log_offset"},
		{"SELECT /*+ OFFSET(5) */ * FROM t", key, "t$changelog"},
		{"SELECT * FROM t$lake", key, "lake files"},
		{"SELECT * FROM t$binlog", log, "$binlog is of tables with a primary key"},
		{"SELECT /*+ OPTIONS('client.writer.acks'='0') */ * FROM t", log, "set acks in the DSN"},
		{"SELECT /*+ OPTIONS('client.writer.enable-idempotence'='false') */ * FROM t", log, "always idempotent"},
		{"SELECT /*+ OPTIONS('client.scanner.log.check-crx'='0') */ * FROM t", log, "the option client.scanner.log.check-crx"},
		{"SELECT /*+ TIMEOUT('1 fortnight') */ * FROM t", log, "is not a duration"},
		{"SELECT /*+ TIMEOUT('') */ * FROM t", log, "is not a duration"},
		{"SELECT * FROM t ORDER BY s", key, "LIMIT of at most 10000"},
		{"SELECT /*+ OFFSET(-5) */ * FROM t", log, "offsets start at 0"},
		{"SELECT /*+ OFFSET('soon') */ * FROM t", log, "'earliest', 'latest'"},
		{"SELECT /*+ OPTIONS('scan.startup.mode'='never') */ * FROM t", log, "not one of"},
		{"SELECT * FROM t WHERE a = 'x'", key, "column a of d.t"},
		{"INSERT INTO t (a, s) VALUES (1, 'x')", key, "part of the primary key"},
		{"INSERT INTO t (s) VALUES ('x')", log, "NOT NULL and not in the column list"},
		{"INSERT INTO t (a, a) VALUES (1, 2)", log, "twice in the column list"},
		{"INSERT INTO t VALUES (1)", log, "takes 2 values a row"},
		{"INSERT INTO t VALUES (NULL, 'x')", log, "cannot be NULL"},
		{"INSERT INTO t VALUES (1, 'x'), (2.5, 'y')", log, "in row 2"},
		{"UPSERT INTO t VALUES (1, 'x')", log, "log table: rows can only be appended"},
		{"INSERT IGNORE INTO t (a, b) VALUES (1, 2)", key, "not atomic on d.t"},
		{"UPDATE t SET b = 1 WHERE a = 1 AND b = 2", key, "part of the primary key"},
		{"UPDATE t SET s = 'x' WHERE a = 1", key, "missing b"},
		{"DELETE FROM t WHERE a = 1", key, "missing b"},
		{"DELETE FROM t WHERE a = 1", log, "log table"},
	} {
		_, err := compile(t, c.table, c.sql)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want it to say %q", c.sql, err, c.want)
		}
	}
}

// TestFilter holds conditions against the truth of SQL, NULLs included.
func TestFilter(t *testing.T) {
	table := keyTable(t)
	type v = row.Datum
	null := v{Null: true}
	full := []v{{I: 1}, {I: 2}, {B: []byte("abc")}, {I: 1050}, {I: 1}} // a=1 b=2 s='abc' n=10.50 ok=true
	nulls := []v{{I: 1}, {I: 2}, null, null, null}
	for _, c := range []struct {
		where       string
		full, nulls bool
	}{
		{"s = 'abc'", true, false},
		{"s <> 'abc'", false, false},
		{"NOT s = 'x'", true, false},
		{"s IS NULL", false, true},
		{"s IS NOT NULL", true, false},
		{"s = 'x' OR a = 1", true, true},
		{"s = 'x' OR NOT a = 1", false, false},
		{"NOT (s = 'x' AND a = 1)", true, false},
		{"NOT (s = 'x' AND a = 9)", true, true},
		{"s IN ('x', 'abc')", true, false},
		{"s NOT IN ('x', 'y')", true, false},
		{"s NOT IN ('x', NULL)", false, false},
		{"s IN ('abc', NULL)", true, false},
		{"s = NULL", false, false},
		{"n = 10.5", true, false},
		{"n > 10.499", true, false},
		{"n < 10.5001", true, false},
		{"n = 10.501", false, false},
		{"n BETWEEN 10 AND 11", true, false},
		{"n NOT BETWEEN 10 AND 11", false, false},
		{"a BETWEEN 0.5 AND 1.5", true, true},
		{"s LIKE 'a%'", true, false},
		{"s LIKE '_b_'", true, false},
		{"s NOT LIKE '%z%'", true, false},
		{"ok", true, false},
		{"NOT ok", false, false},
		{"a < b", true, true},
		{"a = b", false, false},
		{"1 = 0", false, false},
		{"1 = 1", true, true},
		{"(a, b) IN ((9, 9), (1, 2))", true, true},
		{"TRUE", true, true},
	} {
		stmt, err := dialect.Parse("SELECT * FROM t WHERE "+c.where, dialect.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.where, err)
		}
		o := &row.BindOptions{}
		f, err := newFilter(&scope{table: table}, []dialect.Expr{stmt.(*dialect.Select).Where}, o)
		if err != nil {
			t.Fatalf("%s: %v", c.where, err)
		}
		match, err := f.Bind(nil, o)
		if err != nil {
			t.Fatalf("%s: %v", c.where, err)
		}
		if got := match(full); got != c.full {
			t.Errorf("%s: %v for the full row", c.where, got)
		}
		if got := match(nulls); got != c.nulls {
			t.Errorf("%s: %v for the row of NULLs", c.where, got)
		}
	}
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		s, pattern string
		want       bool
	}{
		{"", "", true}, {"", "%", true}, {"a", "", false}, {"abc", "abc", true}, {"abc", "a%c", true}, {"abc", "a_c", true},
		{"abc", "_", false}, {"abc", "%%%", true}, {"aXbXc", "%X%X%", true}, {"aXbc", "%X%X%", false}, {"50%", `50\%`, true},
		{"500", `50\%`, false}, {"a_c", `a\_c`, true}, {"abc", `a\_c`, false}, {"日本語", "_本_", true}, {"日本語", "日%", true},
		{strings.Repeat("a", 5000), strings.Repeat("%a", 50) + "%b", false},
	} {
		if got := LikeMatch(c.s, c.pattern); got != c.want {
			t.Errorf("%.20q LIKE %.20q: %v", c.s, c.pattern, got)
		}
	}
}

// TestKeys lists the keys that a WHERE fixes, in order, NULLs left out and slices spread.
func TestKeys(t *testing.T) {
	table := keyTable(t)
	for _, c := range []struct {
		where string
		args  []any
		want  [][2]int64
	}{
		{"a = 1 AND b = 2", nil, [][2]int64{{1, 2}}},
		{"a IN (2, 1) AND b IN (3, 4)", nil, [][2]int64{{2, 3}, {2, 4}, {1, 3}, {1, 4}}},
		{"(a, b) IN ((1, 2), (3, 4))", nil, [][2]int64{{1, 2}, {3, 4}}},
		{"a = ? AND b = ?", []any{int64(7), "8"}, [][2]int64{{7, 8}}},
		{"a = 1 AND b IN (?)", []any{[]int{5, 6}}, [][2]int64{{1, 5}, {1, 6}}},
		{"a = 1 AND b IN (?)", []any{[]int{}}, nil},
		{"a = 1 AND b IN (1, NULL)", nil, [][2]int64{{1, 1}}},
		{"a = NULL AND b = 1", nil, nil},
		{"a = 1 AND b IN ()", nil, nil},
	} {
		p, err := compile(t, table, "SELECT * FROM t WHERE "+c.where)
		if err != nil {
			t.Fatalf("%s: %v", c.where, err)
		}
		var args []driver.NamedValue
		for i, v := range c.args {
			args = append(args, driver.NamedValue{Ordinal: i + 1, Value: v})
		}
		var got [][2]int64
		scratch := make([]row.Datum, 5)
		err = p.(*Select).Keys.Each(scratch, args, &row.BindOptions{}, func() error {
			got = append(got, [2]int64{scratch[0].I, scratch[1].I})
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", c.where, err)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: got %v, want %v", c.where, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: got %v, want %v", c.where, got, c.want)
			}
		}
	}
}

// TestBadArgument: a value that is no key is refused with the column's name.
func TestBadArgument(t *testing.T) {
	p, err := compile(t, keyTable(t), "SELECT * FROM t WHERE a = ? AND b = 1")
	if err != nil {
		t.Fatal(err)
	}
	err = p.(*Select).Keys.Each(make([]row.Datum, 5), []driver.NamedValue{{Ordinal: 1, Value: "x"}}, &row.BindOptions{}, func() error { return nil })
	refused, ok := errors.AsType[*ValueError](err)
	if !ok || refused.Column != "a" {
		t.Errorf("got %v, want a ValueError of column a", err)
	}
}
