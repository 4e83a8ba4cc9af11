package conformance

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// Every form of INSERT, UPSERT and REPLACE on a key table, each followed by what is there then.
func TestInsertForms(t *testing.T) {
	db := own(t)
	const all = "SELECT * FROM k ORDER BY id LIMIT 100"
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, name STRING, n BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket.num' = '2')"},
		{sql: "INSERT INTO k VALUES (1, 'a', 10)", rows: 1},
		{sql: "INSERT k VALUES (2, 'b', 20), (3, 'c', 30);", rows: 2},
		{sql: all, names: "id name n", want: []string{"1 a 10", "2 b 20", "3 c 30"}},
		{sql: "UPSERT INTO k VALUES (1, 'a2', 11)", rows: 1},
		{sql: "REPLACE INTO k (id, name, n) VALUES (2, 'b2', 21)", rows: 1},
		{sql: "replace into `k` values (3, 'c2', 31)", rows: 1},
		{sql: all, want: []string{"1 a2 11", "2 b2 21", "3 c2 31"}},
		{sql: "INSERT INTO k (n, id, name) VALUES (40, 4, 'd')", rows: 1},
		{sql: "INSERT INTO k (id, name) VALUES (1, 'a3'), (5, 'e')", rows: 2}, // partial: n of 1 stays
		{sql: "UPSERT INTO k (n, id) VALUES (22, 2)", rows: 1},
		{sql: "INSERT INTO k (id) VALUES (6), (3)", rows: 2},
		{sql: all, want: []string{"1 a3 11", "2 b2 22", "3 c2 31", "4 d 40", "5 e NULL", "6 NULL NULL"}},
		{sql: "INSERT INTO k VALUES (?, ?, ?), (?, ?, NULL)", args: []any{1, "x", int8(1), uint16(2), []byte("y")}, rows: 2},
		{sql: "INSERT INTO k VALUES (:id, :name, :id)", args: []any{sql.Named("name", "z"), sql.Named("id", 3)}, rows: 1},
		{sql: "INSERT INTO k (id, name, n) VALUES (4, DEFAULT, ?)", args: []any{"-7"}, rows: 1},
		{sql: "INSERT INTO k VALUES (5, 'it''s \\\\ \\'5\\'\\n', -5), (6, '', +6)", rows: 2},
		{sql: all, want: []string{"1 x 1", "2 y NULL", "3 z 3", "4 NULL -7", "5 it's \\ '5'\n -5", "6  6"}},
		{sql: "INSERT INTO k (id, name, n) VALUES (6, 'f', 60) ON DUPLICATE KEY UPDATE name = VALUES(name), n = VALUES(n)", rows: 1},
		{sql: "INSERT INTO k (id, n) VALUES (5, 50) ON DUPLICATE KEY UPDATE n = VALUES(n)", rows: 1},
		{sql: "SELECT * FROM k WHERE id IN (5, 6)", want: []string{"5 it's \\ '5'\n 50", "6 f 60"}},
		{sql: "INSERT INTO k VALUES (7, 'first', 1), (7, 'second', 2), (7, 'third', 3)", rows: 3}, // the last one wins
		{sql: "SELECT * FROM k WHERE id = 7", want: []string{"7 third 3"}},
	})
}

// Nested values as literals, as JSON text and as Go values give the same JSON text.
func TestInsertNested(t *testing.T) {
	db := own(t)
	type pair struct {
		A int
		B string
	}
	insert := []step{
		{sql: "INSERT INTO t VALUES (1, ARRAY['x', 'y'], MAP['k', 1, 'l', 2], ROW(7, 'seven'))", rows: 1},
		{sql: `INSERT INTO t VALUES (2, '["x",null]', '{"k":null}', '{"a":null,"b":"b"}')`, rows: 1},
		{sql: "INSERT INTO t VALUES (3, ?, ?, ?)", args: []any{[]string{"x"}, map[string]int{"k": 5}, pair{1, "one"}}, rows: 1},
		{sql: "INSERT INTO t VALUES (4, ?, ?, ?)", args: []any{`["q"]`, []byte(`{"z":9}`), []any{2, nil}}, rows: 1},
		{sql: "INSERT INTO t VALUES (5, ARRAY[], MAP[], NULL)", rows: 1},
		{sql: "INSERT INTO t VALUES (6, ARRAY[?, 'lit', NULL], MAP[?, ?, 'b', NULL], ROW(?, ?))", args: []any{"arg", "a", 3, nil, "f"}, rows: 1},
		{sql: "INSERT INTO t VALUES (7, NULL, ?, ?)", args: []any{map[string]int64(nil), map[string]any{"b": "named", "a": 4}}, rows: 1},
	}
	rows := []string{
		`1 ["x","y"] {"k":1,"l":2} {"a":7,"b":"seven"}`, `2 ["x",null] {"k":null} {"a":null,"b":"b"}`, `3 ["x"] {"k":5} {"a":1,"b":"one"}`,
		`4 ["q"] {"z":9} {"a":2,"b":null}`, `5 [] {} NULL`, `6 ["arg","lit",null] {"a":3,"b":null} {"a":null,"b":"f"}`, `7 NULL NULL {"a":4,"b":"named"}`,
	}
	for _, table := range []struct{ create, read string }{
		{"CREATE TABLE t (id INT, l ARRAY<STRING>, m MAP<STRING, BIGINT>, r ROW<a INT, b STRING>, PRIMARY KEY (id)) WITH ('bucket.num' = '1')", "SELECT * FROM t WHERE id IN (1, 2, 3, 4, 5, 6, 7)"},
		{"CREATE TABLE t (id INT, l ARRAY<STRING>, m MAP<STRING, BIGINT>, r ROW<a INT, b STRING>) WITH ('bucket.num' = '1')", "SELECT * FROM t"},
	} {
		play(t, db, append(append([]step{{sql: "DROP TABLE IF EXISTS t"}, {sql: table.create}}, insert...), step{sql: table.read, names: "id l m r", want: rows}))
	}
	play(t, db, []step{
		{sql: "INSERT INTO t VALUES (1, ARRAY['x', 1], NULL, NULL)", is: fluss.ErrValue, words: []string{"column l", "element"}},
		{sql: "INSERT INTO t VALUES (1, NULL, MAP['k'], NULL)", is: fluss.ErrSyntax, words: []string{"MAP"}},
		{sql: "INSERT INTO t VALUES (1, NULL, MAP[NULL, 1], NULL)", is: fluss.ErrValue, words: []string{"column m"}},
		{sql: "INSERT INTO t VALUES (1, NULL, NULL, ROW(1))", is: fluss.ErrValue, words: []string{"column r", "2 fields"}},
		{sql: "INSERT INTO t VALUES (1, ROW('x'), NULL, NULL)", is: fluss.ErrValue, words: []string{"column l"}},
		{sql: "INSERT INTO t VALUES (1, NULL, ARRAY[1], NULL)", is: fluss.ErrValue, words: []string{"column m"}},
	})
}

// What literals and Go values of the scalar types become.
func TestInsertLiterals(t *testing.T) {
	db := own(t)
	noon := time.Date(2026, 8, 1, 12, 30, 15, 250e6, time.FixedZone("", 2*3600))
	row := "true -1 -2 -3 -4 0.5 0.25 a b \x01\x02 \x03 1.50 2026-08-01T00:00:00Z 12:30:15.250 2026-08-01T12:30:15.25Z 2026-08-01T10:30:15.25Z"
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, b BOOLEAN, ti TINYINT, s SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE, c CHAR(3), st STRING, bin BINARY(2), bs BYTES, " +
			"de DECIMAL(10, 2), da DATE, tm TIME(3), ts TIMESTAMP(3), tz TIMESTAMP_LTZ(3), PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES (1, TRUE, -1, -2, -3, -4, 0.5, 2.5e-1, 'a', 'b', X'0102', 0x03, 1.5, DATE '2026-08-01', TIME '12:30:15.25', " +
			"TIMESTAMP '2026-08-01 12:30:15.25', TIMESTAMP_LTZ '2026-08-01 10:30:15.25')", rows: 1},
		{sql: "INSERT INTO t VALUES (2, '1', '-1', '-2', '-3', '-4', '0.5', '0.25', 'a', 'b', '\x01\x02', '\x03', '1.50', '2026-08-01', '12:30:15.250', " +
			"'2026-08-01 12:30:15.25', '2026-08-01T12:30:15.25+02:00')", rows: 1},
		{sql: "INSERT INTO t VALUES (3" + strings.Repeat(", ?", 16) + ")", rows: 1, args: []any{true, int8(-1), int16(-2), int32(-3), int64(-4), float32(0.5), 0.25,
			"a", "b", []byte{1, 2}, []byte{3}, "1.5", noon, noon, noon, noon}},
		{sql: "INSERT INTO t VALUES (4" + strings.Repeat(", ?", 16) + ")", rows: 1, args: []any{1, -1.0, "-2", "-3", "-4", "0.5", "0.25",
			[]byte("a"), []byte("b"), "\x01\x02", "\x03", 1.5, fluss.Date{Year: 2026, Month: 8, Day: 1}, 12*time.Hour + 30*time.Minute + 15250*time.Millisecond,
			"2026-08-01 12:30:15.250", "2026-08-01 10:30:15.25"}},
		{sql: "INSERT INTO t VALUES (5, TRUE, CAST(-1 AS TINYINT), CAST(-2 AS SMALLINT), -3, -4, 0.5, 0.25, 'a', 'b', X'0102', X'03', 1.5, " +
			"CAST('2026-08-01' AS DATE), '12:30:15.25', '2026-08-01 12:30:15.250', '2026-08-01 10:30:15.25')", rows: 1},
		{sql: "SELECT b, ti, s, i, bi, f, d, c, st, bin, bs, de, da, tm, ts, tz FROM t WHERE id IN (1, 2, 3, 4, 5)",
			want: []string{row, row, row, row, row}},
	})
}

// A log table takes whole rows and short column lists, and nothing that would change a row.
func TestInsertLog(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE l (id INT NOT NULL, v STRING) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO l VALUES (1, 'a'), (1, 'a')", rows: 2},
		{sql: "INSERT INTO l (v, id) VALUES ('b', 2)", rows: 1},
		{sql: "INSERT INTO l (id) VALUES (?)", args: []any{3}, rows: 1},
		{sql: "SELECT id, v FROM l", names: "id v", want: []string{"1 a", "1 a", "2 b", "3 NULL"}},
		{sql: "INSERT INTO l VALUES (4, 'd'), (5, 'e') RETURNING _bucket, _log_offset", names: "_bucket _log_offset", want: []string{"0 4", "0 5"}},
		{sql: "INSERT INTO l VALUES (6, 'f') RETURNING _log_offset", names: "_log_offset", want: []string{"6"}},
		{sql: "INSERT INTO l (v) VALUES ('x')", is: fluss.ErrColumnNotExist, words: []string{"column id", "NOT NULL", "not in the column list"}},
		{sql: "UPSERT INTO l VALUES (1, 'x')", is: fluss.ErrUnsupported, words: []string{"UPSERT", ".l is a log table: rows can only be appended"}},
		{sql: "REPLACE INTO l VALUES (1, 'x')", is: fluss.ErrUnsupported, words: []string{"REPLACE", "log table"}},
		{sql: "INSERT IGNORE INTO l VALUES (1, 'x')", is: fluss.ErrUnsupported, words: []string{"log table"}},
		{sql: "INSERT INTO l VALUES (1, 'x') ON DUPLICATE KEY UPDATE v = VALUES(v)", is: fluss.ErrUnsupported, words: []string{"log table"}},
		{sql: "UPDATE l SET v = 'x' WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"UPDATE", "log table: rows can only be appended"}},
		{sql: "DELETE FROM l WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"DELETE", "log table: rows can only be appended"}},
		{sql: "INSERT INTO l VALUES (1, 'x') RETURNING v", is: fluss.ErrUnsupported, words: []string{"RETURNING v", "_bucket and _log_offset"}},
		{sql: "INSERT INTO l VALUES (1, 'x') RETURNING nope", is: fluss.ErrColumnNotExist, words: []string{"nope"}},
		{sql: "INSERT INTO l$changelog VALUES (1, 'x')", is: fluss.ErrUnsupported, words: []string{"l$changelog"}},
		{sql: "SELECT COUNT(*) FROM l", want: []string{"7"}},
	})
}

func TestInsertRefusals(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, w INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE strict (id INT, score INT NOT NULL, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT IGNORE INTO k VALUES (1, 'x', 1)", is: fluss.ErrUnsupported, words: []string{"insert-if-absent", "not atomic on", "merge engine: none", "first_row"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE id = id", is: fluss.ErrUnsupported, words: []string{"insert-if-absent", "not atomic"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE v = 'y', w = VALUES(w)", is: fluss.ErrUnsupported, words: []string{"ON DUPLICATE KEY UPDATE v", "v = VALUES(v)"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1) ON DUPLICATE KEY UPDATE v = VALUES(v)", is: fluss.ErrUnsupported, words: []string{"without w"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1) ON CONFLICT (id) DO NOTHING", is: fluss.ErrUnsupported, words: []string{"ON CONFLICT"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1) RETURNING _bucket", is: fluss.ErrUnsupported, words: []string{"RETURNING _bucket", "log tables"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1) RETURNING *", is: fluss.ErrUnsupported, words: []string{"RETURNING *"}},
		{sql: "INSERT INTO k SELECT * FROM k", is: fluss.ErrUnsupported, words: []string{"INSERT ... SELECT", "Flink"}},
		{sql: "INSERT INTO strict (id, v) VALUES (1, 'x')", is: fluss.ErrUnsupported, words: []string{"partial update of", ".strict", "column score is NOT NULL and not in the column list"}},
		{sql: "INSERT INTO strict (id, score) VALUES (1, 2)", is: fluss.ErrUnsupported, words: []string{"partial update", "column score is NOT NULL"}},
		{sql: "INSERT INTO k (v, w) VALUES ('x', 1)", is: fluss.ErrColumnNotExist, words: []string{"column id", "primary key"}},
		{sql: "INSERT INTO k (id, v, V) VALUES (1, 'x', 'y')", is: fluss.ErrColumnNotExist, words: []string{"column V", "did you mean v?"}},
		{sql: "INSERT INTO k (id, v, v) VALUES (1, 'x', 'y')", is: fluss.ErrColumnNotExist, words: []string{"column v", "twice"}},
		{sql: "INSERT INTO k (id, v) VALUES (1, 'x', 1)", is: fluss.ErrSyntax, words: []string{"3 values", "expected 2"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1), (2, 'y')", is: fluss.ErrSyntax, words: []string{"row 2", "2 values"}},
		{sql: "INSERT INTO k VALUES (1, 'x')", fails: true, words: []string{"takes 3 values a row (id, v, w), got 2"}},
		{sql: "INSERT INTO k VALUES (1, v, 1)", is: fluss.ErrSyntax, words: []string{"unexpected v"}},
		{sql: "INSERT INTO k VALUES (1, NOW(), 1)", is: fluss.ErrUnsupported, words: []string{"the function NOW as a value"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1 + 1)", is: fluss.ErrUnsupported, words: []string{"an expression in VALUES"}},
		{sql: "INSERT /*+ MERGE_MODE('OVERWRITE') */ INTO k VALUES (1, 'x', 1)", is: fluss.ErrUnsupported, words: []string{"MERGE_MODE", "no merge engine"}},
		{sql: "INSERT /*+ FOLLOW */ INTO k VALUES (1, 'x', 1)", is: fluss.ErrUnsupported, words: []string{"the hint FOLLOW in INSERT"}},
		{sql: "INSERT /*+ QUICKLY */ INTO k VALUES (1, 'x', 1)", is: fluss.ErrSyntax, words: []string{"unknown hint", "QUICKLY"}},
		{sql: "INSERT INTO k$changelog VALUES (1, 'x', 1)", is: fluss.ErrUnsupported, words: []string{"k$changelog"}},
		{sql: "INSERT INTO k VALUES (1, 'x', 1), (2, 'y', 2147483648)", is: fluss.ErrValue, words: []string{"column w", "row 2", "2147483648"}},
		{sql: "INSERT INTO k VALUES (?, 'x', 1), (NULL, 'y', 2)", args: []any{1}, is: fluss.ErrValue, words: []string{"column id", "row 2", "NULL"}},
		{sql: "SELECT * FROM k", names: "id v w"},
		{sql: "SELECT * FROM strict", names: "id score v"},
	})
}

// A merge engine changes what an INSERT does to a key that is there.
func TestInsertMergeEngines(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE f (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'first_row')"},
		{sql: "CREATE TABLE ver (id INT, n BIGINT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'versioned', 'table.merge-engine.versioned.ver-column' = 'n')"},
		{sql: "INSERT INTO f VALUES (1, 'first')", rows: 1},
		{sql: "INSERT IGNORE INTO f VALUES (1, 'second'), (2, 'two')", rows: 2},
		{sql: "INSERT INTO f VALUES (1, 'third') ON DUPLICATE KEY UPDATE id = id", rows: 1},
		{sql: "SELECT * FROM f WHERE id IN (1, 2)", want: []string{"1 first", "2 two"}},
		{sql: "INSERT INTO f (id) VALUES (3)", is: fluss.ErrUnsupported, words: []string{"partial update", "merge engine first_row takes whole rows"}},
		{sql: "INSERT INTO ver VALUES (1, 5, 'five')", rows: 1},
		{sql: "INSERT INTO ver VALUES (1, 4, 'four')", rows: 1},
		{sql: "SELECT * FROM ver WHERE id = 1", want: []string{"1 5 five"}},
		{sql: "INSERT INTO ver VALUES (1, 6, 'six')", rows: 1},
		{sql: "SELECT * FROM ver WHERE id = 1", want: []string{"1 6 six"}},
		{sql: "UPDATE f SET v = 'x' WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"merge engine first_row"}},
	})
}
