package conformance

import (
	"os"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/conformance/cluster"
	"github.com/gofluss/fluss/flusstest"
)

// lakeDSN starts a cluster of the target's kind with a Paimon lake.
func lakeDSN(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("FLUSS_TARGET"); name == "" || name == "embedded" {
		return flusstest.Run(t, flusstest.Lake("paimon")).DSN()
	}
	return OwnCluster(t, cluster.Options{Lake: true}).DSN("fluss")
}

// TestLakeCluster has tables in a lake: made, written and read as any, with the lake's keys; what the cluster tells of its
// lake in them is no part of them.
func TestLakeCluster(t *testing.T) {
	db := openDSN(t, lakeDSN(t))
	play(t, db, []step{
		{sql: "CREATE DATABASE in_lake"},
		{sql: "CREATE TABLE in_lake.k (a INT, v STRING, PRIMARY KEY (a) NOT ENFORCED) WITH ('bucket.num' = '3', 'table.datalake.enabled' = 'true', 'table.datalake.freshness' = '5min', 'paimon.file.format' = 'parquet')"},
		{sql: "INSERT INTO in_lake.k VALUES (1, 'a'), (2, 'b'), (3, 'c')", rows: 3},
		{sql: "SELECT _bucket, a FROM in_lake.k", want: []string{"1 1", "1 3", "2 2"}, sort: true}, // as Paimon has it
		{sql: "SELECT v FROM in_lake.k WHERE a IN (3, 1)", want: []string{"c", "a"}},
		{sql: "UPDATE in_lake.k SET v = 'B' WHERE a = 2", rows: 1},
		{sql: "SELECT v FROM in_lake.k WHERE a = 2", want: []string{"B"}},
		{sql: "EXPLAIN SELECT v FROM in_lake.k WHERE a = 2", want: []string{"point lookup on in_lake.k by primary key (a), bucket key (a), 3 buckets", "  reads the Fluss layer only, not the lake (paimon)"}},
		{sql: "SELECT * FROM in_lake.k$lake", is: fluss.ErrUnsupported, words: []string{"lake files are read by their own engines"}},
		{sql: "CREATE TABLE in_lake.p (a INT, dt STRING, v STRING, PRIMARY KEY (a, dt) NOT ENFORCED) PARTITIONED BY (dt) WITH ('table.datalake.enabled' = 'true')"},
		{sql: "INSERT INTO in_lake.p VALUES (1, 'x', 'a'), (1, 'y', 'b')", rows: 2},
		{sql: "SELECT v FROM in_lake.p WHERE a = 1 AND dt = 'y'", want: []string{"b"}},
		{sql: "CREATE TABLE in_lake.l (a INT, v STRING) WITH ('table.datalake.enabled' = 'true')"},
		{sql: "INSERT INTO in_lake.l VALUES (1, 'a')", rows: 1},
		{sql: "SELECT v FROM in_lake.l", want: []string{"a"}},

		// a table of such a cluster has the lake's keys from the start, and may go into the lake later
		{sql: "CREATE TABLE in_lake.later (a INT, v STRING, PRIMARY KEY (a) NOT ENFORCED)"},
		{sql: "INSERT INTO in_lake.later VALUES (1, 'a')", rows: 1},
		{sql: "ALTER TABLE in_lake.later SET ('table.datalake.enabled' = 'true')"},
		{sql: "SELECT v FROM in_lake.later WHERE a = 1", want: []string{"a"}},
		{sql: "ALTER TABLE in_lake.later SET ('paimon.file.format' = 'orc')", fails: true, words: []string{"paimon.file.format", "not supported to alter"}},
		{sql: "ALTER TABLE in_lake.later SET ('table.datalake.enabled' = 'false')"},

		{sql: "CALL sys.get_cluster_configs('datalake.format', 'datalake.paimon.metastore')", want: []string{"datalake.format paimon INITIAL_SERVER_CONFIG", "datalake.paimon.metastore filesystem INITIAL_SERVER_CONFIG"}},
		{sql: "CALL sys.set_cluster_configs('datalake.paimon.s3.secret-key', 'hidden-w0rd')", want: []string{"Successfully set to '******' configuration 'datalake.paimon.s3.secret-key'. "}},
		{sql: "CALL sys.get_cluster_configs('datalake.paimon.s3.secret-key')", want: []string{"datalake.paimon.s3.secret-key ****** DYNAMIC_SERVER_CONFIG"}},
		{sql: "CALL sys.reset_cluster_configs('datalake.paimon.s3.secret-key')", want: []string{"Successfully deleted (reset to default) configuration 'datalake.paimon.s3.secret-key'. "}},
		{sql: "CALL sys.set_cluster_configs('datalake.format', 'iceberg')", fails: true, words: []string{"Invalid configuration 'datalake.paimon.metastore' for 'iceberg' datalake format"}},
	})
	for _, name := range []string{"k", "p", "l", "later"} {
		text := queryAll(t, db, "SHOW CREATE TABLE in_lake."+name)[0][1].(string)
		if strings.Contains(text, "metastore") || strings.Contains(text, "warehouse") || !strings.Contains(text, "'table.datalake.format' = 'paimon'") {
			t.Errorf("%s", text)
		}
		mustExec(t, db, "CREATE DATABASE IF NOT EXISTS again")
		mustExec(t, db, strings.Replace(text, "CREATE TABLE ", "CREATE TABLE again.", 1))
		if got := queryAll(t, db, "SHOW CREATE TABLE again."+name)[0][1].(string); got != text {
			t.Errorf("got  %s\nwant %s", got, text)
		}
	}
}
