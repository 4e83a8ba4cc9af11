package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// step is one statement of a script and what it must answer. A statement that gives rows is a query and must give want;
// of any other, rows is its RowsAffected.
type step struct {
	sql   string
	args  []any
	rows  int64
	names string   // of the columns, joined by blanks; "" leaves them unchecked
	want  []string // rows as texts prints them
	sort  bool     // the order of rows is not promised: want is sorted
	is    error    // the statement must fail, with this class, ...
	words []string // ... these words in its message, ...
	fails bool     // ... or, where there is no class, with these words alone
}

// own opens the target with a database of the test's own as its default database.
func own(t *testing.T) *sql.DB {
	t.Helper()
	return ownWith(t, func(*fluss.Config) {})
}

func ownWith(t *testing.T, change func(*fluss.Config)) *sql.DB {
	t.Helper()
	name := database(t, open(t))
	return openConfig(t, func(c *fluss.Config) {
		c.Database = name
		change(c)
	})
}

// play runs the steps in order, each on its own report.
func play(t *testing.T, db *sql.DB, steps []step) {
	t.Helper()
	for i := range steps {
		steps[i].run(t, db)
	}
	t.Logf("%d statements", len(steps))
}

// returnsRows tells by its first word, or by RETURNING, whether a statement is a query.
func returnsRows(text string) bool {
	verb, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch strings.ToUpper(verb) {
	case "SELECT", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "CALL":
		return true
	}
	return strings.Contains(text, " RETURNING ")
}

func (s *step) run(t *testing.T, db *sql.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	if !returnsRows(s.sql) {
		result, err := db.ExecContext(ctx, s.sql, s.args...)
		if s.failed(t, err) {
			return
		}
		settle(t, db, s.sql)
		if n, err := result.RowsAffected(); n != s.rows || err != nil {
			t.Errorf("%.300s %s\ngot  %d rows affected, %v\nwant %d", s.sql, shortArgs(s.args), n, err, s.rows)
		}
		return
	}
	names, got, err := namedRows(ctx, db, s.sql, s.args...)
	if s.failed(t, err) {
		return
	}
	if s.names != "" && strings.Join(names, " ") != s.names {
		t.Errorf("%.300s\ngot  columns %s\nwant columns %s", s.sql, strings.Join(names, " "), s.names)
	}
	compareTexts(t, s.sql, s.args, texts(got), s.want, s.sort)
}

// failed reports whether the statement is done with: it failed, or should have.
func (s *step) failed(t *testing.T, err error) bool {
	t.Helper()
	if s.is == nil && !s.fails {
		if err != nil {
			t.Errorf("%.300s %s\n%v", s.sql, shortArgs(s.args), err)
		}
		return err != nil
	}
	if err == nil || s.is != nil && !errors.Is(err, s.is) {
		t.Errorf("%.300s %s\ngot  %v (%T)\nwant %v with %q", s.sql, shortArgs(s.args), err, err, s.is, s.words)
		return true
	}
	for _, w := range s.words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%.300s %s\ngot  %v\nwant %q in it", s.sql, shortArgs(s.args), err, w)
		}
	}
	return true
}

func compareTexts(t *testing.T, query string, args []any, got, want []string, sort bool) {
	t.Helper()
	if sort {
		got = sorted(got)
	}
	if slices.Equal(got, want) {
		return
	}
	if len(got) == len(want) && len(want) > 8 { // only what differs
		var g, w []string
		for i := range want {
			if got[i] != want[i] {
				g, w = append(g, got[i]), append(w, want[i])
			}
		}
		got, want = g, w
	}
	t.Errorf("%.300s %s\ngot  %.1000q\nwant %.1000q", query, shortArgs(args), got, want)
}

// shortArgs prints the first arguments.
func shortArgs(args []any) string { return fmt.Sprint(args[:min(len(args), 20)]...) }

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// namedRows returns the names of the columns, and all rows as database/sql gives them for *any.
func namedRows(ctx context.Context, db *sql.DB, query string, args ...any) ([]string, [][]any, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, nil, err
	}
	var out [][]any
	for rows.Next() {
		values, dest := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			dest[i] = &values[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, nil, err
		}
		out = append(out, values)
	}
	return names, out, rows.Err()
}

// named makes arguments of alternating names and values.
func named(pairs ...any) []any {
	var out []any
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, sql.Named(pairs[i].(string), pairs[i+1]))
	}
	return out
}

func printed(v any) string { return fmt.Sprint(v) }

var createdTable = regexp.MustCompile("^CREATE TABLE (?:IF NOT EXISTS )?([\\w.`]+) ")

// settle waits until all buckets of a table that was just created have a leader, and creates it again where it never
// gets one. A busy 0.9.1 coordinator loses about one new table in 300: it takes a change of the table's node in ZooKeeper
// for its creation, and sees none when the schema, written first, and the table arrive as one event (TableChangeWatcher).
func settle(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	const patience = 10 * time.Second
	m := createdTable.FindStringSubmatch(query)
	if m == nil {
		return
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		_, err := tryQuery(ctx, db, "SELECT COUNT(*) FROM "+m[1])
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			return
		}
		t.Logf("%s got no leader and is created again: %v", m[1], err)
		for _, again := range []string{"DROP TABLE " + m[1], query} {
			if _, err := db.ExecContext(timeout(t), again); err != nil {
				t.Fatalf("%.200s: %v", again, err)
			}
		}
	}
}
