package conformance

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/wire"
)

// tableOf asks the server for a table, past database/sql.
func tableOf(t *testing.T, database, table string) *catalog.Table {
	t.Helper()
	cfg, err := fluss.ParseDSN(Target(t))
	if err != nil {
		t.Fatal(err)
	}
	rc := route.Config{Addresses: cfg.Addresses, AttemptTimeout: cfg.AttemptTimeout, RequestTimeout: cfg.RequestTimeout,
		Wire: wire.Config{ClientName: "conformance", ClientVersion: "0", MaxResponse: int(cfg.MaxResponseBytes), ConnectTimeout: cfg.ConnectTimeout}}
	if cfg.User != "" {
		rc.Wire.SASL = &wire.Credentials{User: cfg.User, Password: cfg.Password}
	}
	client := route.New(rc)
	defer client.Close()
	found, err := client.Table(timeout(t), catalog.TablePath{Database: database, Table: table})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Every type, as Flink and as MySQL write it, and what DESCRIBE says about it.
func TestCreateTypes(t *testing.T) {
	db := own(t)
	types := []struct{ written, stored string }{
		{"BOOLEAN", "BOOLEAN"}, {"TINYINT", "TINYINT"}, {"SMALLINT", "SMALLINT"}, {"INT", "INT"}, {"BIGINT", "BIGINT"}, {"FLOAT", "FLOAT"}, {"DOUBLE", "DOUBLE"},
		{"CHAR(5)", "CHAR(5)"}, {"STRING", "STRING"}, {"BINARY(3)", "BINARY(3)"}, {"BYTES", "BYTES"}, {"DECIMAL(38, 18)", "DECIMAL(38,18)"}, {"DECIMAL(5)", "DECIMAL(5,0)"}, {"DECIMAL", "DECIMAL(10,0)"},
		{"DATE", "DATE"}, {"TIME(3)", "TIME(3)"}, {"TIME", "TIME(0)"}, {"TIMESTAMP(9)", "TIMESTAMP(9)"}, {"TIMESTAMP", "TIMESTAMP(6)"}, {"TIMESTAMP_LTZ(0)", "TIMESTAMP_LTZ(0)"}, {"TIMESTAMP_LTZ", "TIMESTAMP_LTZ(6)"},
		{"ARRAY<INT>", "ARRAY<INT>"}, {"MAP<STRING, ARRAY<DECIMAL(4, 1)>>", "MAP<STRING NOT NULL, ARRAY<DECIMAL(4,1)>>"}, {"ROW<a INT, b ROW<c STRING NOT NULL>>", "ROW<`a` INT, `b` ROW<`c` STRING NOT NULL>>"},
		{"INTEGER", "INT"}, {"VARCHAR(20)", "STRING"}, {"TEXT", "STRING"}, {"longtext", "STRING"}, {"BOOL", "BOOLEAN"}, {"DATETIME(3)", "TIMESTAMP(3)"}, {"BLOB", "BYTES"}, {"LONGBLOB", "BYTES"},
		{"VARBINARY(16)", "BYTES"}, {"BIGINT(20)", "BIGINT"}, {"decimal(15,2)", "DECIMAL(15,2)"},
	}
	for _, options := range []string{", PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num' = '1')", ") WITH ('bucket.num' = '1')"} {
		create, want := "CREATE TABLE t (k INT NOT NULL", []string{}
		key := ""
		if strings.HasPrefix(options, ",") {
			key = "PRI"
		}
		want = append(want, strings.TrimRight("k INT NO "+key+" NULL bucket key ", " ")+" ")
		if key == "" {
			want[0] = "k INT NO  NULL  "
		}
		for i, ty := range types {
			name := "c" + string(rune('a'+i/10)) + string(rune('0'+i%10))
			create += ", " + name + " " + ty.written + ", " + name + "n " + ty.written + " NOT NULL"
			want = append(want, name+" "+ty.stored+" YES  NULL  ", name+"n "+ty.stored+" NO  NULL  ")
		}
		play(t, db, []step{
			{sql: "DROP TABLE IF EXISTS t"},
			{sql: create + options},
			{sql: "DESCRIBE t", names: "Field Type Null Key Default Extra Comment", want: want},
			{sql: "SHOW COLUMNS FROM t", want: want},
		})
	}
	t.Logf("%d types", len(types))
}

// What CREATE TABLE says beside the columns arrives at the server.
func TestCreateOptions(t *testing.T) {
	db := own(t)
	name := database(t, db)
	play(t, db, []step{
		{sql: "CREATE TABLE plain (id INT, v STRING, PRIMARY KEY (id))"},
		{sql: "CREATE TABLE inline (id INT PRIMARY KEY, v STRING) WITH ('bucket.num' = '3')"},
		{sql: "CREATE TABLE spread (a INT, b STRING, v STRING, PRIMARY KEY (a, b) NOT ENFORCED) COMMENT 'the ''table''' DISTRIBUTED BY (a) INTO 5 BUCKETS"},
		{sql: "CREATE TABLE hashed (a INT COMMENT 'first', b STRING NOT NULL COMMENT 'it''s') DISTRIBUTED BY HASH(a, b) INTO 2 BUCKETS"},
		{sql: "CREATE TABLE optioned (a INT, b STRING, PRIMARY KEY (a, b)) WITH ('bucket.num' = '2', 'bucket.key' = 'b', 'table.log.ttl' = '3d', " +
			"'table.kv.format' = 'indexed', 'table.log.format' = 'arrow', 'table.log.arrow.compression.type' = 'LZ4_FRAME', 'owner' = 'me', 'x.y' = 'z')"},
		{sql: "CREATE TABLE rows_log (a INT) WITH ('bucket.num' = '1', 'table.log.format' = 'indexed')"},
		{sql: "CREATE TABLE compact (a INT, v STRING, PRIMARY KEY (a)) WITH ('bucket.num' = '1', 'table.kv.format' = 'indexed', 'table.log.format' = 'compacted')"},
		{sql: "INSERT INTO compact VALUES (1, 'x')", rows: 1},
		{sql: "SELECT _change_type, v FROM compact$changelog", want: []string{"insert x"}},
		{sql: "DESC hashed", want: []string{"a INT YES  NULL bucket key first", "b STRING NO  NULL bucket key it's"}},
		{sql: "DESC spread", want: []string{"a INT NO PRI NULL bucket key ", "b STRING NO PRI NULL  ", "v STRING YES  NULL  "}},
		{sql: "SHOW COLUMNS FROM inline IN " + name, want: []string{"id INT NO PRI NULL bucket key ", "v STRING YES  NULL  "}},
		{sql: "INSERT INTO rows_log VALUES (1), (NULL)", rows: 2},
		{sql: "SELECT a FROM rows_log", want: []string{"1", "NULL"}},
		{sql: "INSERT INTO optioned VALUES (1, 'x'), (2, 'y')", rows: 2},
		{sql: "SELECT a FROM optioned WHERE b = 'y' AND a = 2", want: []string{"2"}},
	})
	for _, c := range []struct {
		table   string
		buckets int
		key     string // bucket key
		comment string
	}{
		{"inline", 3, "[0]", ""}, {"spread", 5, "[0]", "the 'table'"}, {"hashed", 2, "[0 1]", ""}, {"optioned", 2, "[1]", ""}, {"rows_log", 1, "[]", ""},
	} {
		got := tableOf(t, name, c.table)
		if got.BucketCount != c.buckets || printed(got.BucketCols) != c.key || got.Comment != c.comment {
			t.Errorf("%s: %d buckets by %v, comment %q, want %d by %s, %q", c.table, got.BucketCount, got.BucketCols, got.Comment, c.buckets, c.key, c.comment)
		}
	}
	got := tableOf(t, name, "optioned")
	for k, want := range map[string]string{"table.log.ttl": "3d", "table.kv.format": "indexed", "table.log.arrow.compression.type": "LZ4_FRAME"} {
		if got.Properties[k] != want {
			t.Errorf("property %s is %q, want %q", k, got.Properties[k], want)
		}
	}
	if printed(got.CustomProperties) != "map[owner:me x.y:z]" {
		t.Errorf("custom properties %v", got.CustomProperties)
	}
}

func TestCreateRefusals(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (a INT PRIMARY KEY) WITH ('table.kv.format' = 'INDEXED', 'table.log.format' = 'indexed')", is: fluss.ErrUnsupported,
			words: []string{"'table.kv.format' = 'indexed'", "fails every write", "'arrow' or 'compacted'"}},
		{sql: "CREATE TABLE t (a INT PRIMARY KEY) WITH ('table.log.format' = 'indexed')", fails: true, words: []string{"supports ARROW or COMPACTED log format"}},
		{sql: "CREATE TABLE t (a INT, a STRING)", fails: true, words: []string{"column a is defined twice"}},
		{sql: "CREATE TABLE t (a INT PRIMARY KEY, b INT, PRIMARY KEY (b))", fails: true, words: []string{"more than one PRIMARY KEY"}},
		{sql: "CREATE TABLE t (a INT, PRIMARY KEY (b))", fails: true, words: []string{"no column b"}},
		{sql: "CREATE TABLE t (a INT, PRIMARY KEY (a, a))", fails: true, words: []string{"column a twice"}},
		{sql: "CREATE TABLE t (a DECIMAL(39, 2))", fails: true, words: []string{"column a", "precision must be 1 to 38, got 39"}},
		{sql: "CREATE TABLE t (a DECIMAL(5, 6))", fails: true, words: []string{"scale must be 0 to 5, got 6"}},
		{sql: "CREATE TABLE t (a TIMESTAMP(10))", fails: true, words: []string{"precision must be 0 to 9, got 10"}},
		{sql: "CREATE TABLE t (a CHAR(0))", fails: true, words: []string{"length must be 1 to"}},
		{sql: "CREATE TABLE t (a INT) WITH ('bucket.num' = 'x')", fails: true, words: []string{"bucket.num must be a positive number", "x"}},
		{sql: "CREATE TABLE t (a INT) WITH ('bucket.num' = '0')", fails: true, words: []string{"bucket.num must be a positive number"}},
		{sql: "CREATE TABLE t (a INT) WITH ('bucket.key' = 'b')", fails: true, words: []string{"bucket key", "no column", "b"}},
		{sql: "CREATE TABLE t (a INT) WITH ('x' = '1', 'x' = '2')", fails: true, words: []string{"option", "x", "twice"}},
		{sql: "CREATE TABLE t (a INT) DISTRIBUTED BY (a) INTO 2 BUCKETS WITH ('bucket.num' = '3')", fails: true, words: []string{"bucket.num is 3", "DISTRIBUTED BY says 2"}},
		{sql: "CREATE TABLE t (a INT) DISTRIBUTED BY (a) INTO 2 BUCKETS WITH ('bucket.key' = 'a')", fails: true, words: []string{"bucket key is given twice"}},
		{sql: "CREATE TABLE t (a INT) WITH ('table.no.such' = '1')", fails: true, words: []string{"table.no.such"}},          // the server's
		{sql: "CREATE TABLE t (a INT) WITH ('table.log.format' = 'avro')", fails: true, words: []string{"avro"}},             // the server's
		{sql: "CREATE TABLE t (a ARRAY<INT>, PRIMARY KEY (a))", fails: true, words: []string{"a"}},                           // the server's
		{sql: "CREATE TABLE t (a INT, b INT, PRIMARY KEY (a)) WITH ('bucket.key' = 'b')", fails: true, words: []string{"b"}}, // the server's
		{sql: "CREATE TABLE t (a BIGINT UNSIGNED)", is: fluss.ErrUnsupported, words: []string{"UNSIGNED", "next wider type"}},
		{sql: "CREATE TABLE t (a INT DEFAULT 5)", is: fluss.ErrUnsupported, words: []string{"DEFAULT", "no default values"}},
		{sql: "CREATE TABLE t (a INT, UNIQUE (a))", is: fluss.ErrUnsupported, words: []string{"UNIQUE", "no other index"}},
		{sql: "CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES u (a))", is: fluss.ErrUnsupported, words: []string{"FOREIGN KEY"}},
		{sql: "CREATE TABLE t (a JSON)", is: fluss.ErrUnsupported, words: []string{"the type JSON"}},
		{sql: "CREATE INDEX i ON t (a)", is: fluss.ErrUnsupported, words: []string{"CREATE INDEX"}},
		{sql: "CREATE VIEW v AS SELECT 1", is: fluss.ErrUnsupported, words: []string{"CREATE VIEW"}},
		{sql: "CREATE CATALOG c WITH ('type' = 'fluss')", is: fluss.ErrUnsupported, words: []string{"CREATE CATALOG", "DSN"}},
		{sql: "CREATE MATERIALIZED TABLE t AS SELECT 1", is: fluss.ErrUnsupported, words: []string{"CREATE MATERIALIZED TABLE"}},
		{sql: "DROP TABLE a, b", is: fluss.ErrUnsupported, words: []string{"several tables"}},
		{sql: "CREATE TABLE t (a INT", is: fluss.ErrSyntax, words: []string{"line 1 column 22"}},
		{sql: "SHOW TABLES"},
	})
}

// Databases and tables come and go; SHOW lists what is there.
func TestCatalogStatements(t *testing.T) {
	db := own(t)
	name := database(t, db)
	other := name + "_other"
	t.Cleanup(func() { mustExec(t, db, "DROP DATABASE IF EXISTS "+other+" CASCADE") })
	play(t, db, []step{
		{sql: "SHOW TABLES", names: "Tables_in_" + name},
		{sql: "CREATE TABLE b1 (id INT)"},
		{sql: "CREATE TABLE " + name + ".a1 (id INT)"},
		{sql: "CREATE TABLE IF NOT EXISTS a1 (other STRING)"},
		{sql: "CREATE TABLE a1 (other STRING)", is: fluss.ErrTableExists, words: []string{"a1"}},
		{sql: "DESCRIBE a1", want: []string{"id INT YES  NULL  "}},
		{sql: "SHOW TABLES", want: []string{"a1", "b1"}},
		{sql: "SHOW TABLES FROM " + name + " LIKE 'b%'", want: []string{"b1"}},
		{sql: "SHOW FULL TABLES", names: "Tables_in_" + name + " Table_type", want: []string{"a1 BASE TABLE", "b1 BASE TABLE"}},
		{sql: "SHOW DATABASES LIKE '" + name + "'", names: "Database", want: []string{name}},
		{sql: "CREATE DATABASE IF NOT EXISTS " + name},
		{sql: "CREATE DATABASE " + name, is: fluss.ErrDatabaseExists, words: []string{name}},
		{sql: "CREATE DATABASE " + other + " COMMENT 'mine' WITH ('owner' = 'me')"},
		{sql: "SHOW DATABASES LIKE '" + name + "%'", want: []string{name, other}},
		{sql: "CREATE TABLE " + other + ".t (id INT)"},
		{sql: "DROP DATABASE " + other, fails: true, words: []string{other}},
		{sql: "DROP DATABASE " + other + " RESTRICT", fails: true, words: []string{other}},
		{sql: "SHOW TABLES IN " + other, want: []string{"t"}},
		{sql: "DROP DATABASE " + other + " CASCADE"},
		{sql: "DROP DATABASE " + other, is: fluss.ErrDatabaseNotExist, words: []string{other}},
		{sql: "DROP DATABASE IF EXISTS " + other},
		{sql: "SHOW TABLES FROM " + other, is: fluss.ErrDatabaseNotExist, words: []string{other}},
		{sql: "SHOW DATABASES LIKE '" + name + "%'", want: []string{name}},
		{sql: "DROP TABLE b1"},
		{sql: "DROP TABLE b1", is: fluss.ErrTableNotExist, words: []string{name + ".b1"}},
		{sql: "DROP TABLE IF EXISTS b1"},
		{sql: "SHOW TABLES", want: []string{"a1"}},
		{sql: "SELECT * FROM b1", is: fluss.ErrTableNotExist, words: []string{name + ".b1"}},
	})
}

// USE lasts as long as the connection is held, and reaches nobody else.
func TestUse(t *testing.T) {
	db := own(t)
	name := database(t, db)
	db.SetMaxOpenConns(1) // the same driver connection every time
	play(t, db, []step{{sql: "CREATE TABLE here (id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"}})
	pooled := openConfig(t, func(c *fluss.Config) { c.Database = "fluss" })
	pooled.SetMaxOpenConns(1)
	ctx := timeout(t)
	conn, err := pooled.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	current := func(q interface {
		QueryRowContext(context.Context, string, ...any) *sql.Row
	}) (s string) {
		if err := q.QueryRowContext(ctx, "SELECT DATABASE()").Scan(&s); err != nil {
			t.Error(err)
		}
		return s
	}
	if got := current(conn); got != "fluss" {
		t.Errorf("before USE: %s", got)
	}
	if _, err := conn.ExecContext(ctx, "USE "+name); err != nil {
		t.Fatal(err)
	}
	if got := current(conn); got != name {
		t.Errorf("after USE: %s", got)
	}
	for _, query := range []string{"INSERT INTO here VALUES (1)", "CREATE TABLE there (id INT) WITH ('bucket.num' = '1')"} {
		if _, err := conn.ExecContext(ctx, query); err != nil {
			t.Errorf("%s after USE: %v", query, err)
		}
	}
	if _, err := conn.ExecContext(ctx, "USE no_such_database"); err == nil || current(conn) != name {
		t.Errorf("USE of no database: %v, then %s", err, current(conn))
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if got := current(pooled); got != "fluss" {
		t.Errorf("the next user of the connection is in %s", got)
	}
	play(t, db, []step{
		{sql: "SELECT * FROM here WHERE id = 1", want: []string{"1"}},
		{sql: "SHOW TABLES", want: []string{"here", "there"}},
		{sql: "USE no_such_database", is: fluss.ErrDatabaseNotExist, words: []string{"no_such_database"}},
		{sql: "USE CATALOG c", is: fluss.ErrUnsupported, words: []string{"USE CATALOG"}},
	})
}

// Statements that no table answers.
func TestConstants(t *testing.T) {
	db := own(t)
	name := database(t, db)
	play(t, db, []step{
		{sql: "SELECT 1", names: "1", want: []string{"1"}},
		{sql: "select 1 as one, 'x' AS `two words`, NULL, TRUE, 1.50, X'41', -2", names: "one two words NULL TRUE 1.50 X'41' -2", want: []string{"1 x NULL true 1.50 A -2"}},
		{sql: "SELECT ?, ? AS b", args: []any{7, "x"}, names: "? b", want: []string{"7 x"}},
		{sql: "SELECT :a", args: named("a", 2.5), want: []string{"2.5"}},
		{sql: "SELECT VERSION()", names: "VERSION()", want: []string{"5.7.99-Fluss-0.9.1"}},
		{sql: "SELECT @@version", want: []string{"5.7.99-Fluss-0.9.1"}},
		{sql: "SELECT DATABASE(), CURRENT_DATABASE(), LAST_INSERT_ID()", want: []string{name + " " + name + " 0"}},
		{sql: "SELECT 1 LIMIT 1", want: []string{"1"}},
		{sql: "SELECT 1 LIMIT 0"},
		{sql: "SELECT ? LIMIT ?", args: []any{3, 1}, want: []string{"3"}},
		{sql: "SELECT 1 LIMIT 5 OFFSET 1"},
		{sql: "SELECT 1 LIMIT ?", args: []any{"x"}, fails: true, words: []string{"LIMIT must be a number"}},
		{sql: "SHOW VARIABLES LIKE 'version'", names: "Variable_name Value", want: []string{"version 5.7.99-Fluss-0.9.1"}},
		{sql: "SELECT SLEEP(1)", is: fluss.ErrUnsupported, words: []string{"SLEEP"}},
		{sql: "SELECT 1 + 1", is: fluss.ErrUnsupported, words: []string{"compute in Go"}},
		{sql: "EXPLAIN SELECT 1", names: "plan", want: []string{"constant, answered by the driver"}},
	})
}

// EXPLAIN names the way to the rows, without going it.
func TestExplain(t *testing.T) {
	db := own(t)
	name := database(t, db)
	play(t, db, []step{
		{sql: shopTable},
		{sql: "CREATE TABLE l (id INT, v STRING, w BIGINT) WITH ('bucket.num' = '1')"},
	})
	for _, c := range []struct{ query, want string }{
		{"SELECT v FROM shop WHERE a = 1 AND b = 'p'", "point lookup on " + name + ".shop by primary key (a, b), bucket key (a), 3 buckets"},
		{"SELECT v FROM shop WHERE a = ? AND b = ?", "point lookup on"},
		{"SELECT v FROM shop WHERE a = 1 AND b IN ('p', 'q')", "multi lookup on"},
		{"SELECT v FROM shop WHERE a = 1", "prefix lookup on " + name + ".shop by (a), 3 buckets"},
		{"SELECT v FROM shop WHERE a = 1 AND v = 'x'", "filter in the driver on: v"},
		{"SELECT v FROM shop WHERE b = 'p' LIMIT 5", "scan of key table"},
		{"SELECT v FROM shop LIMIT ?", "limit ?"},
		{"SELECT v FROM shop ORDER BY v LIMIT 5", "sort in the driver"},
		{"SELECT COUNT(*) FROM shop", "row count of"},
		{"SELECT * FROM shop$changelog", "scan of the change log of"},
		{"SELECT v FROM l", "scan of the log of " + name + ".l, 1 buckets, from earliest, to the end seen at the start"},
		{"SELECT v FROM l", "projection pushed down: v"},
		{"SELECT /*+ FOLLOW, OFFSET('latest') */ v FROM l", "from latest, following"},
		{"SELECT v FROM l WHERE _log_offset > 3", "bounded by _log_offset"},
		{"INSERT INTO shop VALUES (1, 'p', 'x', 1), (2, 'p', 'x', 1)", "upsert into " + name + ".shop, 2 rows"},
		{"INSERT INTO shop (a, b, v) VALUES (1, 'p', 'x')", "partial update of a, b, v"},
		{"INSERT INTO l VALUES (1, 'x', 1)", "append to"},
		{"UPDATE shop SET v = 'x' WHERE a = 1 AND b = 'p'", "partial update of v"},
		{"DELETE FROM shop WHERE a = 1 AND b = 'p'", "delete from"},
	} {
		rows, err := tryQuery(timeout(t), db, "EXPLAIN "+c.query)
		if got := strings.Join(texts(rows), "\n"); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("EXPLAIN %s\ngot  %s, %v\nwant %s", c.query, got, err, c.want)
		}
	}
	play(t, db, []step{
		{sql: "SELECT COUNT(*) FROM shop", want: []string{"0"}}, // nothing was written
		{sql: "EXPLAIN SELECT nope FROM shop", is: fluss.ErrColumnNotExist, words: []string{"nope"}},
		{sql: "EXPLAIN SELECT * FROM nope", is: fluss.ErrTableNotExist, words: []string{"nope"}},
		{sql: "EXPLAIN CREATE TABLE x (a INT)", is: fluss.ErrSyntax, words: []string{"SELECT, INSERT, UPDATE or DELETE"}},
	})
}
