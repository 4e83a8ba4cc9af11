package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// refusalTimeout bounds a statement that has to be refused.
const refusalTimeout = 10 * time.Second

// countedConn counts the writes to the servers.
type countedConn struct {
	net.Conn
	writes *atomic.Int64
}

func (c *countedConn) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

// openCounted opens the target and counts the writes to its servers.
func openCounted(t *testing.T) (*sql.DB, *atomic.Int64) {
	t.Helper()
	writes := new(atomic.Int64)
	db := openConfig(t, func(cfg *fluss.Config) {
		cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			nc, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &countedConn{nc, writes}, nil
		}
	})
	return db, writes
}

// openConfig opens the target with changes to its Config; it is closed when the test ends.
func openConfig(t *testing.T, change func(*fluss.Config)) *sql.DB {
	t.Helper()
	cfg, err := fluss.ParseDSN(Target(t))
	if err != nil {
		t.Fatal(err)
	}
	change(cfg)
	return openConfigured(t, cfg)
}

// openConfigured opens a pool that is closed when the test ends.
func openConfigured(t *testing.T, cfg *fluss.Config) *sql.DB {
	t.Helper()
	connector, err := fluss.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// badColumns are those of the two tables of TestBadValues.
const badColumns = "id INT NOT NULL, c_tiny TINYINT, c_need INT NOT NULL, c_big BIGINT, c_dec DECIMAL(5, 2), c_char CHAR(3), c_text STRING, " +
	"c_bin BINARY(4), c_date DATE, c_time TIME(0), c_stamp TIMESTAMP(3), c_bool BOOLEAN, c_float FLOAT, c_list ARRAY<INT>, c_row ROW<a INT, b STRING>"

// badValues do not fit their columns.
var badValues = []struct {
	column string
	value  any    // the parameter
	text   string // or the literal
	want   string // in the message, besides the column
}{
	// wrong type
	{"c_tiny", "x", "", `"x"`},
	{"c_tiny", nil, "'x'", "TINYINT"},
	{"c_tiny", 1.5, "", "1.5"},
	{"c_tiny", nil, "1.5", "1.5"},
	{"c_tiny", time.Unix(0, 0), "", "TINYINT"},
	{"c_tiny", []byte{1}, "", "TINYINT"},
	{"c_need", true, "", "INT"},
	{"c_dec", time.Unix(0, 0), "", "DECIMAL(5,2)"},
	{"c_dec", "12,5", "", "12,5"},
	{"c_text", 7, "", "STRING"},
	{"c_text", struct{ A int }{1}, "", "STRING"},
	{"c_text", make(chan int), "", "STRING"},
	{"c_bool", "maybe", "", "BOOLEAN"},
	{"c_date", 5, "", "DATE"},
	{"c_date", "2026-02-30", "", "2026-02-30"},
	{"c_date", nil, "'tomorrow'", "tomorrow"},
	{"c_time", "25:00:00", "", "25:00:00"},
	{"c_stamp", "2026-01-01 24:00:01", "", "TIMESTAMP(3)"},
	{"c_float", "much", "", "FLOAT"},
	{"c_list", "[1", "", "ARRAY<INT>"},
	{"c_list", `[1,"x"]`, "", "ARRAY<INT>"},
	{"c_list", []string{"x"}, "", "ARRAY<INT>"},
	{"c_row", `{"a":1,"c":2}`, "", "ROW<"},
	// out of range
	{"c_tiny", 128, "", "128"},
	{"c_tiny", -129, "", "-129"},
	{"c_tiny", nil, "128", "128"},
	{"c_tiny", nil, "-129", "-129"},
	{"c_need", int64(math.MaxInt32) + 1, "", "2147483648"},
	{"c_need", nil, "2147483648", "2147483648"},
	{"c_big", uint64(math.MaxInt64) + 1, "", "9223372036854775808"},
	{"c_big", nil, "9223372036854775808", "9223372036854775808"},
	{"c_float", 1e39, "", "1e+39"},
	{"c_dec", "1000.00", "", "DECIMAL(5,2)"},
	{"c_dec", nil, "1000", "DECIMAL(5,2)"},
	{"c_list", "[2147483648]", "", "2147483648"},
	{"c_date", time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC), "", "DATE"},
	// too many digits, too long
	{"c_dec", "1.005", "", "1.005"},
	{"c_dec", nil, "1.005", "1.005"},
	{"c_dec", 0.125, "", "0.125"},
	{"c_time", "12:00:00.5", "", "TIME(0)"},
	{"c_stamp", "2026-01-01 00:00:00.1234", "", "TIMESTAMP(3)"},
	{"c_stamp", time.Unix(0, 1), "", "TIMESTAMP(3)"},
	{"c_char", "abcd", "", "CHAR(3)"},
	{"c_char", nil, "'abcd'", "CHAR(3)"},
	{"c_bin", []byte{1, 2, 3, 4, 5}, "", "BINARY(4)"},
	{"c_bin", nil, "X'0102030405'", "BINARY(4)"},
	// NULL
	{"c_need", nil, "", "NULL"},
	{"c_need", nil, "NULL", "NULL"},
	{"c_need", sql.NullInt64{}, "", "NULL"},
	{"c_need", (*int)(nil), "", "NULL"},
	{"id", nil, "", "NULL"},
	{"id", nil, "NULL", "NULL"},
	// UTF-8
	{"c_text", "a\xffb", "", "UTF-8"},
	{"c_char", "\xc3\x28", "", "UTF-8"},
	{"c_text", []byte("\xed\xa0\x80"), "", "UTF-8"}, // a surrogate
	{"c_row", "{\"a\":1,\"b\":\"\xff\"}", "", "UTF-8"},
}

// badStatement makes the INSERT of a case, with good values in all other columns.
func badStatement(table, column, text string, value any) (string, []any) {
	var values []string
	var args []any
	for _, definition := range strings.Split(badColumns, ", c_") {
		switch name, _, _ := strings.Cut(definition, " "); {
		case name == strings.TrimPrefix(column, "c_") && text != "":
			values = append(values, text)
		case name == strings.TrimPrefix(column, "c_"):
			values, args = append(values, "?"), append(args, value)
		case strings.Contains(definition, "NOT NULL"):
			values = append(values, "1")
		default:
			values = append(values, "NULL")
		}
	}
	return "INSERT INTO " + table + " VALUES (" + strings.Join(values, ", ") + ")", args
}

// TestBadValues gives values that do not fit to both kinds of tables: each is refused as ErrValue, in words that name
// column and value, before a byte is sent. So is the statement in which a bad row follows a good one.
func TestBadValues(t *testing.T) {
	db, writes := openCounted(t)
	prefix := database(t, db) + "."
	mustExec(t, db, "CREATE TABLE "+prefix+"k ("+badColumns+", PRIMARY KEY (id) NOT ENFORCED)")
	mustExec(t, db, "CREATE TABLE "+prefix+"l ("+badColumns+")")
	for _, table := range []string{prefix + "k", prefix + "l"} {
		queryAll(t, db, "SELECT COUNT(*) FROM "+table) // the table is known from here on
		for _, c := range badValues {
			query, args := badStatement(table, c.column, c.text, c.value)
			name := fmt.Sprintf("%s.%s = %v%s", table, c.column, c.value, c.text)
			refusedValue(t, db, writes, name, c.column, c.want, query, args...)
		}
		refusedValue(t, db, writes, table+", second row", "c_tiny", "row 2",
			"INSERT INTO "+table+" VALUES (1, 1, 1"+strings.Repeat(", NULL", 12)+"), (2, ?, 1"+strings.Repeat(", NULL", 12)+")", 1000)
		if got := texts(queryAll(t, db, "SELECT COUNT(*) FROM "+table)); got[0] != "0" {
			t.Errorf("%s has %s rows after %d refusals", table, got[0], len(badValues)+1)
		}
	}
	t.Logf("%d values, two kinds of tables", len(badValues)+1)
}

func refusedValue(t *testing.T, db *sql.DB, writes *atomic.Int64, name, column, want, query string, args ...any) {
	t.Helper()
	before := writes.Load()
	_, err := execSoon(db, query, args...)
	var value *fluss.ValueError
	switch {
	case !errors.Is(err, fluss.ErrValue):
		t.Errorf("%s: got %v, want ErrValue", name, err)
	case !errors.As(err, &value):
		t.Errorf("%s: got a %T, want a ValueError: %v", name, err, err)
	case value.Column != column || !strings.Contains(err.Error(), column) || !strings.Contains(err.Error(), want):
		t.Errorf("%s: the column is %q and the message %q, want %s and %q in it", name, value.Column, err, column, want)
	case writes.Load() != before:
		t.Errorf("%s: something was sent", name)
	}
}

// exec runs a statement that has to be refused soon.
func execSoon(db *sql.DB, query string, args ...any) (sql.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), refusalTimeout)
	defer cancel()
	return db.ExecContext(ctx, query, args...)
}

// TestBadKeys looks for, updates and deletes rows by keys that cannot be.
func TestBadKeys(t *testing.T) {
	db := open(t)
	table := database(t, db) + ".k"
	mustExec(t, db, "CREATE TABLE "+table+" (id INT NOT NULL, day DATE NOT NULL, v INT, PRIMARY KEY (id, day) NOT ENFORCED)")
	mustExec(t, db, "INSERT INTO "+table+" VALUES (1, DATE '2026-08-01', 7)")
	for _, c := range []struct {
		query  string
		args   []any
		column string
	}{
		{"SELECT v FROM t WHERE id = ? AND day = ?", []any{"x", "2026-08-01"}, "id"},
		{"SELECT v FROM t WHERE id = ? AND day = ?", []any{1, "yesterday"}, "day"},
		{"SELECT v FROM t WHERE (id, day) IN ((1, '2026-08-01'), (?, '2026-08-01'))", []any{struct{}{}}, "id"},
		{"UPDATE t SET v = 1 WHERE id = ? AND day = '2026-08-01'", []any{1.5}, "id"},
		{"UPDATE t SET v = ? WHERE id = 1 AND day = '2026-08-01'", []any{int64(1) << 40}, "v"},
		{"DELETE FROM t WHERE id = ? AND day = '2026-08-01'", []any{[]byte("x")}, "id"},
		{"INSERT INTO t VALUES (?, '2026-08-01', 1)", []any{nil}, "id"},
		{"INSERT INTO t VALUES (1, ?, 1)", []any{sql.NullTime{}}, "day"},
	} {
		query := strings.Replace(c.query, " t ", " "+table+" ", 1)
		rows, err := tryQuery(timeout(t), db, query, c.args...)
		if !errors.Is(err, fluss.ErrValue) || !strings.Contains(err.Error(), "column "+c.column) {
			t.Errorf("%s %v: got %v, %v, want ErrValue that names %s", c.query, c.args, rows, err, c.column)
		}
	}
	if got := strings.Join(texts(queryAll(t, db, "SELECT * FROM "+table)), "; "); got != "1 2026-08-01T00:00:00Z 7" {
		t.Errorf("rows afterwards: %s", got)
	}
}

// TestBadStatements runs statements that are refused for their names, their syntax or their arguments.
func TestBadStatements(t *testing.T) {
	db := open(t)
	name := database(t, db)
	mustExec(t, db, "CREATE TABLE "+name+".k (id INT NOT NULL, v STRING, PRIMARY KEY (id) NOT ENFORCED)")
	mustExec(t, db, "CREATE TABLE "+name+".l (id INT, v STRING)")
	count := 0
	for _, c := range []struct {
		query string
		args  []any
		class error
		want  string
	}{
		// names
		{"SELECT nope FROM d.k WHERE id = 1", nil, fluss.ErrColumnNotExist, "nope"},
		{"SELECT id FROM d.k WHERE nope = 1", nil, fluss.ErrColumnNotExist, "nope"},
		{"SELECT id FROM d.l ORDER BY nope", nil, fluss.ErrColumnNotExist, "nope"},
		{"INSERT INTO d.k (id, nope) VALUES (1, 2)", nil, fluss.ErrColumnNotExist, "nope"},
		{"INSERT INTO d.l (id, id) VALUES (1, 2)", nil, fluss.ErrColumnNotExist, "id"},
		{"UPDATE d.k SET nope = 1 WHERE id = 1", nil, fluss.ErrColumnNotExist, "nope"},
		{"DELETE FROM d.k WHERE nope = 1", nil, fluss.ErrColumnNotExist, "nope"},
		{"SELECT 1 FROM d.nope", nil, fluss.ErrTableNotExist, name + ".nope"},
		{"INSERT INTO d.nope VALUES (1)", nil, fluss.ErrTableNotExist, name + ".nope"},
		{"UPDATE d.nope SET a = 1 WHERE b = 1", nil, fluss.ErrTableNotExist, name + ".nope"},
		{"DELETE FROM d.nope WHERE b = 1", nil, fluss.ErrTableNotExist, name + ".nope"},
		{"DESCRIBE d.nope", nil, fluss.ErrTableNotExist, name + ".nope"},
		{"DROP TABLE d.nope", nil, fluss.ErrTableNotExist, name + ".nope"},
		{"SELECT * FROM d.nope$changelog", nil, fluss.ErrTableNotExist, name + ".nope"},
		{"SELECT 1 FROM nope_db.t", nil, fluss.ErrTableNotExist, "nope_db.t"},
		{"INSERT INTO nope_db.t VALUES (1)", nil, fluss.ErrTableNotExist, "nope_db.t"},
		{"CREATE TABLE nope_db.t (a INT)", nil, fluss.ErrDatabaseNotExist, "nope_db"},
		{"DROP DATABASE nope_db", nil, fluss.ErrDatabaseNotExist, "nope_db"},
		{"USE nope_db", nil, fluss.ErrDatabaseNotExist, "nope_db"},
		{"SHOW TABLES FROM nope_db", nil, fluss.ErrDatabaseNotExist, "nope_db"},
		{"CREATE TABLE d.k (a INT)", nil, fluss.ErrTableExists, name + ".k"},
		{"CREATE DATABASE " + name, nil, fluss.ErrDatabaseExists, name},
		// syntax
		{"SELEC id FROM d.k", nil, fluss.ErrSyntax, "line 1 column 1"},
		{"SELECT id\nFROM d.k\nWHERE id = = 1", nil, fluss.ErrSyntax, "line 3 column 12"},
		{"INSERT INTO d.k VALUES (1, 'x'", nil, fluss.ErrSyntax, "line 1 column"},
		{"INSERT INTO d.k VALUES (1, 'x)", nil, fluss.ErrSyntax, "line 1 column"},
		{"CREATE TABLE d.x (a NOPE)", nil, fluss.ErrUnsupported, "the type NOPE"},
		{"", nil, fluss.ErrSyntax, ""},
		{"SELECT 1; SELECT 2", nil, fluss.ErrUnsupported, "statement"},
		// arguments
		{"SELECT v FROM d.k WHERE id = ?", nil, nil, "1"},
		{"SELECT v FROM d.k WHERE id = ?", []any{1, 2}, nil, "2"},
		{"INSERT INTO d.k VALUES (?, ?)", []any{1}, nil, "2"},
		{"INSERT INTO d.k VALUES (1)", nil, nil, "2"},
		{"INSERT INTO d.k VALUES (1, 'x', 2)", nil, nil, "3"},
		{"SELECT v FROM d.k WHERE id = :id", []any{1}, nil, "id"},
		{"SELECT v FROM d.k WHERE id = :id", []any{sql.Named("other", 1)}, nil, "id"},
		{"SELECT v FROM d.k WHERE id = ?", []any{sql.Named("id", 1)}, nil, "id"},
		{"SELECT v FROM d.k WHERE id = ? OR id = :id", []any{1, sql.Named("id", 1)}, fluss.ErrUnsupported, ":name"},
	} {
		query := strings.Replace(c.query, "d.", name+".", 1)
		for kind, run := range map[string]func(context.Context) error{
			"Query": func(ctx context.Context) error { _, err := tryQuery(ctx, db, query, c.args...); return err },
			"Exec":  func(ctx context.Context) error { _, err := db.ExecContext(ctx, query, c.args...); return err },
			"Prepare and Query": func(ctx context.Context) error {
				s, err := db.PrepareContext(ctx, query)
				if err != nil {
					return err
				}
				defer s.Close()
				_, err = s.ExecContext(ctx, c.args...)
				return err
			},
		} {
			ctx, cancel := context.WithTimeout(context.Background(), refusalTimeout)
			err := run(ctx)
			cancel()
			if err == nil || c.class != nil && !errors.Is(err, c.class) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s of %q %v: got %v (%T), want %v with %q", kind, c.query, c.args, err, err, c.class, c.want)
			}
			count++
		}
	}
	for _, table := range []string{".k", ".l"} {
		if got := queryAll(t, db, "SELECT * FROM "+name+table); len(got) != 0 {
			t.Errorf("%s has rows afterwards: %v", table, got)
		}
	}
	t.Logf("%d refusals", count)
}

// TestSyntaxErrorPosition finds the place of an error in the fields, and in the caret of the text.
func TestSyntaxErrorPosition(t *testing.T) {
	db := open(t)
	_, err := db.Query("SELECT 'ü',\n\t*, FROM t")
	var syntax *fluss.SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("got %v, want a SyntaxError", err)
	}
	if syntax.Line != 2 || syntax.Column != 5 {
		t.Errorf("line %d column %d, want 2 and 5: %v", syntax.Line, syntax.Column, err)
	}
}

// TestRowTooLarge: a row that could not be read back is refused with its size and the limit; nothing of its statement is
// stored, and the next one works.
func TestRowTooLarge(t *testing.T) {
	db := open(t, "max_response_bytes=1000000")
	prefix := database(t, db) + "."
	mustExec(t, db, "CREATE TABLE "+prefix+"k (id INT NOT NULL, v BYTES, PRIMARY KEY (id) NOT ENFORCED)")
	mustExec(t, db, "CREATE TABLE "+prefix+"l (id INT NOT NULL, v BYTES)")
	for _, table := range []string{prefix + "k", prefix + "l"} {
		_, err := execSoon(db, "INSERT INTO "+table+" VALUES (1, ?), (2, ?)", []byte("small"), make([]byte, 1_000_001))
		if !errors.Is(err, fluss.ErrTooLarge) || !strings.Contains(err.Error(), "10000") || !strings.Contains(err.Error(), "max_response_bytes") {
			t.Errorf("%s: got %v, want ErrTooLarge with size and limit", table, err)
		}
		mustExec(t, db, "INSERT INTO "+table+" VALUES (3, ?)", make([]byte, 900_000))
		if got := strings.Join(texts(queryAll(t, db, "SELECT id FROM "+table)), " "); got != "3" {
			t.Errorf("%s: rows %s, want 3", table, got)
		}
	}
}
