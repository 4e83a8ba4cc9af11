package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
)

// Partitions come with the first row written to them, and never with a read, an UPDATE or a DELETE.
func TestPartitionsOfKeyTable(t *testing.T) {
	db := own(t)
	// The place of the partition columns in the primary key makes no difference.
	for i, key := range []string{"dt, a, b", "a, dt, b", "a, b, dt"} {
		tn := fmt.Sprintf("t%d", i)
		play(t, db, []step{
			{sql: "CREATE TABLE " + tn + " (a INT, b STRING, v STRING, dt STRING, PRIMARY KEY (" + key + ")) PARTITIONED BY (dt) DISTRIBUTED BY (a) INTO 2 BUCKETS"},
			{sql: "SHOW PARTITIONS " + tn, names: "partition name"},
			{sql: "SELECT COUNT(*) FROM " + tn, want: []string{"0"}},
			{sql: "SELECT * FROM " + tn, names: "a b v dt"},
			{sql: "DELETE FROM " + tn + " WHERE a = 1 AND b = 'x' AND dt = '2026'", rows: 0},
			{sql: "UPDATE " + tn + " SET v = 'y' WHERE a = 1 AND b = 'x' AND dt = '2026'", rows: 0},
			{sql: "SELECT * FROM " + tn + " WHERE a = 1 AND b = 'x' AND dt = '2026'"},
			{sql: "SELECT * FROM " + tn + " WHERE a = 1 AND dt = '2026'"},
			{sql: "SHOW PARTITIONS " + tn},
			{sql: "INSERT INTO " + tn + " VALUES (1, 'x', 'v1', '2026'), (1, 'y', 'v2', '2026'), (2, 'x', 'v3', '2026'), (1, 'x', 'v4', '2027'), (1, 'x', 'v5', 'a-b_c')", rows: 5},
			{sql: "SHOW PARTITIONS " + tn, want: []string{"dt=2026", "dt=2027", "dt=a-b_c"}},
			{sql: "SHOW PARTITIONS " + tn + " PARTITION (dt = '2027')", want: []string{"dt=2027"}},
			{sql: "SELECT v, _partition FROM " + tn + " WHERE a = 1 AND b = 'x' AND dt IN ('2027', 'no', '2026')", want: []string{"v4 2027", "v1 2026"}},
			{sql: "SELECT v, _partition FROM " + tn + " WHERE a = 1 AND dt = '2026'", sort: true, want: []string{"v1 2026", "v2 2026"}},
			{sql: "SELECT v FROM " + tn + " WHERE dt = '2026'", sort: true, want: []string{"v1", "v2", "v3"}},
			{sql: "SELECT v FROM " + tn + " WHERE dt >= '2027' AND b = 'x'", sort: true, want: []string{"v4", "v5"}},
			{sql: "SELECT v, _partition FROM " + tn + " WHERE dt > '2026' AND dt < '3'", want: []string{"v4 2027"}},
			{sql: "SELECT v FROM " + tn + " WHERE dt BETWEEN ? AND ?", args: []any{"2026", "2026"}, sort: true, want: []string{"v1", "v2", "v3"}},
			{sql: "SELECT v FROM " + tn + " WHERE dt LIKE '202_' AND NOT dt = '2026'", want: []string{"v4"}},
			{sql: "SELECT v FROM " + tn + " WHERE _partition = 'a-b_c'", want: []string{"v5"}},
			{sql: "SELECT v FROM " + tn + " WHERE _partition IN ('a-b_c', '2027') AND dt <> 'a-b_c'", want: []string{"v4"}},
			{sql: "SELECT v FROM " + tn + " WHERE dt = '2026' AND dt > '2026'"},
			{sql: "SELECT v FROM " + tn + " WHERE dt = '2026' OR v = 'v5'", sort: true, want: []string{"v1", "v2", "v3", "v5"}},
			{sql: "SELECT COUNT(*) FROM " + tn, want: []string{"5"}},
			{sql: "SELECT COUNT(*) FROM " + tn + " WHERE dt = '2026'", want: []string{"3"}},
			{sql: "SELECT COUNT(*) FROM " + tn + " WHERE dt IN ('2026', '2027', 'no')", want: []string{"4"}},
			{sql: "SELECT COUNT(*) FROM " + tn + " WHERE dt > '2026'", want: []string{"2"}},
			{sql: "SELECT COUNT(*) FROM " + tn + " WHERE _partition = '2027'", want: []string{"1"}},
			{sql: "SELECT COUNT(*) FROM " + tn + " WHERE dt = 'no'", want: []string{"0"}},
			{sql: "UPDATE " + tn + " SET v = 'w' WHERE a = 1 AND b = 'x' AND dt IN ('2026', 'no')", rows: 1},
			{sql: "DELETE FROM " + tn + " WHERE a = 1 AND b = 'y' AND dt = '2026'", rows: 1},
			{sql: "DELETE FROM " + tn + " WHERE a = 1 AND b = 'x' AND dt = 'no'", rows: 0},
			{sql: "SELECT a, b, v, dt FROM " + tn + " WHERE dt = '2026'", sort: true, want: []string{"1 x w 2026", "2 x v3 2026"}},
			{sql: "SHOW PARTITIONS " + tn, want: []string{"dt=2026", "dt=2027", "dt=a-b_c"}},
			{sql: "INSERT INTO " + tn + " VALUES (1, 'x', 'v', 'a/b')", is: fluss.ErrValue, words: []string{"a/b", "dt"}},
			{sql: "INSERT INTO " + tn + " VALUES (1, 'x', 'v', 'a=b')", is: fluss.ErrValue, words: []string{"a=b"}},
			{sql: "INSERT INTO " + tn + " VALUES (1, 'x', 'v', '')", is: fluss.ErrValue, words: []string{`""`, "empty"}},
			{sql: "INSERT INTO " + tn + " VALUES (1, 'x', 'v', NULL)", is: fluss.ErrValue, words: []string{"dt"}},
			{sql: "SHOW PARTITIONS " + tn, want: []string{"dt=2026", "dt=2027", "dt=a-b_c"}},
		})
	}
}

// Partition columns of every type that may be one, and two of them.
func TestPartitionColumnTypes(t *testing.T) {
	db := own(t)
	types := []struct{ typ, one, other, name, bound string }{
		{"STRING", "'a'", "'b'", "a", "p < 'b'"},
		{"CHAR(3)", "'abc'", "'xyz'", "abc", "p < 'b'"},
		{"INT", "-5", "7", "-5", "p < 0"},
		{"BIGINT", "-9223372036854775808", "9223372036854775807", "-9223372036854775808", "p <= -1"},
		{"TINYINT", "-128", "127", "-128", "p < 0"},
		{"SMALLINT", "300", "301", "300", "p < 301"},
		{"BOOLEAN", "TRUE", "FALSE", "true", "p = TRUE"},
		{"DATE", "DATE '1969-12-31'", "DATE '2026-08-01'", "1969-12-31", "p < DATE '1970-01-01'"},
		{"TIME(3)", "TIME '12:34:56.789'", "TIME '23:00:00'", "12-34-56_789", "p < TIME '13:00:00'"},
		{"TIMESTAMP(6)", "TIMESTAMP '2026-08-01 12:34:56.789'", "TIMESTAMP '2027-01-01 00:00:00'", "2026-08-01-12-34-56_789", "p BETWEEN TIMESTAMP '2026-01-01 00:00:00' AND TIMESTAMP '2026-12-31 00:00:00'"},
		{"TIMESTAMP_LTZ(3)", "TIMESTAMP '2026-08-01 12:34:56'", "TIMESTAMP '2027-01-01 00:00:00'", "2026-08-01-12-34-56_", "p < TIMESTAMP '2027-01-01 00:00:00'"},
		{"DOUBLE", "1.5", "2.5", "1_5", "p < 2"},
		{"FLOAT", "-0.25", "2.5", "-0_25", "p < 2"},
		{"BINARY(2)", "X'0aff'", "X'0b00'", "0aff", "p < X'0b00'"},
		{"BYTES", "X'0aff00'", "X'0b'", "0aff00", "p < X'0b'"},
	}
	// One table for all of them: each table that is created may be the one that the coordinator overlooks.
	create, key, one, other, spec, names := "CREATE TABLE t (id INT, v STRING", "id", "(1, 'one'", "(1, 'other'", "", []string{}
	for i, c := range types {
		p := fmt.Sprintf("p%d", i)
		create, key = create+", "+p+" "+c.typ, key+", "+p
		one, other = one+", "+c.one, other+", "+c.other
		spec, names = spec+", "+p+" = '"+c.name+"'", append(names, c.name)
	}
	partition := strings.Join(names, "$")
	by := strings.TrimPrefix(key, "id, ")
	play(t, db, []step{
		{sql: create + ", PRIMARY KEY (" + key + ")) PARTITIONED BY (" + by + ") WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES " + one + "), " + other + ")", rows: 2},
		{sql: "SELECT v, _partition FROM t WHERE _partition = '" + partition + "'", want: []string{"one " + partition}},
		{sql: "SELECT v, _partition FROM t WHERE (" + key + ") = " + strings.Replace(one, ", 'one'", "", 1) + ")", want: []string{"one " + partition}},
		{sql: "SELECT COUNT(*) FROM t WHERE (" + by + ") = " + strings.Replace(one, "1, 'one', ", "", 1) + ")", want: []string{"1"}},
	})
	for i, c := range types {
		p := fmt.Sprintf("p%d", i)
		bound := strings.ReplaceAll(c.bound, "p ", p+" ")
		play(t, db, []step{
			{sql: "SELECT v FROM t WHERE " + p + " = " + c.one, want: []string{"one"}},
			{sql: "SELECT v FROM t WHERE " + p + " IN (" + c.other + ", NULL) AND id = 1", want: []string{"other"}},
			{sql: "SELECT v FROM t WHERE " + bound, want: []string{"one"}},
			{sql: "SELECT COUNT(*) FROM t WHERE NOT (" + bound + ")", want: []string{"1"}},
		})
		if got := texts(queryAll(t, db, "SHOW PARTITIONS t PARTITION ("+p+" = '"+c.name+"')")); len(got) != 1 || !strings.Contains(got[0]+"/", p+"="+c.name+"/") {
			t.Errorf("SHOW PARTITIONS by %s: %q", p, got)
		}
	}
	play(t, db, []step{
		{sql: "DELETE FROM t WHERE (" + key + ") IN (" + strings.Replace(one, ", 'one'", "", 1) + "))", rows: 1},
		{sql: "ALTER TABLE t DROP PARTITION (" + strings.TrimPrefix(spec, ", ") + ")"},
		{sql: "SELECT v FROM t", want: []string{"other"}},
		{sql: "DROP TABLE t"},
	})
	play(t, db, []step{
		{sql: "CREATE TABLE x (p DECIMAL(5, 2), id INT) PARTITIONED BY (p)", fails: true, words: []string{"p", "DECIMAL"}},
		{sql: "CREATE TABLE x (p ARRAY<INT>, id INT) PARTITIONED BY (p)", fails: true, words: []string{"p", "ARRAY"}},
		{sql: "CREATE TABLE x (p STRING, id INT, PRIMARY KEY (id)) PARTITIONED BY (p)", fails: true, words: []string{"p"}},
		{sql: "CREATE TABLE x (p STRING, id INT) PARTITIONED BY (q)", fails: true, words: []string{"q"}},
		{sql: "CREATE TABLE x (id INT) WITH ('table.auto-partition.enabled' = 'true')", fails: true, words: []string{"partition"}},
		{sql: "CREATE TABLE x (id INT, p STRING) PARTITIONED BY (p, p)", fails: true, words: []string{"p"}},
		{sql: "SHOW TABLES"},
	})
}

func TestPartitionsOfLogTable(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE l (id INT, dt STRING, region STRING) PARTITIONED BY (dt, region) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO l VALUES (1, '2026', 'eu'), (2, '2026', 'us'), (3, '2027', 'eu'), (4, '2026', 'eu')", rows: 4},
		{sql: "SHOW PARTITIONS l", want: []string{"dt=2026/region=eu", "dt=2026/region=us", "dt=2027/region=eu"}},
		{sql: "SHOW PARTITIONS l PARTITION (region = 'eu')", want: []string{"dt=2026/region=eu", "dt=2027/region=eu"}},
		{sql: "SELECT id, _partition, _log_offset FROM l", sort: true, want: []string{"1 2026$eu 0", "2 2026$us 0", "3 2027$eu 0", "4 2026$eu 1"}},
		{sql: "SELECT id FROM l WHERE dt = '2026' AND region = 'eu'", want: []string{"1", "4"}},
		{sql: "SELECT id FROM l WHERE (dt, region) IN (('2026', 'us'), ('2027', 'eu'))", sort: true, want: []string{"2", "3"}},
		{sql: "SELECT id FROM l WHERE region = 'eu'", sort: true, want: []string{"1", "3", "4"}},
		{sql: "SELECT id FROM l WHERE dt < '2027' AND region <> 'eu'", want: []string{"2"}},
		{sql: "SELECT id FROM l WHERE dt = '2026' AND id > 1 LIMIT 5", sort: true, want: []string{"2", "4"}},
		{sql: "SELECT COUNT(*) FROM l WHERE dt = '2026'", want: []string{"3"}},
		{sql: "SELECT COUNT(*) FROM l WHERE region = 'no'", want: []string{"0"}},
		{sql: "INSERT INTO l VALUES (5, 'a$b', 'eu')", is: fluss.ErrValue, words: []string{"a$b"}},
	})
	if got := bucketFacts(t, db, "SHOW BUCKETS FROM l PARTITION (dt = '2026')"); strings.Join(got, ",") != "2026$eu 0 0 2 2,2026$us 0 0 1 1" {
		t.Errorf("SHOW BUCKETS: %q", got)
	}
	for _, query := range []string{"SELECT id FROM l WHERE dt > '2026'", "SELECT id FROM l WHERE dt = '2026' AND region = 'eu'"} {
		if got := strings.Join(texts(queryAll(t, db, "EXPLAIN "+query)), "\n"); !strings.Contains(got, "partitions restricted") || strings.Contains(got, "filter") {
			t.Errorf("EXPLAIN %s: %s", query, got)
		}
	}
}

func TestAlterPartition(t *testing.T) {
	db := own(t)
	name := database(t, db)
	play(t, db, []step{
		{sql: "CREATE TABLE l (id INT, dt DATE, n INT) PARTITIONED BY (dt, n) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE plain (id INT) WITH ('bucket.num' = '1')"},
		{sql: "ALTER TABLE l ADD PARTITION (dt = '2026-08-01', n = -1)"},
		{sql: "ALTER TABLE l ADD PARTITION (n = '-1', dt = DATE '2026-08-01')", is: fluss.ErrPartitionExists, words: []string{"2026-08-01"}},
		{sql: "ALTER TABLE l ADD IF NOT EXISTS PARTITION (dt = '2026-08-01', n = -1)"},
		{sql: "SHOW PARTITIONS l", want: []string{"dt=2026-08-01/n=-1"}},
		{sql: "INSERT INTO l VALUES (1, DATE '2026-08-01', -1), (2, DATE '2026-08-02', 5)", rows: 2},
		{sql: "ALTER TABLE l DROP PARTITION (dt = '2026-08-02', n = 5)"},
		{sql: "SELECT id FROM l", want: []string{"1"}},
		{sql: "ALTER TABLE l DROP PARTITION (dt = '2026-08-02', n = 5)", is: fluss.ErrPartitionNotExist, words: []string{"2026-08-02"}},
		{sql: "ALTER TABLE l DROP IF EXISTS PARTITION (dt = '2026-08-02', n = 5)"},
		{sql: "INSERT INTO l VALUES (3, DATE '2026-08-02', 5)", rows: 1},
		{sql: "SELECT id FROM l WHERE n = 5", want: []string{"3"}},
		{sql: "ALTER TABLE l ADD PARTITION (dt = '2026-08-01')", fails: true, words: []string{"dt, n", "n is missing"}},
		{sql: "ALTER TABLE l ADD PARTITION (dt = 'x', n = 1)", is: fluss.ErrValue, words: []string{"dt"}},
		{sql: "ALTER TABLE l ADD PARTITION (dt = '2026-08-01', n = 1, id = 3)", fails: true, words: []string{"partitioned by dt, n, not by id"}},
		{sql: "ALTER TABLE plain ADD PARTITION (dt = '1')", is: fluss.ErrUnsupported, words: []string{name + ".plain is not partitioned"}},
		{sql: "SHOW PARTITIONS plain", is: fluss.ErrUnsupported, words: []string{"not partitioned"}},
	})
	static := ownWith(t, func(c *fluss.Config) { c.DisableDynamicPartitions = true })
	play(t, static, []step{
		{sql: "INSERT INTO l VALUES (4, DATE '2030-01-01', 1)", is: fluss.ErrPartitionNotExist, words: []string{"2030-01-01$1", "dynamic_partitions"}},
		{sql: "INSERT INTO l VALUES (4, DATE '2026-08-01', -1)", rows: 1},
	})
}

// A value that the coordinator would never make a partition of, and so never drop, is refused by a write. Who wants it
// says ADD PARTITION.
func TestAutoPartition(t *testing.T) {
	db := own(t)
	for _, c := range []struct{ unit, good, bad string }{
		{"QUARTER", "20314", "20315"}, {"DAY", "20310228", "2031-02-28"},
	} {
		tn := "auto_" + strings.ToLower(c.unit)
		play(t, db, []step{
			{sql: "CREATE TABLE " + tn + " (id INT, dt STRING) PARTITIONED BY (dt) WITH ('bucket.num' = '1', 'table.auto-partition.enabled' = 'true', 'table.auto-partition.time-unit' = '" + c.unit + "', 'table.auto-partition.num-precreate' = '0')"},
			{sql: "INSERT INTO " + tn + " VALUES (1, '" + c.good + "')", rows: 1},
			{sql: "INSERT INTO " + tn + " VALUES (2, '" + c.bad + "')", is: fluss.ErrValue, words: []string{c.bad, "made by time", strings.ToLower(c.unit)}},
			{sql: "ALTER TABLE " + tn + " ADD PARTITION (dt = '" + c.bad + "')"},
			{sql: "INSERT INTO " + tn + " VALUES (2, '" + c.bad + "')", rows: 1},
			{sql: "SELECT id FROM " + tn, sort: true, want: []string{"1", "2"}},
		})
	}
}
