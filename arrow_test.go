package fluss_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// arrowDB opens a server of the test's own and runs the statements.
func arrowDB(t *testing.T, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("fluss", flusstest.Run(t).DSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return db
}

// withArrow runs f on a connection.
func withArrow(t *testing.T, db *sql.DB, f func(fluss.ArrowConn) error) error {
	t.Helper()
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.Raw(func(dc any) error { return f(dc.(fluss.ArrowConn)) })
}

// readArrow reads a query to its end, a text per row.
func readArrow(t *testing.T, db *sql.DB, query string, args ...any) (lines []string, schema string, err error) {
	t.Helper()
	var r array.RecordReader
	err = withArrow(t, db, func(c fluss.ArrowConn) error {
		r, err = c.QueryArrow(t.Context(), query, args...)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	defer r.Release() // behind Raw: the reader has a life of its own
	for _, f := range r.Schema().Fields() {
		schema += fmt.Sprintf("%s %s; ", f.Name, f.Type)
	}
	for r.Next() {
		batch := r.RecordBatch()
		if !batch.Schema().Equal(r.Schema()) || batch.NumRows() == 0 {
			t.Errorf("%s: a batch of %d rows of %s", query, batch.NumRows(), batch.Schema())
		}
		for i := range int(batch.NumRows()) {
			var values []string
			for _, col := range batch.Columns() {
				values = append(values, col.ValueStr(i))
			}
			lines = append(lines, strings.Join(values, " "))
		}
	}
	return lines, schema, r.Err()
}

func TestQueryArrow(t *testing.T) {
	db := arrowDB(t,
		"CREATE TABLE l (id BIGINT, kind STRING, amount DECIMAL(10, 2)) WITH ('bucket.num' = '1')",
		"INSERT INTO l VALUES (0, 'a', 0.50), (1, 'b', 1.50), (2, NULL, NULL)",
		"INSERT INTO l VALUES (3, 'b', 3.50), (4, 'a', -4.50)",
		"CREATE TABLE i (id BIGINT, kind STRING, amount DECIMAL(10, 2)) WITH ('bucket.num' = '1', 'table.log.format' = 'INDEXED')",
		"INSERT INTO i VALUES (0, 'a', 0.50), (1, 'b', 1.50), (2, NULL, NULL)",
		"CREATE TABLE k (id INT, big DECIMAL(38, 10), PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '2')",
		"INSERT INTO k VALUES (1, 1234567890123456789012345678.0123456789), (2, NULL), (3, -0.5)",
		"CREATE TABLE empty (id INT)",
		"CREATE TABLE old (id INT) WITH ('bucket.num' = '1')", "INSERT INTO old VALUES (1)",
		"ALTER TABLE old ADD m MAP<STRING, INT>", "INSERT INTO old VALUES (2, MAP['k', 7])",
	)
	for _, c := range []struct {
		query string
		args  []any
		want  []string
	}{
		{"SELECT * FROM l", nil, []string{"0 a 0.5", "1 b 1.5", "2 (null) (null)", "3 b 3.5", "4 a -4.5"}},
		{"SELECT amount, id FROM l", nil, []string{"0.5 0", "1.5 1", "(null) 2", "3.5 3", "-4.5 4"}},
		{"SELECT id, id AS again FROM l LIMIT 1", nil, []string{"0 0"}},
		{"SELECT id FROM l LIMIT 4", nil, []string{"0", "1", "2", "3"}},
		{"SELECT id FROM l LIMIT 2 OFFSET 2", nil, []string{"2", "3"}},
		{"SELECT id FROM l LIMIT 10 OFFSET 4", nil, []string{"4"}},
		{"SELECT id FROM l LIMIT 0", nil, nil},
		{"SELECT /*+ OFFSET(1) STOP_OFFSET(4) */ id FROM l", nil, []string{"1", "2", "3"}},
		{"SELECT id FROM l WHERE _log_offset >= ? AND _bucket = ?", []any{3, 0}, []string{"3", "4"}},
		{"SELECT id FROM l WHERE _log_offset < :to", []any{sql.Named("to", 1)}, []string{"0"}},
		{"SELECT id, _log_offset FROM l WHERE kind = 'b'", nil, []string{"1 1", "3 3"}},
		{"SELECT id FROM l ORDER BY id DESC LIMIT 2", nil, []string{"4", "3"}},
		{"SELECT id FROM i", nil, []string{"0", "1", "2"}},
		{"SELECT amount, kind FROM i LIMIT 2 OFFSET 1", nil, []string{"1.5 b", "(null) (null)"}},
		{"SELECT * FROM k ORDER BY id LIMIT 9", nil, []string{"1 1234567890123456789012345678.0123456789", "2 (null)", "3 -0.5"}},
		{"SELECT big FROM k WHERE id IN (?)", []any{[]int{3, 1}}, []string{"-0.5", "1234567890123456789012345678.0123456789"}},
		{"SELECT /*+ KEEP_MISSING */ id, big FROM k WHERE id = 9", nil, []string{"9 (null)"}},
		{"SELECT id FROM k WHERE id = 9", nil, nil},
		{"SELECT id FROM k LIMIT 2 OFFSET 2", nil, []string{"*"}},
		{"SELECT id, _change_type FROM k$changelog WHERE id = 3", nil, []string{"3 insert"}},
		{"SELECT * FROM empty", nil, nil},
		{"SELECT * FROM old", nil, []string{"1 (null)", `2 [{"key":"k","value":7}]`}},
	} {
		got, _, err := readArrow(t, db, c.query, c.args...)
		if err == nil && len(c.want) == 1 && c.want[0] == "*" && len(got) == 1 {
			continue
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.query, err, got, c.want)
		}
	}
}

// The schema is known before the first batch, of every type.
func TestQueryArrowSchema(t *testing.T) {
	db := arrowDB(t, `CREATE TABLE every (a BOOLEAN, b TINYINT, c SMALLINT, d INT, e BIGINT, f FLOAT, g DOUBLE, h CHAR(3), i STRING, j BINARY(2),
		k BYTES, l DECIMAL(5, 2), m DATE, n TIME(3), o TIMESTAMP(6), p TIMESTAMP_LTZ(9), q ARRAY<INT>, r MAP<STRING, INT>, s ROW<x INT>)`,
		`INSERT INTO every VALUES (TRUE, 1, 2, 3, 4, 0.5, 0.25, 'abc', 'ä', X'0102', X'', 1.25, DATE '2024-03-10', TIME '01:02:03.456',
		TIMESTAMP '2024-03-10 01:02:03.000004', TIMESTAMP '2024-03-10 01:02:03', ARRAY[1, NULL], MAP['k', 1], ROW(5))`)
	const want = "a bool; b int8; c int16; d int32; e int64; f float32; g float64; h utf8; i utf8; j fixed_size_binary[2]; k binary; " +
		"l decimal(5, 2); m date32; n time32[ms]; o timestamp[us]; p timestamp[ns]; "
	stored, schema, err := readArrow(t, db, "SELECT * FROM every")
	if err != nil || !strings.HasPrefix(schema, want) {
		t.Errorf("%v\ngot  %s\nwant %s", err, schema, want)
	}
	built, again, err := readArrow(t, db, "SELECT * FROM every WHERE d = 3")
	if err != nil || again != schema || !slices.Equal(built, stored) || len(stored) != 1 {
		t.Errorf("%v\nstored %q\nbuilt  %q", err, stored, built)
	}
}

func TestQueryArrowRefused(t *testing.T) {
	db := arrowDB(t, "CREATE TABLE l (id INT)")
	for query, class := range map[string]error{
		"SELECT COUNT(*) FROM l":   fluss.ErrUnsupported,
		"SELECT 1":                 fluss.ErrUnsupported,
		"INSERT INTO l VALUES (1)": fluss.ErrUnsupported,
		"SHOW TABLES":              fluss.ErrUnsupported,
		"SELECT /*+ FOLLOW */ * FROM l WHERE id > 5":    fluss.ErrUnsupported,
		"SELECT * FROM nowhere":                         fluss.ErrTableNotExist,
		"SELECT nothing FROM l":                         fluss.ErrColumnNotExist,
		"SELECT * FROM":                                 fluss.ErrSyntax,
		"SELECT /*+ OFFSET(99), BUCKET(0) */ * FROM l ": fluss.ErrOffsetOutOfRange,
	} {
		if _, _, err := readArrow(t, db, query); !errors.Is(err, class) {
			t.Errorf("%s: %v, want %v", query, err, class)
		}
	}
	if _, _, err := readArrow(t, db, "SELECT * FROM l WHERE id = ?"); err == nil {
		t.Error("an argument is missing and nobody says so")
	}
}

// A reader that follows gives what is there before it waits, and ends with its context.
func TestQueryArrowFollow(t *testing.T) {
	const log, key = "CREATE TABLE l (id INT) WITH ('bucket.num' = '1')", "CREATE TABLE l (id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"
	for query, ddl := range map[string]string{
		"SELECT /*+ FOLLOW */ id FROM l":                      log,
		"SELECT /*+ FOLLOW */ id, _log_offset FROM l":         log,
		"SELECT /*+ FOLLOW */ id, 'x' FROM l":                 log,
		"SELECT /*+ FOLLOW */ after.id, before FROM l$binlog": key,
	} {
		db := arrowDB(t, ddl, "INSERT INTO l VALUES (1), (2)")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		var r array.RecordReader
		if err := withArrow(t, db, func(c fluss.ArrowConn) (err error) {
			r, err = c.QueryArrow(ctx, query)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if !r.Next() || r.RecordBatch().NumRows() != 2 {
			t.Fatalf("%s: %v", query, r.Err())
		}
		kept := r.RecordBatch()
		kept.Retain()
		if _, err := db.Exec("INSERT INTO l VALUES (3)"); err != nil {
			t.Fatal(err)
		}
		if !r.Next() || r.RecordBatch().NumRows() != 1 || r.RecordBatch().Column(0).ValueStr(0) != "3" {
			t.Fatalf("%s: %v", query, r.Err())
		}
		cancel()
		if r.Next() || !errors.Is(r.Err(), context.Canceled) || r.Next() {
			t.Errorf("%s: %v", query, r.Err())
		}
		if kept.Column(0).ValueStr(1) != "2" {
			t.Error("a retained batch has changed")
		}
		kept.Release()
		r.Release()
	}
}
