package conformance

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
)

// arrowLines reads a query as record batches, a text per row.
func arrowLines(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	var out []string
	onConn(t, db, func(ctx context.Context, c fluss.ArrowConn) error {
		r, err := c.QueryArrow(ctx, query, args...)
		if err != nil {
			return err
		}
		defer r.Release()
		for r.Next() {
			batch := r.RecordBatch()
			for i := range int(batch.NumRows()) {
				var line []string
				for _, col := range batch.Columns() {
					line = append(line, col.ValueStr(i))
				}
				out = append(out, strings.Join(line, " "))
			}
		}
		return r.Err()
	})
	return out
}

func onConn(t *testing.T, db *sql.DB, f func(context.Context, fluss.ArrowConn) error) {
	t.Helper()
	ctx := timeout(t)
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Raw(func(dc any) error { return f(ctx, dc.(fluss.ArrowConn)) }); err != nil {
		t.Fatal(err)
	}
}

// Record batches as they are stored, cut to offsets and LIMIT, and those made of rows.
func TestArrowQuery(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	mustExec(t, db, "CREATE TABLE arrow_key (id INT, big DECIMAL(38, 3), at TIMESTAMP(6), PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '1')")
	mustExec(t, db, "INSERT INTO arrow_key VALUES (1, 12345678901234567890123456789012345.678, TIMESTAMP '2024-03-10 01:02:03.000004'), (2, NULL, NULL)")
	for query, want := range map[string][]string{
		"SELECT id FROM l":                                           ids(0, 10),
		"SELECT kind, id FROM l LIMIT 5":                             {"a 0", "b 1", "a 2", "b 3", "(null) 4"},
		"SELECT /*+ OFFSET(2) STOP_OFFSET(8) */ id FROM l":           ids(2, 8),
		"SELECT id FROM l LIMIT 4 OFFSET 5":                          ids(5, 9),
		"SELECT id, amount FROM l WHERE kind = 'a' LIMIT 2":          {"0 0.5", "2 2.5"},
		"SELECT _log_offset FROM l WHERE _log_offset < 3":            ids(0, 3),
		"SELECT * FROM arrow_key LIMIT 10":                           {"1 12345678901234567890123456789012345.678 2024-03-10T01:02:03.000004", "2 (null) (null)"},
		"SELECT id FROM arrow_key WHERE id = 2":                      {"2"},
		"SELECT id, _change_type FROM arrow_key$changelog":           {"1 insert", "2 insert"},
		"SELECT /*+ OFFSET('latest') */ id FROM arrow_key$changelog": nil,
		"SELECT before.id, after.id, before FROM arrow_key$binlog":   {"(null) 1 (null)", "(null) 2 (null)"},
	} {
		if got := arrowLines(t, db, query); !slices.Equal(got, want) {
			t.Errorf("%s\ngot  %q\nwant %q", query, got, want)
		}
	}
}

// A log of several buckets and batches, whole: the same rows as through database/sql.
func TestArrowQueryLarge(t *testing.T) {
	db := own(t)
	mustExec(t, db, "CREATE TABLE arrow_large (id INT, s STRING) WITH ('bucket.num' = '3')")
	const batches, rows = 12, 500
	for b := range batches {
		var values []string
		for i := range rows {
			values = append(values, fmt.Sprintf("(%d, 's%d')", b*rows+i, i))
		}
		mustExec(t, db, "INSERT INTO arrow_large VALUES "+strings.Join(values, ", "))
	}
	got, want := arrowLines(t, db, "SELECT id, s FROM arrow_large"), texts(queryAll(t, db, "SELECT id, s FROM arrow_large"))
	slices.Sort(got)
	slices.Sort(want)
	if len(got) != batches*rows || !slices.Equal(got, want) {
		t.Errorf("%d rows by Arrow, %d by rows", len(got), len(want))
	}
	if n := len(arrowLines(t, db, "SELECT s FROM arrow_large LIMIT 1234")); n != 1234 {
		t.Errorf("%d rows of 1234", n)
	}
}

// Batches read from one table and appended to another are the same rows, and LastWrite tells where they are.
func TestArrowAppend(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	mustExec(t, db, "CREATE TABLE arrow_copy (kind STRING, id BIGINT, amount DECIMAL(10, 2), more INT) WITH ('bucket.num' = '1')")
	onConn(t, db, func(ctx context.Context, c fluss.ArrowConn) error {
		r, err := c.QueryArrow(ctx, "SELECT * FROM l")
		if err != nil {
			return err
		}
		defer r.Release()
		w, err := c.AppendArrow(ctx, "arrow_copy", r)
		if err != nil {
			return err
		}
		if len(w.Buckets) != 1 || w.Buckets[0].Rows != 10 || w.Buckets[0].Offset != 0 {
			t.Errorf("%+v", w)
		}
		return nil
	})
	got, want := texts(queryAll(t, db, "SELECT id, kind, amount FROM arrow_copy WHERE more IS NULL")), texts(queryAll(t, db, "SELECT * FROM l"))
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
