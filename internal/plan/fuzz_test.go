package plan

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/row"
)

// planSeeds are conditions, hints and lists of every kind, for the tables of the tests.
var planSeeds = []string{
	"SELECT * FROM t WHERE a = 1 AND b = 2", "SELECT s, n FROM t WHERE (a, b) IN ((1, 2), (?, 4)) AND s LIKE 'x%'", "SELECT /*+ KEEP_MISSING */ * FROM t WHERE a IN (1, ?) AND b IN (?)",
	"SELECT * FROM t x WHERE x.a = ? AND NOT (t.s IS NULL OR n BETWEEN -1 AND 2.5) ORDER BY s DESC, n LIMIT ? OFFSET 3", "SELECT COUNT(*) FROM t WHERE ok OR n <> 1", "SELECT _bucket, a FROM t WHERE _bucket IN (0, 1) LIMIT 5",
	"SELECT * FROM t WHERE _log_offset >= 5 AND _log_offset < ? AND _commit_timestamp > TIMESTAMP '2026-01-01 00:00:00'", "SELECT /*+ OFFSET(5) STOP_OFFSET(?) BUCKET(0, 1) FOLLOW TIMEOUT('5s') */ * FROM t",
	"SELECT /*+ OFFSETS('0:1-2,1:3-') */ s FROM t", "SELECT s FROM t /*+ OPTIONS('scan.startup.mode' = 'timestamp', 'scan.startup.timestamp' = '2026-01-01 00:00:00', 'lookup.async' = 'true') */",
	"SELECT * FROM t$changelog WHERE _change_type = 'insert'", "SELECT before.s, after FROM t$binlog WHERE after.n > 1 AND before IS NOT NULL", "SELECT MAX(a) FROM t", "SELECT a + 1 FROM t",
	"INSERT INTO t VALUES (1, 2, 'x', 1.5, TRUE), (?, ?, ?, ?, ?)", "INSERT INTO t (b, a) VALUES (?, ?), (?, ?), (?, ?)", "INSERT INTO t (a, s) VALUES (1, 'x') RETURNING _bucket, _log_offset",
	"INSERT INTO t (a, b, s) VALUES (1, 2, 'x') ON DUPLICATE KEY UPDATE s = VALUES(s)", "INSERT IGNORE INTO t (a, b) VALUES (1, 2)", "UPSERT INTO t (a, b, n) VALUES (1, 2, '1e3')", "INSERT /*+ MERGE_MODE('OVERWRITE') */ INTO t (a, b) VALUES (1, 2)",
	"UPDATE t SET s = 'x', n = n * -2.5 + ? - a WHERE a = 1 AND b IN (2, 3) AND ok", "UPDATE /*+ BLIND */ t SET n = 1 WHERE a = ? AND b = ?", "DELETE FROM t WHERE (b, a) = (?, ?) AND s = 'x'", "DELETE FROM t WHERE a = 1",
}

// Properties of every text that is a statement on a table, planned for a key table and for a log table:
//   - no panic, no endless loop, memory in proportion to the text, neither in planning nor in EXPLAIN nor in binding arguments;
//   - planning it again gives the same: the same error, or the same EXPLAIN.
func FuzzCompile(f *testing.F) {
	for _, s := range planSeeds {
		f.Add(s, int64(1), "x")
		f.Add(s, int64(-1<<62), "2026-01-01 00:00:00")
	}
	tables := []*catalog.Table{keyTable(f), logTable(f)}
	fuzzbound.Fuzz(f, func(t *testing.T, sql string, number int64, text string) {
		stmt, err := dialect.Parse(sql, dialect.Options{})
		if err != nil || strings.Count(sql, "IN") > 4 { // the product of some lists is large by right
			return
		}
		switch stmt.(type) {
		case *dialect.Select, *dialect.Insert, *dialect.Update, *dialect.Delete:
		default:
			return
		}
		if s, ok := stmt.(*dialect.Select); ok && s.From == nil {
			return
		}
		args := []driver.NamedValue{{Value: number}, {Value: text}, {Value: nil}, {Value: []byte(text)}, {Value: float64(number)}, {Value: number != 0}}
		for _, table := range tables {
			var first, again string
			fuzzbound.CheckWith(t, len(sql), func() int {
				first = planned(stmt, table, args)
				return 64 * len(sql) // a literal's Datum and its Source are larger than the 16 bytes that a byte may cost
			})
			if again = planned(stmt, table, args); first != again {
				t.Fatalf("%q on %s\nfirst %s\nagain %s", sql, table.Path, first, again)
			}
		}
	})
}

// errEnough ends a list of keys.
var errEnough = errors.New("enough keys")

// planned plans a statement and binds arguments to what came of it, and prints all that.
func planned(stmt dialect.Statement, table *catalog.Table, args []driver.NamedValue) string {
	p, err := Compile(stmt, table, Options{})
	if err != nil {
		return err.Error()
	}
	var o row.BindOptions
	v := make([]row.Datum, 64) // wider than a virtual row
	for i := range v {
		v[i].Null = true
	}
	said := []string{strings.Join(Explain(p), "\n")}
	note := func(err error) {
		if err != nil {
			said = append(said, err.Error())
		}
	}
	keys := func(k *Keys, f *Filter) {
		if n := 0; k != nil {
			note(k.Each(v, args, &o, func() error {
				if n++; n > 64 {
					return errEnough
				}
				return nil
			}))
		}
		if f == nil {
			return
		}
		holds, err := f.Bind(args, &o)
		if note(err); err == nil {
			said = append(said, fmt.Sprint(holds(v)))
		}
	}
	switch p := p.(type) {
	case *Insert:
		for i := range p.Rows {
			note(p.BindRow(v[:len(table.Schema.Columns)], i, args, &o))
		}
	case *Update:
		keys(p.Keys, p.Filter)
	case *Delete:
		keys(p.Keys, p.Filter)
	case *Select:
		keys(p.Keys, p.Filter)
		for _, c := range []*Count{&p.Limit, &p.Offset} {
			_, err := c.Value(args, -1, &o)
			note(err)
		}
	}
	return strings.Join(said, "\n")
}
