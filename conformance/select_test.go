package conformance

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"github.com/gofluss/fluss"
)

const shopTable = "CREATE TABLE shop (a INT, b STRING, v STRING, w BIGINT, PRIMARY KEY (a, b)) WITH ('bucket.num' = '3', 'bucket.key' = 'a')"

const shopRows = "INSERT INTO shop VALUES (1, 'p', 'one', 10), (1, 'q', NULL, 20), (2, 'p', 'three', NULL), (3, 'x', 'four', 40), (3, 'y', 'five', 50), (3, 'z', 'six', 60)"

// Reads by key: full keys, lists of them, and the bucket key as a prefix.
func TestSelectByKey(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '3')"},
		{sql: shopTable},
		{sql: "SELECT * FROM k WHERE id = 1", names: "id v n"},
		{sql: "INSERT INTO k VALUES (1, 'a', 10), (2, 'b', 20), (3, NULL, NULL), (-4, '', 0)", rows: 4},
		{sql: shopRows, rows: 6},
		// one key
		{sql: "SELECT * FROM k WHERE id = 1", names: "id v n", want: []string{"1 a 10"}},
		{sql: "SELECT n, v AS name, id AS `the id`, n FROM k WHERE id = ?", args: []any{2}, names: "n name the id n", want: []string{"20 b 2 20"}},
		{sql: "SELECT x.*, x.v FROM k AS x WHERE 3 = x.id", names: "id v n v", want: []string{"3 NULL NULL NULL"}},
		{sql: "SELECT k.v FROM k WHERE (k.id) = (-4);", names: "v", want: []string{""}},
		{sql: "SELECT v FROM k WHERE id = :id", args: named("id", 1), want: []string{"a"}},
		{sql: "SELECT v FROM k WHERE id = ?", args: []any{"2"}, want: []string{"b"}},
		{sql: "SELECT v FROM k WHERE id = 9"},
		{sql: "SELECT v FROM k WHERE id = NULL"},
		{sql: "SELECT v FROM k WHERE id = ?", args: []any{nil}},
		{sql: "SELECT v FROM k WHERE id = ? AND id = ?", args: []any{1, 1}, want: []string{"a"}},
		{sql: "SELECT v FROM k WHERE id = ? AND id = ?", args: []any{1, 2}},
		{sql: "SELECT v FROM k WHERE id = 1 AND n = 10", want: []string{"a"}},
		{sql: "SELECT v FROM k WHERE id = 1 AND n <> 10"},
		{sql: "SELECT v FROM k WHERE id = 3 AND n <> 10"},
		{sql: "SELECT id FROM k WHERE id = 1 ORDER BY id LIMIT 1", want: []string{"1"}},
		{sql: "SELECT id FROM k WHERE id = 1 LIMIT 0"},
		{sql: "SELECT id FROM k WHERE id = 1 LIMIT 1 OFFSET 1"},
		{sql: "SELECT id, _bucket IS NULL FROM k WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"_bucket IS NULL", "COUNT(*)"}},
		{sql: "SELECT COUNT(*) FROM k WHERE id = 1", names: "COUNT(*)", want: []string{"1"}},
		{sql: "SELECT COUNT(*) AS c FROM k WHERE id IN (1, 2, 9)", names: "c", want: []string{"2"}},
		// lists
		{sql: "SELECT id FROM k WHERE id IN (3, 1, 2)", want: []string{"3", "1", "2"}},
		{sql: "SELECT id FROM k WHERE id IN (2, 9, 2, 1, 2)", want: []string{"2", "1"}},
		{sql: "SELECT id FROM k WHERE id IN (?, ?, ?)", args: []any{2, nil, "1"}, want: []string{"2", "1"}},
		{sql: "SELECT id FROM k WHERE id IN (NULL, 1)", want: []string{"1"}},
		{sql: "SELECT id FROM k WHERE id IN (NULL)"},
		{sql: "SELECT id FROM k WHERE id IN ()"},
		{sql: "SELECT id FROM k WHERE id IN (?)", args: []any{[]int{3, -4, 8, 3}}, want: []string{"3", "-4"}},
		{sql: "SELECT id FROM k WHERE id IN (?)", args: []any{[]any{int8(1), "2", nil}}, want: []string{"1", "2"}},
		{sql: "SELECT id FROM k WHERE id IN (?)", args: []any{[]int64{}}},
		{sql: "SELECT id FROM k WHERE id IN (?)", args: []any{2}, want: []string{"2"}},
		{sql: "SELECT id FROM k WHERE id IN (/*SLICE:ids*/?)", args: []any{[]int32{1, 2}}, want: []string{"1", "2"}},
		{sql: "SELECT id FROM k WHERE id IN (:ids)", args: named("ids", []string{"2", "1"}), want: []string{"2", "1"}},
		{sql: "SELECT id FROM k WHERE id IN (1, 2, 3) AND v IS NOT NULL", want: []string{"1", "2"}},
		{sql: "SELECT id FROM k WHERE id IN (1, 2, 3) ORDER BY id DESC", want: []string{"3", "2", "1"}},
		{sql: "SELECT id FROM k WHERE id IN (1, 2, 3) ORDER BY v DESC, id", want: []string{"2", "1", "3"}},
		{sql: "SELECT id FROM k WHERE id IN (3, 2, 1) LIMIT 1 OFFSET 1", want: []string{"2"}},
		// tuples and products
		{sql: "SELECT v FROM shop WHERE a = 1 AND b = 'p'", want: []string{"one"}},
		{sql: "SELECT w FROM shop WHERE (a, b) IN ((3, 'z'), (1, 'q'), (3, 'z'), (1, 'zz'))", want: []string{"60", "20"}},
		{sql: "SELECT w FROM shop WHERE (b, a) IN (('q', 1), (?, ?))", args: []any{"x", 3}, want: []string{"20", "40"}},
		{sql: "SELECT w FROM shop WHERE (a, b) = (1, 'p')", want: []string{"10"}},
		{sql: "SELECT w FROM shop WHERE (a, b) IN ((1, NULL), (1, 'p'))", want: []string{"10"}},
		{sql: "SELECT w FROM shop WHERE a IN (3, 1) AND b IN ('x', 'p', 'z')", want: []string{"40", "60", "10"}},
		{sql: "SELECT w FROM shop WHERE a IN (?) AND b IN (?)", args: []any{[]int{1, 3}, []string{"z", "q"}}, want: []string{"20", "60"}},
		// prefix
		{sql: "SELECT a, b, v FROM shop WHERE a = 3", names: "a b v", sort: true, want: []string{"3 x four", "3 y five", "3 z six"}},
		{sql: "SELECT b FROM shop WHERE a = ? AND v LIKE ?", args: []any{3, "f%"}, sort: true, want: []string{"x", "y"}},
		{sql: "SELECT b FROM shop WHERE a = 3 AND b > 'x' ORDER BY b DESC", want: []string{"z", "y"}},
		{sql: "SELECT b FROM shop WHERE a IN (1, 3, 1)", sort: true, want: []string{"p", "q", "x", "y", "z"}},
		{sql: "SELECT b FROM shop WHERE a = 3 ORDER BY b LIMIT 2", want: []string{"x", "y"}},
		{sql: "SELECT b FROM shop WHERE a = 7"},
		{sql: "SELECT b FROM shop WHERE a = NULL"},
		{sql: "SELECT COUNT(*) FROM shop WHERE a = 3", want: []string{"3"}},
	})
}

// KEEP_MISSING gives a row for each key of the list.
func TestSelectKeepMissing(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING NOT NULL, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '2')"},
		{sql: "INSERT INTO k VALUES (1, 'a', 10), (2, 'b', NULL)", rows: 2},
		{sql: "SELECT /*+ KEEP_MISSING */ * FROM k WHERE id IN (7, 2, 8, 1)", names: "id v n _found", want: []string{"7 NULL NULL false", "2 b NULL true", "8 NULL NULL false", "1 a 10 true"}},
		{sql: "SELECT v, id, _found FROM k /*+ KEEP_MISSING */ WHERE id IN (?)", args: []any{[]int{1, 5}}, names: "v id _found", want: []string{"a 1 true", "NULL 5 false"}},
		{sql: "SELECT /*+ KEEP_MISSING */ id FROM k WHERE id = 3", names: "id", want: []string{"3"}},
		{sql: "SELECT /*+ KEEP_MISSING */ id FROM k LIMIT 10", is: fluss.ErrUnsupported, words: []string{"KEEP_MISSING", "full keys"}},
		{sql: "SELECT /*+ KEEP_MISSING */ id FROM k WHERE id = 1 AND n = 3", is: fluss.ErrUnsupported, words: []string{"KEEP_MISSING"}},
		{sql: "SELECT _found FROM k WHERE id = 1", is: fluss.ErrColumnNotExist, words: []string{"_found"}},
	})
}

// Reads of a key table without its key.
func TestSelectScan(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: shopTable},
		{sql: "SELECT * FROM shop LIMIT 5", names: "a b v w"},
		{sql: "SELECT * FROM shop", names: "a b v w"},
		{sql: "SELECT COUNT(*) FROM shop", want: []string{"0"}},
		{sql: shopRows, rows: 6},
		{sql: "SELECT b, a FROM shop", names: "b a", sort: true, want: []string{"p 1", "p 2", "q 1", "x 3", "y 3", "z 3"}},
		{sql: "SELECT COUNT(*) FROM shop", want: []string{"6"}},
		{sql: "SELECT count(1) n FROM shop", names: "n", want: []string{"6"}},
		{sql: "SELECT /*+ EXACT */ COUNT(*) FROM shop", want: []string{"6"}},
		{sql: "SELECT COUNT(*) FROM shop WHERE w > 20", want: []string{"3"}},
		{sql: "SELECT COUNT(*) FROM shop LIMIT 0"},
		{sql: "SELECT w FROM shop ORDER BY w LIMIT 3", want: []string{"NULL", "10", "20"}},
		{sql: "SELECT w FROM shop ORDER BY w DESC LIMIT 2 OFFSET 1", want: []string{"50", "40"}},
		{sql: "SELECT w FROM shop ORDER BY w DESC LIMIT ? OFFSET ?", args: []any{2, 1}, want: []string{"50", "40"}},
		{sql: "SELECT w AS x FROM shop WHERE w IS NOT NULL ORDER BY x LIMIT 1, 2", want: []string{"20", "40"}},
		{sql: "SELECT v FROM shop ORDER BY a DESC, b LIMIT 4", want: []string{"four", "five", "six", "three"}},
		{sql: "SELECT v FROM shop WHERE v LIKE '%e' ORDER BY v LIMIT 10", want: []string{"five", "one", "three"}},
		{sql: "SELECT a FROM shop LIMIT 0"},
		{sql: "SELECT a FROM shop LIMIT 10 OFFSET 6"},
		{sql: "SELECT /*+ FULL_SCAN */ COUNT(*) FROM shop WHERE a > 0", want: []string{"6"}},
		{sql: "SELECT COUNT(*) FROM shop WHERE _bucket IN (0, 1, 2)", want: []string{"6"}},
		{sql: "SELECT COUNT(*) FROM shop WHERE _bucket = 7", want: []string{"0"}},
		{sql: "SELECT /*+ BUCKET(3) */ * FROM shop", fails: true, words: []string{"buckets 0 to 2", "3"}},
	})
	for _, limit := range []int{1, 2, 5, 6, 7} {
		for _, query := range []string{"SELECT a, b FROM shop LIMIT %d", "SELECT a, b FROM shop WHERE w IS NULL OR w > 0 LIMIT %d"} {
			rows := queryAll(t, db, fmt.Sprintf(query, limit))
			seen := map[string]bool{}
			for _, r := range texts(rows) {
				seen[r] = true
			}
			if len(rows) != min(limit, 6) || len(seen) != len(rows) {
				t.Errorf("%s: %v", fmt.Sprintf(query, limit), texts(rows))
			}
		}
	}
	byBucket := 0
	for b := range 3 {
		rows := queryAll(t, db, fmt.Sprintf("SELECT /*+ BUCKET(%d) */ _bucket, a FROM shop", b))
		for _, r := range rows {
			if r[0] != int64(b) {
				t.Errorf("BUCKET(%d) gave a row of bucket %v", b, r[0])
			}
		}
		byBucket += len(rows)
	}
	if byBucket != 6 {
		t.Errorf("the buckets have %d rows, want 6", byBucket)
	}
}

// WHERE is applied with the three-valued logic of SQL.
func TestSelectWhere(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, x INT, s STRING, d DECIMAL(5, 2), day DATE, ok BOOLEAN, bin BYTES, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES (1, 1, 'a', 1.50, '2026-08-01', TRUE, X'01'), (2, 2, NULL, NULL, '2026-08-02', FALSE, X''), (3, NULL, 'c', 2.00, NULL, NULL, NULL)", rows: 3},
	})
	for _, c := range []struct {
		where string
		args  []any
		want  string
	}{
		{"x = 1", nil, "1"},
		{"x <> 1", nil, "2"},
		{"x != 1", nil, "2"},
		{"NOT x = 1", nil, "2"},
		{"NOT (x = 1)", nil, "2"},
		{"x < 2", nil, "1"},
		{"2 > x", nil, "1"},
		{"x >= 1 AND x <= 2", nil, "1 2"},
		{"x IS NULL", nil, "3"},
		{"x IS NOT NULL", nil, "1 2"},
		{"NOT x IS NULL", nil, "1 2"},
		{"x = NULL", nil, ""},
		{"x <> NULL", nil, ""},
		{"x = ?", []any{nil}, ""},
		{"NOT (x = ?)", []any{nil}, ""},
		{"x IN (1, NULL)", nil, "1"},
		{"x NOT IN (1)", nil, "2"},
		{"x NOT IN (1, NULL)", nil, ""},
		{"x IN ()", nil, ""},
		{"x NOT IN ()", nil, "1 2 3"},
		{"x IN (?)", []any{[]int{2, 1}}, "1 2"},
		{"x NOT IN (?)", []any{[]int{2, 3}}, "1"},
		{"x NOT IN (?)", []any{[]any{3, nil}}, ""},
		{"x IN (?)", []any{[]int{}}, ""},
		{"x NOT IN (?)", []any{[]int{}}, "1 2 3"},
		{"x = 1 OR s = 'c'", nil, "1 3"},
		{"x = 1 OR s IS NULL", nil, "1 2"},
		{"x = 2 AND s = 'a' OR id = 3", nil, "3"},
		{"x = 2 AND (s = 'a' OR id = 2)", nil, "2"},
		{"NOT (x = 2 AND s = 'zz')", nil, "1 3"},
		{"NOT (x = 2 OR s = 'zz')", nil, "1"},
		{"x BETWEEN 1 AND 2", nil, "1 2"},
		{"x NOT BETWEEN 2 AND 3", nil, "1"},
		{"x NOT BETWEEN 2 AND NULL", nil, "1"},
		{"x BETWEEN ? AND ?", []any{2, 9}, "2"},
		{"s LIKE 'a%'", nil, "1"},
		{"s LIKE '_'", nil, "1 3"},
		{"s NOT LIKE 'a%'", nil, "3"},
		{"s LIKE ?", []any{"%"}, "1 3"},
		{"s > 'a'", nil, "3"},
		{"x > 1.5", nil, "2"},
		{"x = 1.0", nil, "1"},
		{"x < ?", []any{1.5}, "1"},
		{"d = 1.5", nil, "1"},
		{"d > ?", []any{"1.505"}, "3"},
		{"d <= 2", nil, "1 3"},
		{"day = '2026-08-01'", nil, "1"},
		{"day > DATE '2026-08-01'", nil, "2"},
		{"day < ?", []any{fluss.Date{Year: 2026, Month: 8, Day: 2}}, "1"},
		{"ok", nil, "1"},
		{"NOT ok", nil, "2"},
		{"ok = FALSE", nil, "2"},
		{"bin = X'01'", nil, "1"},
		{"bin = ?", []any{[]byte{}}, "2"},
		{"bin IS NULL", nil, "3"},
		{"x = id", nil, "1 2"},
		{"x <> id", nil, ""},
		{"(x, s) = (1, 'a')", nil, "1"},
		{"(x, s) IN ((1, 'a'), (2, 'b'))", nil, "1"},
		{"1 = 1", nil, "1 2 3"},
		{"1 = 0", nil, ""},
		{"'a' = 'a' AND x = 1", nil, "1"},
		{"TRUE", nil, "1 2 3"},
		{"FALSE OR x = 2", nil, "2"},
		{"NULL", nil, ""},
		{"NOT NULL", nil, ""},
		{"id > 1 AND id < 3", nil, "2"},
		{"id = 1 OR id = 3", nil, "1 3"},
	} {
		got := ""
		rows, err := tryQuery(timeout(t), db, "SELECT id FROM t WHERE "+c.where+" ORDER BY id LIMIT 10", c.args...)
		for i, r := range texts(rows) {
			if i > 0 {
				got += " "
			}
			got += r
		}
		if got != c.want || err != nil {
			t.Errorf("WHERE %s %v: got %q, %v, want %q", c.where, c.args, got, err, c.want)
		}
	}
}

func TestSelectRefusals(t *testing.T) {
	db := own(t)
	const plans = "Fluss serves lookups and scans, not query plans"
	var steps = []step{
		{sql: shopTable},
		{sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE n (id INT, l ARRAY<INT>, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
	}
	for _, c := range []struct {
		sql   string
		words []string
	}{
		{"SELECT * FROM shop JOIN l ON shop.a = l.id", []string{"JOIN is not supported", plans, "read both tables and join in Go, or use Flink"}},
		{"SELECT * FROM shop, l", []string{"JOIN"}},
		{"SELECT * FROM shop WHERE a IN (SELECT id FROM l)", []string{"subquery", plans}},
		{"SELECT * FROM (SELECT * FROM shop) x", []string{"subquery", plans}},
		{"SELECT a FROM shop UNION SELECT id FROM l", []string{"UNION", plans}},
		{"WITH x AS (SELECT 1) SELECT * FROM x", []string{"WITH", plans}},
		{"SELECT a, COUNT(*) FROM shop GROUP BY a", []string{"GROUP BY", plans}},
		{"SELECT a FROM shop WHERE a = 1 HAVING a > 1", []string{"HAVING"}},
		{"SELECT ROW_NUMBER() OVER (ORDER BY a) FROM shop", []string{"window"}},
		{"SELECT DISTINCT a FROM shop", []string{"DISTINCT"}},
		{"SELECT SUM(w) FROM shop", []string{"SUM is not supported", "Fluss 0.9.1 can only count rows"}},
		{"SELECT MAX(a) FROM shop", []string{"MAX", "can only count rows"}},
		{"SELECT COUNT(v) FROM shop", []string{"COUNT(v)", "COUNT(*)"}},
		{"SELECT COUNT(DISTINCT v) FROM shop", []string{"COUNT(*)"}},
		{"SELECT COUNT(*), a FROM shop", []string{"COUNT(*) beside other columns"}},
		{"SELECT a + 1 FROM shop", []string{"a + 1", "compute in Go"}},
		{"SELECT UPPER(b) FROM shop", []string{"UPPER"}},
		{"SELECT * FROM shop WHERE UPPER(b) = 'P'", []string{"UPPER(...) in WHERE"}},
		{"SELECT * FROM shop WHERE w + 1 = 2", []string{"WHERE"}},
		{"SELECT * FROM shop ORDER BY a", []string{"ORDER BY without a LIMIT of at most 10000", "add LIMIT"}},
		{"SELECT * FROM shop ORDER BY a LIMIT 10001", []string{"10000"}},
		{"SELECT * FROM shop ORDER BY a + 1 LIMIT 1", []string{"ORDER BY an expression"}},
		{"SELECT * FROM n ORDER BY l LIMIT 1", []string{"ORDER BY l ARRAY<INT>"}},
		{"SELECT * FROM n WHERE l = '[1]'", []string{"a condition on l ARRAY<INT>"}},
		{"SELECT * FROM shop WHERE a = 1 FOR UPDATE", []string{"FOR UPDATE", "Fluss has no transactions"}},
		{"SELECT * FROM shop WHERE a = 1 LOCK IN SHARE MODE", []string{"Fluss has no transactions"}},
		{"SELECT * FROM shop FOR SYSTEM_TIME AS OF TIMESTAMP '2026-01-01 00:00:00'", []string{"time travel of a key table is not stored by Fluss", "scan.startup.mode=timestamp"}},
		{"SELECT * FROM shop$lake", []string{"shop$lake", "read by their own engines"}},
		{"SELECT * FROM l$binlog", []string{"l$binlog", "primary key"}},
		{"SELECT a FROM shop ORDER BY 1 LIMIT 1", []string{"ORDER BY an expression", "name a column"}},
		{"SELECT /*+ OFFSET('earliest') */ * FROM shop", []string{"reading", "by offset", "shop$changelog"}},
		{"SELECT /*+ FOLLOW */ * FROM shop", []string{"by offset"}},
		{"SELECT /*+ FULL_SCAN */ * FROM shop WHERE a = 1 AND b = 'p'", []string{"FULL_SCAN"}},
		{"SELECT /*+ BLIND */ * FROM shop", []string{"the hint BLIND in SELECT"}},
		{"SELECT * FROM shop /*! WHERE a = 1 */", []string{"executable comment"}},
		{"SELECT * FROM shop; DROP TABLE shop", []string{"more than one statement"}},
		{"SELECT * FROM shop WHERE a = ? AND b = :b", []string{"'?' mixed with ':name'"}},
		{"SELECT * FROM `a`.`b`.`c`", []string{"three parts"}},
		{"SAVEPOINT s", []string{"SAVEPOINT", "Fluss has no transactions"}},
		{"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", []string{"SET TRANSACTION", "Fluss has no transactions"}},
		{"LOCK TABLES shop WRITE", []string{"Fluss has no transactions"}},
	} {
		steps = append(steps, step{sql: c.sql, is: fluss.ErrUnsupported, words: c.words})
	}
	steps = append(steps,
		step{sql: "SELECT /*+ NOPE */ * FROM shop", is: fluss.ErrSyntax, words: []string{"unknown hint", "NOPE"}},
		step{sql: "SELECT A FROM shop", is: fluss.ErrColumnNotExist, words: []string{"column A", "did you mean a?"}},
		step{sql: "SELECT y.a FROM shop AS x", is: fluss.ErrColumnNotExist, words: []string{"y.a", "no table or alias y"}},
		step{sql: "SELECT _log_offset FROM shop WHERE a = 1", is: fluss.ErrColumnNotExist, words: []string{"_log_offset"}},
		step{sql: "SELECT * FROM shop LIMIT -1", is: fluss.ErrSyntax, words: []string{"a whole number or a parameter"}},
		step{sql: "SELECT * FROM shop LIMIT ?", args: []any{-1}, fails: true, words: []string{"LIMIT must not be negative", "-1"}},
		step{sql: "SELECT * FROM shop LIMIT ?", args: []any{nil}, fails: true, words: []string{"LIMIT", "NULL"}},
		step{sql: "SELECT * FROM shop LIMIT 3 OFFSET ?", args: []any{"x"}, fails: true, words: []string{"OFFSET"}},
		step{sql: "SELECT * FROM shop WHERE w LIKE 'x'", fails: true, words: []string{"LIKE needs a STRING or CHAR column"}},
		step{sql: "SELECT * FROM shop WHERE v", fails: true, words: []string{"column v is STRING"}},
		step{sql: "SELECT * FROM shop WHERE a = b", fails: true, words: []string{"cannot compare a INT", "b STRING"}},
	)
	play(t, db, steps)
}

// A whole read of a key table is refused over full_scan_rows, with the count and the ways out.
func TestSelectFullScan(t *testing.T) {
	few := ownWith(t, func(c *fluss.Config) { c.FullScanRows = 3 })
	none := ownWith(t, func(c *fluss.Config) { c.FullScan = "refuse" })
	any := ownWith(t, func(c *fluss.Config) { c.FullScan, c.FullScanRows = "allow", 3 })
	play(t, few, []step{
		{sql: shopTable},
		{sql: shopRows, rows: 6},
		{sql: "SELECT * FROM shop", is: fluss.ErrUnsupported, words: []string{"would read all 6 rows in 3 buckets", ".shop", "add LIMIT", "/*+ FULL_SCAN */", "name the full key (a, b)"}},
		{sql: "SELECT COUNT(*) FROM shop WHERE w > 0", is: fluss.ErrUnsupported, words: []string{"all 6 rows"}},
		{sql: "SELECT COUNT(*) FROM shop", want: []string{"6"}},
		{sql: "SELECT /*+ FULL_SCAN */ COUNT(*) FROM shop WHERE w > 0", want: []string{"5"}},
		{sql: "SELECT COUNT(*) FROM shop WHERE a = 3", want: []string{"3"}},
	})
	if got := len(queryAll(t, few, "SELECT * FROM shop LIMIT 4")); got != 4 {
		t.Errorf("LIMIT 4 gave %d rows", got)
	}
	play(t, none, []step{
		{sql: "SELECT * FROM shop", is: fluss.ErrUnsupported, words: []string{"full_scan is refuse", "name the full key (a, b)"}},
		{sql: "SELECT * FROM shop WHERE b = 'p'", is: fluss.ErrUnsupported, words: []string{"prefix lookup on", ".shop needs all of (a), got (b)", "name the full key (a, b)"}},
	})
	if got := len(queryAll(t, any, "SELECT * FROM shop")); got != 6 {
		t.Errorf("full_scan=allow gave %d rows", got)
	}
}

// Values in a select list beside a table, as statements have it that ask whether there is a row.
func TestSelectLiterals(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	play(t, db, []step{
		{sql: shopTable},
		{sql: shopRows, rows: 6},
		{sql: "SELECT 1 FROM shop WHERE a = 1 AND b = 'p'", names: "1", want: []string{"1"}},
		{sql: "SELECT 1 FROM shop WHERE a = 99 AND b = 'p' LIMIT 1"},
		{sql: "SELECT 'x' AS t, a, NULL, TRUE, 1.50, X'61', DATE '2026-08-01' FROM shop WHERE a = 1 AND b = 'p'", names: "t a NULL TRUE 1.50 X'61' DATE '2026-08-01'", want: []string{"x 1 NULL true 1.50 a 2026-08-01"}},
		{sql: "SELECT 1, b FROM shop WHERE a = 3", sort: true, want: []string{"1 x", "1 y", "1 z"}},
		{sql: "SELECT 7 AS n FROM shop ORDER BY a LIMIT 2", want: []string{"7", "7"}},
		{sql: "SELECT 7, _bucket FROM shop WHERE _bucket = 99"},
		{sql: "SELECT 1, 'two' FROM l LIMIT 2", want: []string{"1 two", "1 two"}},
		{sql: "SELECT id, 'k' FROM l WHERE kind = 'a' LIMIT 2", want: []string{"0 k", "2 k"}},
		{sql: "SELECT 1 FROM shop$binlog LIMIT 1", want: []string{"1"}},
		{sql: "SELECT EXISTS (SELECT 1 FROM l WHERE id = 3)", want: []string{"1"}},
		{sql: "SELECT EXISTS (SELECT 1 FROM l WHERE id = 33)", want: []string{"0"}},
		{sql: "SELECT 7 AS n FROM shop ORDER BY n LIMIT 2", is: fluss.ErrColumnNotExist, words: []string{"column n"}},
		{sql: "SELECT ? FROM shop WHERE a = 1 AND b = 'p'", args: []any{1}, is: fluss.ErrUnsupported, words: []string{"the expression ?"}},
		{sql: "SELECT ARRAY[1] FROM shop WHERE a = 1 AND b = 'p'", is: fluss.ErrUnsupported, words: []string{"the expression ARRAY[1]"}},
		{sql: "SELECT COUNT(*), 1 FROM shop", is: fluss.ErrUnsupported, words: []string{"beside other columns"}},
		{sql: "EXPLAIN SELECT 1 FROM l", want: []string{"scan of the log of " + database(t, db) + ".l, 1 buckets, from earliest, to the end seen at the start"}},
	})
	for query, want := range map[string][]string{"SELECT id, 'k' AS k FROM l LIMIT 2": {"0 k", "1 k"}, "SELECT 1 AS one, a FROM shop WHERE a = 1 LIMIT 1": {"1 1"}} {
		if got := arrowLines(t, db, query); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

// The result of a key that is not there is sql.ErrNoRows.
func TestSelectNoRows(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: shopTable}})
	var v sql.NullString
	if err := db.QueryRow("SELECT v FROM shop WHERE a = ? AND b = ?", 1, "p").Scan(&v); err != sql.ErrNoRows {
		t.Errorf("got %v, want sql.ErrNoRows", err)
	}
}
