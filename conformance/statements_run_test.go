package conformance

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/dialect"
)

// scriptRun runs the steps of one script in a database of its own.
type scriptRun struct {
	t        *testing.T
	database string
	db       *sql.DB
	tx       *sql.Tx
	rename   []string // own databases: the script's name, the real one, ...
	strict   bool     // a statement must tell what it answers
	refused  int
	answered int
}

// newScriptRun opens a database of the script's own. Like all it is dropped when all tests are done.
func newScriptRun(t *testing.T, name string) *scriptRun {
	t.Helper()
	r := &scriptRun{t: t}
	r.database = r.own(name)
	mustExec(t, open(t), "CREATE DATABASE "+r.database)
	r.open("")
	return r
}

// own returns a name for a database that nobody else has.
func (r *scriptRun) own(name string) string {
	full := fmt.Sprintf("t%d_%s_%s", os.Getpid(), strings.ToLower(strings.ReplaceAll(r.t.Name(), "/", "_")), name)
	full = strings.NewReplacer(".", "_", "-", "_").Replace(full)
	databases.Lock()
	defer databases.Unlock()
	if databases.made == nil {
		databases.made = map[string]string{}
	}
	databases.made[full], databases.dsn = full, Target(r.t)
	return full
}

func (r *scriptRun) open(options string) {
	r.t.Helper()
	dsn, join := Target(r.t), "?"
	if strings.Contains(dsn, "?") {
		join = "&"
	}
	if options != "" {
		dsn += join + options
	}
	cfg, err := fluss.ParseDSN(dsn)
	if err != nil {
		r.t.Fatal(err)
	}
	r.db = openConfig(r.t, func(c *fluss.Config) { *c = *cfg; c.Database = r.database })
}

func (r *scriptRun) play(steps []scriptStep) {
	r.t.Helper()
	for i := range steps {
		r.step(&steps[i])
	}
	if r.tx != nil {
		r.t.Error("a transaction does not end")
	}
}

// errorf reports what differs at a step.
func (r *scriptRun) errorf(s *scriptStep, format string, args ...any) {
	r.t.Helper()
	r.t.Errorf("%.600s\n%s", s, fmt.Sprintf(format, args...))
}

func (r *scriptRun) step(s *scriptStep) {
	r.t.Helper()
	switch s.verb {
	case "":
		if !s.real || !embeddedTarget() {
			r.statement(s)
		}
	case "open":
		r.open(s.arg)
	case "database":
		r.rename = append(r.rename, s.arg, r.own(s.arg))
	case "begin":
		o := &sql.TxOptions{ReadOnly: s.arg == "read only"}
		if s.arg == "serializable" {
			o.Isolation = sql.LevelSerializable
		}
		tx, err := r.db.BeginTx(timeout(r.t), o)
		if !r.failed(s, err) {
			r.tx = tx
		}
	case "commit":
		r.failed(s, r.tx.Commit())
		r.tx = nil
	case "rollback":
		r.failed(s, r.tx.Rollback())
		r.tx = nil
	}
}

type executor interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}

func (r *scriptRun) statement(s *scriptStep) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	var on executor = r.db
	if r.tx != nil && !s.outside {
		on = r.tx
	}
	text := r.real(s.sql)
	if s.columns != nil || s.columns == nil && s.affected < 0 && returnsRows(text) {
		r.query(ctx, s, on, text)
		return
	}
	result, err := on.ExecContext(ctx, text, s.args...)
	if r.failed(s, err) {
		return
	}
	if stmt, err := dialect.Parse(text, dialect.Options{}); err == nil {
		if _, creates := stmt.(*dialect.CreateTable); creates {
			if err := awaitLeaders(r.t, r.db, text); err != nil {
				r.t.Fatalf("%s\n%v", s, err)
			}
		}
		if r.strict && s.affected < 0 && writesRows(stmt) {
			r.errorf(s, "the script does not tell how many rows it writes")
		}
	}
	if n, err := result.RowsAffected(); s.affected >= 0 && (n != s.affected || err != nil) {
		r.errorf(s, "got  %d rows affected, %v\nwant %d", n, err, s.affected)
	}
}

func writesRows(s dialect.Statement) bool {
	switch s.(type) {
	case *dialect.Insert, *dialect.Update, *dialect.Delete:
		return true
	}
	return false
}

func (r *scriptRun) query(ctx context.Context, s *scriptStep, on executor, text string) {
	r.t.Helper()
	rows, err := on.QueryContext(ctx, text, s.args...)
	if err != nil {
		r.failed(s, err)
		return
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		r.errorf(s, "%v", err)
		return
	}
	var got []string
	for rows.Next() {
		line, err := r.row(rows, types)
		if err != nil {
			r.errorf(s, "row %d: %v", len(got)+1, err)
			return
		}
		got = append(got, line)
	}
	if r.failed(s, rows.Err()) {
		return
	}
	if s.columns == nil {
		if r.strict {
			r.errorf(s, "the script does not tell what it answers:\n%s\n%s", headerOf(types), strings.Join(got, "\n"))
		}
		return
	}
	r.columns(s, types)
	r.rows(s, got)
}

// row scans the current row twice, into what ScanType says and into *any, which is printed.
func (r *scriptRun) row(rows *sql.Rows, types []*sql.ColumnType) (string, error) {
	values, dest, typed := make([]any, len(types)), make([]any, len(types)), make([]any, len(types))
	for i := range types {
		dest[i], typed[i] = &values[i], reflect.New(types[i].ScanType()).Interface()
	}
	if err := rows.Scan(typed...); err != nil {
		return "", fmt.Errorf("into what ScanType says: %w", err)
	}
	if err := rows.Scan(dest...); err != nil {
		return "", err
	}
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = cellText(v)
	}
	return r.scripted(strings.Join(cells, " | ")), nil
}

// real puts the real names of the script's databases into a statement.
func (r *scriptRun) real(text string) string {
	for i := 0; i < len(r.rename); i += 2 {
		text = regexp.MustCompile(`\b`+r.rename[i]+`\b`).ReplaceAllString(text, r.rename[i+1])
	}
	return text
}

// scripted puts the names that the script knows into an answer: "main" is its default database.
func (r *scriptRun) scripted(text string) string {
	for i := 0; i < len(r.rename); i += 2 {
		text = strings.ReplaceAll(text, r.rename[i+1], r.rename[i])
	}
	return strings.ReplaceAll(text, r.database, "main")
}
