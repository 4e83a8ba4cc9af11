package conformance

import (
	"database/sql"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// columnCase is a type and what ColumnTypes has to say about its columns, nullable and NOT NULL.
type columnCase struct {
	ddl, literal   string
	word           string // DatabaseTypeName
	nullable, want reflect.Type
	length         int64 // -1: none
	precision      int64 // -1: none
	scale          int64
}

var (
	boolTypes   = [2]reflect.Type{reflect.TypeFor[sql.NullBool](), reflect.TypeFor[bool]()}
	intTypes    = [2]reflect.Type{reflect.TypeFor[sql.NullInt64](), reflect.TypeFor[int64]()}
	floatTypes  = [2]reflect.Type{reflect.TypeFor[sql.NullFloat64](), reflect.TypeFor[float64]()}
	stringTypes = [2]reflect.Type{reflect.TypeFor[sql.NullString](), reflect.TypeFor[string]()}
	bytesTypes  = [2]reflect.Type{reflect.TypeFor[[]byte](), reflect.TypeFor[[]byte]()}
	timeTypes   = [2]reflect.Type{reflect.TypeFor[sql.NullTime](), reflect.TypeFor[time.Time]()}
)

func columnCases() []columnCase {
	plain := func(ddl, literal string, types [2]reflect.Type) columnCase {
		word, _, _ := strings.Cut(ddl, "(")
		word, _, _ = strings.Cut(word, "<")
		return columnCase{ddl, literal, word, types[0], types[1], -1, -1, 0}
	}
	sized := func(ddl, literal string, types [2]reflect.Type, length int64) columnCase {
		c := plain(ddl, literal, types)
		c.length = length
		return c
	}
	dec := func(ddl, literal string, precision, scale int64) columnCase {
		c := plain(ddl, literal, stringTypes)
		c.precision, c.scale = precision, scale
		return c
	}
	return []columnCase{
		plain("BOOLEAN", "TRUE", boolTypes), plain("TINYINT", "-128", intTypes), plain("SMALLINT", "7", intTypes), plain("INT", "7", intTypes),
		plain("BIGINT", "9223372036854775807", intTypes), plain("FLOAT", "1.5", floatTypes), plain("DOUBLE", "1e300", floatTypes),
		sized("CHAR(5)", "'abc'", stringTypes, 5), sized("STRING", "'abc'", stringTypes, math.MaxInt64),
		sized("BINARY(3)", "X'010203'", bytesTypes, 3), sized("BYTES", "X'01'", bytesTypes, math.MaxInt64),
		dec("DECIMAL(38, 18)", "12345678901234567890.123456789012345678", 38, 18), dec("DECIMAL(10, 2)", "2.00", 10, 2), dec("DECIMAL(5)", "2", 5, 0),
		plain("DATE", "'2026-08-01'", timeTypes), plain("TIME(3)", "'12:00:00.500'", stringTypes),
		plain("TIMESTAMP(0)", "'2026-08-01 12:00:00'", timeTypes), plain("TIMESTAMP(9)", "'2026-08-01 12:00:00.123456789'", timeTypes),
		plain("TIMESTAMP_LTZ(3)", "'2026-08-01 12:00:00.123'", timeTypes),
		plain("ARRAY<INT>", "'[1,2]'", stringTypes), plain("MAP<STRING, INT>", `'{"a":1}'`, stringTypes), plain("ROW<a INT, b STRING>", `'{"a":1,"b":"x"}'`, stringTypes),
	}
}

// ColumnTypes are complete before the first row, are the same for lookups and scans and for results without rows, and
// every ScanType takes every row, NULLs included.
func TestColumnTypes(t *testing.T) {
	db := own(t)
	cases := columnCases()
	columns, full, nulls := "id INT NOT NULL", "", ""
	for i, c := range cases {
		columns += fmt.Sprintf(", c%d %s, n%d %s NOT NULL", i, c.ddl, i, c.ddl)
		full += ", " + c.literal + ", " + c.literal
		nulls += ", NULL, " + c.literal
	}
	play(t, db, []step{
		{sql: "CREATE TABLE k (" + columns + ", PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE l (" + columns + ") WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO k VALUES (1" + full + "), (2" + nulls + ")", rows: 2},
		{sql: "INSERT INTO l VALUES (1" + full + "), (2" + nulls + ")", rows: 2},
	})
	checked := 0
	for _, c := range []struct {
		query string
		rows  int
	}{
		{"SELECT * FROM k WHERE id = 1", 1},
		{"SELECT * FROM k WHERE id IN (1, 2, 3)", 2},
		{"SELECT * FROM k WHERE id = 3", 0},
		{"SELECT * FROM k WHERE id = NULL", 0},
		{"SELECT * FROM k LIMIT 10", 2},
		{"SELECT * FROM k", 2},
		{"SELECT * FROM k LIMIT 0", 0},
		{"SELECT * FROM k WHERE 1 = 0", 0},
		{"SELECT * FROM k ORDER BY id LIMIT 2", 2},
		{"SELECT * FROM l", 2},
		{"SELECT * FROM l LIMIT 1", 1},
		{"SELECT /*+ OFFSET('latest') */ * FROM l", 0},
		{"SELECT * FROM l WHERE _log_offset > 5", 0},
	} {
		rows, err := db.QueryContext(timeout(t), c.query)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		checked += checkColumnTypes(t, c.query, rows, cases)
		if n := scanByType(t, c.query, rows); n != c.rows {
			t.Errorf("%s: %d rows, want %d", c.query, n, c.rows)
		}
		rows.Close()
	}
	t.Logf("%d columns", checked)
}

func checkColumnTypes(t *testing.T, query string, rows *sql.Rows, cases []columnCase) int {
	t.Helper()
	types, err := rows.ColumnTypes()
	if err != nil || len(types) != 1+2*len(cases) {
		t.Fatalf("%s: %d columns, %v", query, len(types), err)
	}
	for i, ct := range types[1:] {
		c := &cases[i/2]
		name, nullable, scan := fmt.Sprintf("c%d", i/2), true, c.nullable
		if i%2 == 1 {
			name, nullable, scan = fmt.Sprintf("n%d", i/2), false, c.want
		}
		gotNullable, ok := ct.Nullable()
		length, hasLength := ct.Length()
		precision, scale, hasDecimal := ct.DecimalSize()
		got := fmt.Sprint(ct.Name(), " ", ct.DatabaseTypeName(), " ", ct.ScanType(), " ", gotNullable, ok, " ", length, hasLength, " ", precision, scale, hasDecimal)
		want := fmt.Sprint(name, " ", c.word, " ", scan, " ", nullable, true, " ", max(c.length, 0), c.length >= 0, " ", max(c.precision, 0), c.scale, c.precision >= 0)
		if got != want {
			t.Errorf("%s: %s: got %s, want %s", query, c.ddl, got, want)
		}
	}
	return len(types)
}

// scanByType scans all rows into what ScanType says, and returns their number.
func scanByType(t *testing.T, query string, rows *sql.Rows) int {
	t.Helper()
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; rows.Next(); n++ {
		dest := make([]any, len(types))
		for i, ct := range types {
			dest[i] = reflect.New(ct.ScanType()).Interface()
		}
		if err := rows.Scan(dest...); err != nil {
			t.Errorf("%s: row %d: %v", query, n, err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Errorf("%s: %v", query, err)
	}
	return n
}

// The columns that no table declares have types too.
func TestColumnTypesOfOthers(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING NOT NULL, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO k VALUES (1, 'a')", rows: 1},
		{sql: "INSERT INTO l VALUES (1)", rows: 1},
	})
	for _, c := range []struct{ query, want string }{
		{"SELECT _bucket, _log_offset, _commit_timestamp, _change_type, _partition FROM l", "INT int64, BIGINT int64, TIMESTAMP_LTZ time.Time, STRING string, STRING sql.NullString"},
		{"SELECT * FROM k$changelog", "STRING string, BIGINT int64, TIMESTAMP_LTZ time.Time, INT int64, STRING string"},
		{"SELECT COUNT(*) FROM k", "BIGINT int64"},
		{"SELECT COUNT(*) FROM l WHERE id > 5", "BIGINT int64"},
		{"SELECT /*+ KEEP_MISSING */ * FROM k WHERE id IN (1, 2)", "INT int64, STRING sql.NullString, BOOLEAN bool"},
		{"INSERT INTO l VALUES (2) RETURNING _bucket, _log_offset", "INT int64, BIGINT sql.NullInt64"},
		{"SELECT 1, 'x', NULL, TRUE, X'00', 1.5", "BIGINT int64, STRING string, STRING sql.NullString, BOOLEAN bool, BYTES []uint8, STRING string"},
		{"DESCRIBE k", "STRING string, STRING string, STRING string, STRING string, STRING sql.NullString, STRING string, STRING string"},
		{"SHOW TABLES", "STRING string"},
		{"EXPLAIN SELECT * FROM k", "STRING string"},
	} {
		rows, err := db.QueryContext(timeout(t), c.query)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		types, err := rows.ColumnTypes()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, ct := range types {
			got = append(got, ct.DatabaseTypeName()+" "+ct.ScanType().String())
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.query, s, c.want)
		}
		if n := scanByType(t, c.query, rows); n == 0 {
			t.Errorf("%s: no row", c.query)
		}
		rows.Close()
	}
}
