package conformance

import (
	"testing"

	"github.com/gofluss/fluss"
)

const changeTable = "CREATE TABLE t (a INT, b STRING, v STRING, w BIGINT, PRIMARY KEY (a, b)) WITH ('bucket.num' = '3', 'bucket.key' = 'a')"

// UPDATE and DELETE find rows by their full key in every form, and RowsAffected counts those that were there.
func TestUpdate(t *testing.T) {
	db := own(t)
	const all = "SELECT * FROM t ORDER BY a, b LIMIT 100"
	play(t, db, []step{
		{sql: changeTable},
		{sql: "INSERT INTO t VALUES (1, 'p', 'v1', 1), (1, 'q', 'v2', 2), (2, 'p', 'v3', 3), (3, 'p', 'v4', 4)", rows: 4},
		{sql: "UPDATE t SET v = 'x' WHERE a = 1 AND b = 'p'", rows: 1},
		{sql: "UPDATE t SET v = ?, w = ? WHERE b = ? AND a = ?", args: []any{"y", 22, "q", 1}, rows: 1},
		{sql: "UPDATE t SET w = NULL WHERE a IN (1, 2, 9) AND b = 'p'", rows: 2},
		{sql: all, want: []string{"1 p x NULL", "1 q y 22", "2 p v3 NULL", "3 p v4 4"}},
		{sql: "UPDATE t SET v = 'tuple' WHERE (a, b) IN ((1, 'q'), (3, 'p'), (3, 'nope'))", rows: 2},
		{sql: "UPDATE t SET v = ? WHERE (b, a) = (?, ?)", args: []any{nil, "p", 2}, rows: 1},
		{sql: "UPDATE t AS x SET x.w = 7 WHERE x.a = 3 AND x.b = 'p'", rows: 1},
		{sql: "UPDATE `t` SET `w` = 8 WHERE (`t`.`a` = 3) AND (`t`.`b` = 'p')", rows: 1},
		{sql: "UPDATE t SET w = :w WHERE a IN (:a) AND b IN (:b)", args: named("w", 9, "a", []int{1, 2, 2}, "b", []string{"q", "z"}), rows: 1},
		{sql: all, want: []string{"1 p x NULL", "1 q tuple 9", "2 p NULL NULL", "3 p tuple 8"}},
		{sql: "UPDATE t SET v = 'x' WHERE a = 9 AND b = 'p'"},
		{sql: "UPDATE t SET v = 'x' WHERE a = ? AND b = 'p'", args: []any{nil}},
		{sql: "UPDATE t SET v = 'x' WHERE a = NULL AND b = 'p'"},
		{sql: "UPDATE t SET v = 'x' WHERE a IN () AND b = 'p'"},
		{sql: "UPDATE t SET v = 'x' WHERE a IN (?) AND b = 'p'", args: []any{[]int{}}},
		{sql: "UPDATE t SET v = 'once' WHERE a IN (1, 1, 1) AND b = 'p'", rows: 1},
		{sql: "SELECT COUNT(*) FROM t", want: []string{"4"}},
		{sql: "UPDATE /*+ BLIND */ t SET v = 'blind' WHERE a = 9 AND b = 'p'", rows: 1}, // makes the row
		{sql: "SELECT * FROM t WHERE a = 9 AND b = 'p'", want: []string{"9 p blind NULL"}},
	})
}

// A table with NOT NULL columns takes no partial update: the row is read, changed and written whole.
func TestUpdateWholeRow(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, v STRING NOT NULL, w BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES (1, 'a', 10), (2, 'b', 20)", rows: 2},
		{sql: "UPDATE t SET v = 'x' WHERE id IN (2, 3)", rows: 1},
		{sql: "UPDATE t SET w = 11 WHERE id = 1", rows: 1},
		{sql: "SELECT * FROM t WHERE id IN (1, 2, 3)", want: []string{"1 a 11", "2 x 20"}},
		{sql: "UPDATE t SET v = NULL WHERE id = 1", is: fluss.ErrValue, words: []string{"column v", "NULL"}},
		{sql: "UPDATE /*+ BLIND */ t SET w = 1 WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"BLIND", "NOT NULL"}},
	})
}

func TestUpdateRefusals(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: changeTable},
		{sql: "UPDATE t SET v = 'x'", is: fluss.ErrUnsupported, words: []string{"UPDATE needs an equality on every primary key column (a, b)", "missing a, b"}},
		{sql: "UPDATE t SET v = 'x' WHERE a = 1", is: fluss.ErrUnsupported, words: []string{"(a, b)", "missing b"}},
		{sql: "UPDATE t SET v = 'x' WHERE a = 1 AND b > 'p'", is: fluss.ErrUnsupported, words: []string{"missing b"}},
		{sql: "UPDATE t SET v = 'x' WHERE a = 1 AND b = 'p' OR a = 2", is: fluss.ErrUnsupported, words: []string{"missing a, b"}},
		{sql: "UPDATE t SET b = 'x' WHERE a = 1 AND b = 'p'", is: fluss.ErrUnsupported, words: []string{"column b is part of the primary key", "delete and insert instead"}},
		{sql: "UPDATE t SET v = 'x', v = 'y' WHERE a = 1 AND b = 'p'", is: fluss.ErrColumnNotExist, words: []string{"column v", "twice"}},
		{sql: "UPDATE t SET nope = 'x' WHERE a = 1 AND b = 'p'", is: fluss.ErrColumnNotExist, words: []string{"nope"}},
		{sql: "UPDATE t SET w = 'x' WHERE a = 1 AND b = 'p'", is: fluss.ErrValue, words: []string{"column w"}},
		{sql: "UPDATE t SET v = 'x' WHERE a = 1 AND b = 'p' LIMIT 1", is: fluss.ErrUnsupported, words: []string{"LIMIT in UPDATE"}},
		{sql: "UPDATE t, u SET v = 'x' WHERE a = 1", is: fluss.ErrUnsupported, words: []string{"JOIN"}},
		{sql: "UPDATE t$changelog SET v = 'x' WHERE a = 1 AND b = 'p'", is: fluss.ErrUnsupported, words: []string{"t$changelog"}},
		{sql: "UPDATE /*+ FOLLOW */ t SET v = 'x' WHERE a = 1 AND b = 'p'", is: fluss.ErrUnsupported, words: []string{"the hint FOLLOW in UPDATE"}},
		{sql: "DELETE FROM t", is: fluss.ErrUnsupported, words: []string{"DELETE needs an equality on every primary key column (a, b)", "missing a, b"}},
		{sql: "DELETE FROM t WHERE b = 'p'", is: fluss.ErrUnsupported, words: []string{"missing a"}},
		{sql: "DELETE FROM t WHERE a = 1 AND b = 'p' RETURNING v", is: fluss.ErrUnsupported, words: []string{"RETURNING in DELETE"}},
		{sql: "DELETE FROM t LIMIT 1", is: fluss.ErrUnsupported, words: []string{"LIMIT in DELETE"}},
		{sql: "TRUNCATE TABLE t", is: fluss.ErrUnsupported, words: []string{"TRUNCATE"}},
		{sql: "MERGE INTO t USING u ON t.a = u.a", is: fluss.ErrUnsupported, words: []string{"MERGE"}},
	})
}

func TestDelete(t *testing.T) {
	db := own(t)
	const keys = "SELECT a, b FROM t ORDER BY a, b LIMIT 100"
	play(t, db, []step{
		{sql: changeTable},
		{sql: "DELETE FROM t WHERE a = 1 AND b = 'p'"}, // in a table that never had a row
		{sql: "INSERT INTO t VALUES (1, 'p', 'v', 1), (1, 'q', 'v', 1), (1, 'r', 'v', 1), (2, 'p', 'v', 1), (3, 'p', 'v', 1), (4, 'p', 'v', 1)", rows: 6},
		{sql: "DELETE FROM t WHERE a = 1 AND b = 'p'", rows: 1},
		{sql: "DELETE FROM t WHERE a = 1 AND b = 'p'"},
		{sql: "SELECT * FROM t WHERE a = 1 AND b = 'p'"},
		{sql: "DELETE FROM t WHERE (a, b) IN ((1, 'q'), (2, 'p'), (1, 'p'), (7, 'p'))", rows: 2},
		{sql: keys, want: []string{"1 r", "3 p", "4 p"}},
		{sql: "DELETE FROM t AS x WHERE (x.a = ?) AND (x.b = ?)", args: []any{3, "p"}, rows: 1},
		{sql: "DELETE FROM t WHERE a IN (?) AND b = 'r'", args: []any{[]int64{1, 2, 3}}, rows: 1},
		{sql: "DELETE FROM t WHERE a = NULL AND b = 'p'"},
		{sql: "DELETE FROM t WHERE a IN () AND b = 'p'"},
		{sql: keys, want: []string{"4 p"}},
		{sql: "DELETE /*+ BLIND */ FROM t WHERE a = 4 AND b IN ('p', 'zz')", rows: 2}, // what was sent: nobody looked
		{sql: keys},
		{sql: "INSERT INTO t (a, b, w) VALUES (4, 'p', 5)", rows: 1}, // no value of the deleted row comes back
		{sql: "SELECT * FROM t WHERE a = 4 AND b = 'p'", want: []string{"4 p NULL 5"}},
		{sql: "SELECT COUNT(*) FROM t", want: []string{"1"}},
		{sql: "CREATE TABLE fresh (id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "DELETE /*+ BLIND */ FROM fresh WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"BLIND DELETE in an empty bucket", "never had a row"}},
		{sql: "CREATE TABLE keep (id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.delete.behavior' = 'disable')"},
		{sql: "DELETE FROM keep WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"table.delete.behavior is disable"}},
	})
}
