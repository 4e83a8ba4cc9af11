package conformance

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss"
)

// UPDATE with values computed from the row.
func TestUpdateArithmetic(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, i INT, n BIGINT, d DECIMAL(10, 2), big DECIMAL(38, 2), f DOUBLE, s STRING, s2 STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES (1, 10, 20, 1.50, 12345678901234567890123456789012345.67, 0.5, 'a', 'b'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL)", rows: 2},
		{sql: "UPDATE t SET i = i + ?, n = n - ?, d = d * 2 WHERE id = 1", args: []any{5, int8(7)}, rows: 1},
		{sql: "SELECT i, n, d FROM t WHERE id = 1", want: []string{"15 13 3.00"}},
		{sql: "UPDATE t SET i = n, n = i WHERE id = 1", rows: 1}, // both see the row as it was
		{sql: "SELECT i, n FROM t WHERE id = 1", want: []string{"13 15"}},
		{sql: "UPDATE t SET n = (i + 1) * -n + 2 * 3, s = s2, s2 = s WHERE id = 1", rows: 1},
		{sql: "SELECT n, s, s2 FROM t WHERE id = 1", want: []string{"-204 b a"}},
		{sql: "UPDATE t SET d = d + ?, big = big + ?, f = f * ? WHERE id = 1", args: []any{"0.05", decimal.RequireFromString("0.33"), 3}, rows: 1},
		{sql: "SELECT d, big, f FROM t WHERE id = 1", want: []string{"3.05 12345678901234567890123456789012346.00 1.5"}},
		{sql: "UPDATE t SET d = d * ?, n = n * ? WHERE id = 1", args: []any{2.0, nil}, rows: 1},
		{sql: "SELECT d, n FROM t WHERE id = 1", want: []string{"6.10 NULL"}},
		{sql: "UPDATE t SET d = 10 - d, n = 9223372036854775807, f = n + 0.25 WHERE id = 1", rows: 1},
		{sql: "SELECT d, n, f FROM t WHERE id = 1", want: []string{"3.90 9223372036854775807 NULL"}},
		{sql: "UPDATE t SET i = i + 1, n = n + 1, d = d + 1, f = f + 1, s = s2 WHERE id = 2", rows: 1}, // NULL stays NULL
		{sql: "SELECT * FROM t WHERE id = 2", want: []string{"2 NULL NULL NULL NULL NULL NULL NULL"}},
		{sql: "UPDATE t SET n = n - 1 + 1, i = id * 100 WHERE id = 1", rows: 1}, // only the result has to fit
		{sql: "UPDATE t SET n = n + 1 - 1 WHERE id = 1", rows: 1},
		{sql: "SELECT i, n FROM t WHERE id = 1", want: []string{"100 9223372036854775807"}},
		{sql: "UPDATE t SET n = n + ? WHERE id = 1", args: []any{1}, is: fluss.ErrValue, words: []string{"column n", "out of range"}},
		{sql: "UPDATE t SET i = i * 100000000 WHERE id IN (2, 1)", is: fluss.ErrValue, words: []string{"column i", "out of range"}},
		{sql: "UPDATE t SET i = i + 0.5 WHERE id = 1", is: fluss.ErrValue, words: []string{"column i", "not an integer"}},
		{sql: "UPDATE t SET d = d + 0.001 WHERE id = 1", is: fluss.ErrValue, words: []string{"column d", "fraction digits"}},
		{sql: "UPDATE t SET d = d * 100000000 WHERE id = 1", is: fluss.ErrValue, words: []string{"column d", "digits before the decimal point"}},
		{sql: "UPDATE t SET n = n + ? WHERE id = 1", args: []any{"x"}, is: fluss.ErrValue, words: []string{"column n", "not a number"}},
		{sql: "UPDATE t SET n = n + s WHERE id = 1", is: fluss.ErrValue, words: []string{"column s is STRING"}},
		{sql: "UPDATE t SET s = n WHERE id = 1", is: fluss.ErrValue, words: []string{"column s", "n is BIGINT"}},
		{sql: "UPDATE t SET s = s + 1 WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"SET s = an expression", "only numbers"}},
		{sql: "UPDATE t SET n = n / 2 WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"the operator /", "+ - and *"}},
		{sql: "UPDATE t SET n = ABS(n) WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"ABS"}},
		{sql: "UPDATE t SET n = nope + 1 WHERE id = 1", is: fluss.ErrColumnNotExist, words: []string{"nope"}},
		{sql: "UPDATE /*+ BLIND */ t SET n = n + 1 WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"BLIND", "computed from the row"}},
		{sql: "EXPLAIN UPDATE t SET n = n + 1 WHERE id = 1 AND i = 3", want: []string{"update " + database(t, db) + ".t by primary key", "  lookup, then partial update of n",
			"  values computed in the driver from the row looked up: not atomic", "  filter in the driver, at the lookup, on: i"}},
	})
}

// Further conditions are applied to the rows that the look finds, and a key named twice is folded.
func TestUpdateConditions(t *testing.T) {
	db := own(t)
	const all = "SELECT * FROM t ORDER BY a, b LIMIT 100"
	play(t, db, []step{
		{sql: changeTable},
		{sql: "INSERT INTO t VALUES (1, 'p', 'v1', 1), (1, 'q', 'v2', 2), (2, 'p', NULL, 3)", rows: 3},
		{sql: "UPDATE t SET w = w + 10 WHERE a = ? AND b = ? AND a = ?", args: []any{1, "p", 1}, rows: 1},
		{sql: "UPDATE t SET w = 0 WHERE a = ? AND b = ? AND a = ?", args: []any{1, "p", 2}},
		{sql: "UPDATE t SET v = 'hit' WHERE a IN (1, 2) AND b = 'p' AND w > 5", rows: 1},
		{sql: "UPDATE t SET v = 'miss' WHERE a = 2 AND b = 'p' AND v <> 'x'"}, // NULL is unknown
		{sql: "UPDATE t SET v = 'was null' WHERE a = 2 AND b = 'p' AND (v IS NULL OR w = 7)", rows: 1},
		{sql: all, want: []string{"1 p hit 11", "1 q v2 2", "2 p was null 3"}},
		{sql: "DELETE FROM t WHERE a = 1 AND b = 'q' AND w = 3"},
		{sql: "DELETE FROM t WHERE a = 1 AND b = 'q' AND w = ? AND v LIKE 'v%'", args: []any{2}, rows: 1},
		{sql: "DELETE /*+ BLIND */ FROM t WHERE a = 2 AND b = 'p' AND a IN (2, 3)", rows: 1},
		{sql: all, want: []string{"1 p hit 11"}},
		{sql: "DELETE /*+ BLIND */ FROM t WHERE a = 2 AND b = 'p' AND w = 1", is: fluss.ErrUnsupported, words: []string{"BLIND with a condition on w"}},
		{sql: "DELETE FROM t WHERE a = 2 AND b = 'p' AND _bucket = 1", is: fluss.ErrColumnNotExist, words: []string{"_bucket"}},
		{sql: "INSERT /*+ INSERT_IF_NOT_EXISTS */ INTO t VALUES (1, 'p', 'v', 1)", is: fluss.ErrUnsupported, words: []string{"insert-if-absent", "not atomic", "first_row"}},
		{sql: "CREATE TABLE f (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'first_row')"},
		{sql: "INSERT INTO f VALUES (1, 'first')", rows: 1},
		{sql: "INSERT /*+ INSERT_IF_NOT_EXISTS */ INTO f VALUES (1, 'second')", rows: 1},
		{sql: "SELECT * FROM f WHERE id = 1", want: []string{"1 first"}},
	})
}

// The server makes the values of an auto-increment column, and nobody else.
func TestAutoIncrement(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (name STRING, uid BIGINT, v INT, PRIMARY KEY (name)) WITH ('bucket.num' = '1', 'auto-increment.fields' = 'uid')"},
		{sql: "INSERT INTO t VALUES ('a', 10), ('b', 20)", rows: 2},
		{sql: "INSERT INTO t (name) VALUES ('c')", rows: 1},
		{sql: "INSERT INTO t (name, v) VALUES ('a', 11)", rows: 1},
		{sql: "UPDATE t SET v = v + 1 WHERE name = 'b'", rows: 1},
		{sql: "SELECT * FROM t WHERE name IN ('a', 'b', 'c')", want: []string{"a 1 11", "b 2 21", "c 3 NULL"}},
		{sql: "INSERT INTO t (name, uid) VALUES ('d', 7)", is: fluss.ErrColumnNotExist, words: []string{"column uid", "auto-increment; leave it out"}},
		{sql: "UPDATE t SET uid = 7 WHERE name = 'a'", is: fluss.ErrColumnNotExist, words: []string{"auto-increment"}},
		{sql: "INSERT INTO t VALUES ('d', 7, 1)", fails: true, words: []string{"takes 2 values a row (name, v)"}},
	})
	result := mustExec(t, db, "INSERT INTO t (name) VALUES ('e')")
	if _, err := result.LastInsertId(); err != fluss.ErrNoLastInsertID {
		t.Errorf("LastInsertId: %v", err)
	}
	tx := begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "INSERT INTO t (name, v) VALUES ('f', 1), ('a', 12)", rows: 2},
		{sql: "SELECT * FROM t WHERE name = 'a'", want: []string{"a 1 12"}},
		{sql: "SELECT * FROM t WHERE name = 'f'", is: fluss.ErrUnsupported, words: []string{"the server makes up column uid"}},
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{{sql: "SELECT * FROM t WHERE name IN ('a', 'f')", want: []string{"a 1 12", "f 5 1"}}})
}

// UPDATE sets values also where the merge engine would merge them with the row.
func TestUpdateAggregation(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, n BIGINT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'aggregation')"},
		{sql: "INSERT INTO t VALUES (1, 5, 'a')", rows: 1},
		{sql: "INSERT INTO t VALUES (1, NULL, 'b')", rows: 1}, // last_value_ignore_nulls is the function of columns without one
		{sql: "SELECT * FROM t WHERE id = 1", want: []string{"1 5 b"}},
		{sql: "UPDATE t SET n = n + 1, v = NULL WHERE id = 1", rows: 1},
		{sql: "SELECT * FROM t WHERE id = 1", want: []string{"1 6 NULL"}},
		{sql: "INSERT /*+ MERGE_MODE('OVERWRITE') */ INTO t VALUES (1, NULL, 'c')", rows: 1},
		{sql: "SELECT * FROM t WHERE id = 1", want: []string{"1 NULL c"}},
	})
	tx := begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "UPDATE t SET n = 7 WHERE id = 1", rows: 1},
		{sql: "UPDATE t SET n = 8 WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"merge engine (aggregation)"}},
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{{sql: "SELECT * FROM t WHERE id = 1", want: []string{"1 7 c"}}})
}
