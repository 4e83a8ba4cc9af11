package conformance

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/internal/catalog"
)

// createdTables are CREATE TABLE statements of every shape, for the table named %s.
var createdTables = []string{
	"CREATE TABLE %s (id INT)",
	"CREATE TABLE %s (id INT NOT NULL COMMENT 'it''s \\\\ the \"id\"', v STRING) COMMENT 'a `log`' WITH ('bucket.num' = '3', 'owner' = 'x''y', 'table.log.ttl' = '2d')",
	"CREATE TABLE %s (a INT, b STRING, v DECIMAL(38, 18), PRIMARY KEY (a, b) NOT ENFORCED) DISTRIBUTED BY (a) INTO 2 BUCKETS",
	"CREATE TABLE %s (`select` INT, `od``d` STRING, `zwei Wörter` BIGINT, PRIMARY KEY (`select`, `od``d`))",
	"CREATE TABLE %s (a INT, dt STRING, v STRING, PRIMARY KEY (a, dt)) PARTITIONED BY (dt) WITH ('table.auto-partition.enabled' = 'true', 'table.auto-partition.time-unit' = 'DAY', 'bucket.num' = '2')",
	"CREATE TABLE %s (a INT, dt STRING, region STRING) PARTITIONED BY (dt, region) DISTRIBUTED BY (a) INTO 2 BUCKETS",
	"CREATE TABLE %s (a INT, x ARRAY<INT NOT NULL>, y MAP<STRING, ARRAY<DECIMAL(4, 1)>>, z ROW<a INT COMMENT 'inner', `b c` ROW<c STRING NOT NULL> NOT NULL>, t TIME(3), ts TIMESTAMP(9), tz TIMESTAMP_LTZ(0) NOT NULL, c CHAR(5), bin BINARY(3), f FLOAT, d DOUBLE, bo BOOLEAN, ti TINYINT, si SMALLINT, byt BYTES, da DATE)",
	"CREATE TABLE %s (a INT, v BIGINT, PRIMARY KEY (a)) WITH ('table.merge-engine' = 'versioned', 'table.merge-engine.versioned.ver-column' = 'v')",
	"CREATE TABLE %s (a INT, v BIGINT, PRIMARY KEY (a)) WITH ('table.merge-engine' = 'first_row', 'table.log.format' = 'compacted', 'table.kv.format' = 'indexed')",
	"CREATE TABLE %s (a INT, s BIGINT, l STRING, PRIMARY KEY (a)) WITH ('table.merge-engine' = 'aggregation', 'fields.s.agg' = 'sum', 'fields.l.agg' = 'listagg', 'fields.l.listagg.delimiter' = ';')",
	"CREATE TABLE %s (a STRING, uid BIGINT, PRIMARY KEY (a)) WITH ('auto-increment.fields' = 'uid', 'table.changelog.image' = 'wal')",
	"CREATE TABLE %s (a INT, b INT, PRIMARY KEY (a, b)) WITH ('bucket.key' = 'a', 'table.kv.format-version' = '1', 'table.datalake.format' = 'paimon')",
	"CREATE TABLE %s (a INT, PRIMARY KEY (a)) WITH ('table.datalake.freshness' = '5min', 'table.log.arrow.compression.type' = 'ZSTD', 'table.log.arrow.compression.zstd.level' = '5', 'client.connect-timeout' = '1s')",
}

// The text of SHOW CREATE TABLE, executed again, gives the same descriptor.
func TestShowCreateTable(t *testing.T) {
	db := own(t)
	name := database(t, db)
	again := secondDatabase(t, db)
	for i, create := range createdTables {
		table := fmt.Sprintf("t%d", i)
		if _, err := db.ExecContext(timeout(t), fmt.Sprintf(create, table)); err != nil {
			t.Errorf("%s: %v", create, err)
			continue
		}
		want := descriptorText(tableOf(t, name, table))
		var shown, text string
		if err := db.QueryRowContext(timeout(t), "SHOW CREATE TABLE "+table).Scan(&shown, &text); err != nil || shown != table {
			t.Errorf("SHOW CREATE TABLE %s: %q %v", table, shown, err)
			continue
		}
		if _, err := again.ExecContext(timeout(t), text); err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		if got := descriptorText(tableOf(t, name+"_again", table)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
	t.Logf("%d tables", len(createdTables))
	play(t, db, []step{
		{sql: "CREATE TABLE shown (id INT, v STRING COMMENT 'c', PRIMARY KEY (id)) COMMENT 'x' WITH ('bucket.num' = '2', 'owner' = 'me')"},
		{sql: "SHOW CREATE TABLE nope", is: fluss.ErrTableNotExist, words: []string{name + ".nope"}},
		{sql: "SHOW CREATE TABLE shown$changelog", is: fluss.ErrUnsupported, words: []string{"shown$changelog"}},
	})
	text := texts(queryAll(t, db, "SHOW CREATE TABLE shown"))[0]
	for _, want := range []string{"shown CREATE TABLE `shown` (\n  `id` INT NOT NULL,\n  `v` STRING COMMENT 'c',\n  PRIMARY KEY (`id`) NOT ENFORCED\n) COMMENT 'x'\nDISTRIBUTED BY (`id`) INTO 2 BUCKETS\nWITH (", "'owner' = 'me'"} {
		if !strings.Contains(text, want) {
			t.Errorf("got  %s\nwant %s", text, want)
		}
	}
}

// secondDatabase opens another database of the test's own. Like the first it stays until all tests are done: a 0.9.1
// coordinator that has to drop a partitioned table while it creates the table's partitions gives no table a leader any
// more (CoordinatorRequestBatch keeps what it could not send).
func secondDatabase(t *testing.T, db *sql.DB) *sql.DB {
	t.Helper()
	name := database(t, db) + "_again"
	mustExec(t, db, "CREATE DATABASE "+name)
	databases.Lock()
	databases.made[t.Name()+" again"] = name
	databases.Unlock()
	return ownWith(t, func(c *fluss.Config) { c.Database = name })
}

func descriptorText(t *catalog.Table) string { return string(catalog.EncodeDescriptor(&t.Descriptor)) }

func TestShowBuckets(t *testing.T) {
	db := own(t)
	name := database(t, db)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE w (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.changelog.image' = 'wal')"},
		{sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '3')"},
		{sql: "INSERT INTO k VALUES (1, 'a'), (2, 'b')", rows: 2},
		{sql: "INSERT INTO k VALUES (1, 'c')", rows: 1},
		{sql: "INSERT INTO w VALUES (1, 'c')", rows: 1},
		{sql: "INSERT INTO l VALUES (1), (2), (3)", rows: 3},
		{sql: "SHOW BUCKETS FROM nope", is: fluss.ErrTableNotExist, words: []string{name + ".nope"}},
		{sql: "SHOW BUCKETS FROM k PARTITION (id = 1)", is: fluss.ErrUnsupported, words: []string{"PARTITION", "not partitioned"}},
	})
	// partition, bucket, leader, replicas, earliest, latest, rows
	if got := bucketFacts(t, db, "SHOW BUCKETS FROM k"); !slices.Equal(got, []string{"NULL 0 0 4 2"}) {
		t.Errorf("k: %q", got)
	}
	if got := bucketFacts(t, db, "SHOW BUCKETS FROM w"); !slices.Equal(got, []string{"NULL 0 0 1 NULL"}) {
		t.Errorf("w: %q", got)
	}
	got := bucketFacts(t, db, "SHOW BUCKETS FROM l IN "+name)
	if slices.Sort(got); len(got) != 3 || !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, " 0 3 3") }) {
		t.Errorf("l: %q", got)
	}
}

// bucketFacts prints partition, bucket, earliest, latest and rows, and checks that there is a leader among the replicas.
func bucketFacts(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	var out []string
	for _, r := range queryAll(t, db, query) {
		if len(r) != 7 || r[2] == nil || !slices.Contains(strings.Split(fmt.Sprint(r[3]), ","), fmt.Sprint(r[2])) {
			t.Errorf("%s: leader and replicas of %v", query, r)
			continue
		}
		out = append(out, texts([][]any{{r[0], r[1], r[4], r[5], r[6]}})...)
	}
	return out
}

func TestShowCluster(t *testing.T) {
	db := own(t)
	rows := queryAll(t, db, "SHOW CLUSTER")
	roles := map[any]int{}
	for _, r := range rows {
		roles[r[0]]++
		if r[2] == "" || r[3].(int64) <= 0 || r[0] == "tablet" && r[4] != "0.9.1" {
			t.Errorf("server %v", r)
		}
	}
	if roles["coordinator"] != 1 || roles["tablet"] < 1 || len(roles) != 2 {
		t.Errorf("SHOW CLUSTER: %v", rows)
	}
}

func TestShowColumns(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, name STRING COMMENT 'who', nick STRING NOT NULL, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "SHOW COLUMNS FROM t LIKE 'n%'", want: []string{"name STRING YES  NULL  who", "nick STRING NO  NULL  "}},
		{sql: "SHOW FULL COLUMNS FROM t LIKE 'name'", names: "Field Type Collation Null Key Default Extra Privileges Comment", want: []string{"name STRING NULL YES  NULL   who"}},
	})
}
