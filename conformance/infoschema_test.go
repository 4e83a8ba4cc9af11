package conformance

import (
	"strings"
	"testing"

	"github.com/gofluss/fluss"
)

// information_schema as gorm, bun, goose, golang-migrate, usql and Grafana ask for it.
func TestInformationSchema(t *testing.T) {
	db := own(t)
	name := database(t, db)
	columnsOfGorm := "SELECT column_name, column_default, is_nullable = 'YES', data_type, character_maximum_length, column_type, column_key, extra, column_comment, numeric_precision, numeric_scale , datetime_precision " +
		"FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ORDINAL_POSITION"
	tablesOfGorm := "SELECT count(*) FROM information_schema.tables WHERE table_schema = ? AND table_name = ? AND table_type = ?"
	play(t, db, []step{
		{sql: "CREATE TABLE profile (customer_id INT, name STRING COMMENT 'who', balance DECIMAL(15, 2), born DATE, at TIMESTAMP(3), seen TIMESTAMP_LTZ(6), ok BOOLEAN, raw BYTES, tags ARRAY<STRING>, PRIMARY KEY (customer_id)) " +
			"COMMENT 'people' WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE events (id BIGINT NOT NULL, kind CHAR(5)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE parted (id INT, dt STRING, PRIMARY KEY (id, dt)) PARTITIONED BY (dt) WITH ('bucket.num' = '1')"},
		{sql: "ALTER TABLE parted ADD PARTITION (dt = '2026')"},
		{sql: "SELECT VERSION()", want: []string{"5.7.99-Fluss-0.9.1"}},
		{sql: "SELECT DATABASE()", want: []string{name}},
		{sql: "SELECT SCHEMA_NAME from Information_schema.SCHEMATA where SCHEMA_NAME LIKE ? ORDER BY SCHEMA_NAME=? DESC,SCHEMA_NAME limit 1", args: []any{name + "%", name}, names: "SCHEMA_NAME", want: []string{name}},
		{sql: "SELECT COALESCE(DATABASE(), '%')", want: []string{name}},
		{sql: tablesOfGorm, args: []any{name, "profile", "BASE TABLE"}, want: []string{"1"}},
		{sql: tablesOfGorm, args: []any{name, "nope", "BASE TABLE"}, want: []string{"0"}},
		{sql: columnsOfGorm, args: []any{name, "profile"},
			names: "column_name column_default is_nullable = 'YES' data_type character_maximum_length column_type column_key extra column_comment numeric_precision numeric_scale datetime_precision", want: []string{
				"customer_id NULL 0 int NULL int PRI   10 0 NULL", "name NULL 1 longtext NULL longtext   who NULL NULL NULL", "balance NULL 1 decimal NULL decimal(15,2)    15 2 NULL",
				"born NULL 1 date NULL date    NULL NULL NULL", "at NULL 1 datetime NULL datetime(3)    NULL NULL 3", "seen NULL 1 timestamp NULL timestamp(6)    NULL NULL 6",
				"ok NULL 1 tinyint NULL tinyint(1)    3 0 NULL", "raw NULL 1 longblob NULL longblob    NULL NULL NULL", "tags NULL 1 json NULL json    NULL NULL NULL"}},
		{sql: columnsOfGorm, args: []any{name, "events"}, want: []string{"id NULL 0 bigint NULL bigint    19 0 NULL", "kind NULL 1 char 5 char(5)    NULL NULL NULL"}},
		{sql: "SELECT TABLE_NAME FROM information_schema.tables where TABLE_SCHEMA=?", args: []any{name}, want: []string{"events", "parted", "profile"}},
		{sql: "SELECT table_name FROM information_schema.tables WHERE table_schema = database() ORDER BY table_name DESC LIMIT 2", want: []string{"profile", "parted"}},
		{sql: "SELECT table_comment, row_format, create_options FROM information_schema.tables WHERE table_schema = ? AND table_name IN ('profile', 'events') ORDER BY table_name", args: []any{name}, want: []string{" log ", "people primary key "}},
		{sql: "SELECT EXISTS (SELECT 1 FROM information_schema.tables WHERE (database() IS NULL OR table_schema = database()) AND table_name = 'profile')", want: []string{"1"}},
		{sql: "SELECT EXISTS (SELECT 1 FROM information_schema.tables WHERE (database() IS NULL OR table_schema = database()) AND table_name = 'goose_db_version')", want: []string{"0"}},
		{sql: "SELECT table_catalog, table_schema, table_name, column_name, ordinal_position, column_type, COALESCE(column_default, ''), COALESCE(is_nullable, '') AS is_nullable, COALESCE(character_maximum_length, numeric_precision, datetime_precision, 0), COALESCE(numeric_scale, 0), 10, COALESCE(character_octet_length, 0) " +
			"FROM information_schema.columns WHERE table_schema LIKE ? AND table_name LIKE ? ORDER BY table_catalog, table_schema, table_name, ordinal_position", args: []any{name, "e%"},
			want: []string{"def " + name + " events id 1 bigint  NO 19 0 10 0", "def " + name + " events kind 2 char(5)  YES 5 0 10 20"}},
		{sql: "SELECT table_catalog, table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema NOT IN (?) AND table_schema LIKE ? AND table_type IN (?) ORDER BY table_catalog, table_schema, table_type, table_name",
			args: []any{"fluss", name, "BASE TABLE"}, want: []string{"def " + name + " events BASE TABLE", "def " + name + " parted BASE TABLE", "def " + name + " profile BASE TABLE"}},
		{sql: "SELECT constraint_name, column_name FROM information_schema.key_column_usage WHERE table_schema = ? ORDER BY table_name, ordinal_position", args: []any{name}, want: []string{"PRIMARY id", "PRIMARY dt", "PRIMARY customer_id"}},
		{sql: "SELECT index_name, column_name, non_unique FROM information_schema.statistics WHERE table_schema = ? AND table_name = 'parted' ORDER BY seq_in_index", args: []any{name}, want: []string{"PRIMARY id 0", "PRIMARY dt 0"}},
		{sql: "SELECT partition_name, partition_expression, partition_description FROM information_schema.partitions WHERE table_schema = ? AND table_name LIKE 'p%'", args: []any{name}, want: []string{"2026 `dt` '2026'", "NULL NULL NULL"}},
		{sql: "SHOW TABLES LIKE 'prof%'", want: []string{"profile"}},
		{sql: "SELECT * FROM information_schema.triggers", is: fluss.ErrTableNotExist, words: []string{"triggers", "key_column_usage"}},
		{sql: "SELECT nope FROM information_schema.tables", is: fluss.ErrColumnNotExist, words: []string{"nope"}},
		{sql: "SELECT a.table_name FROM information_schema.tables a JOIN information_schema.columns b ON a.table_name = b.table_name", is: fluss.ErrUnsupported, words: []string{"JOIN"}},
		{sql: "SELECT MAX(table_name) FROM information_schema.tables", is: fluss.ErrUnsupported, words: []string{"MAX"}},
		{sql: "INSERT INTO information_schema.tables VALUES (1)", fails: true, words: []string{"information_schema"}},
	})
}

// EXISTS over the tables themselves, as bun sends it.
func TestExists(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1')"},
		{sql: "SELECT EXISTS (SELECT 1 FROM l)", want: []string{"0"}},
		{sql: "INSERT INTO k VALUES (1, 'a'), (2, 'b')", rows: 2},
		{sql: "INSERT INTO l VALUES (1, 'a'), (2, 'b')", rows: 2},
		{sql: "SELECT EXISTS (SELECT `k`.`id`, `k`.`v` FROM `k` WHERE (id = 1))", want: []string{"1"}},
		{sql: "SELECT EXISTS (SELECT id FROM k WHERE id = ?), EXISTS (SELECT id FROM k WHERE id = ?) AS other", args: []any{3, 2}, want: []string{"0 1"}},
		{sql: "SELECT EXISTS (SELECT 1 FROM k WHERE v = 'b')", want: []string{"1"}},
		{sql: "SELECT EXISTS (SELECT * FROM k WHERE v = 'c')", want: []string{"0"}},
		{sql: "SELECT EXISTS (SELECT 1 FROM l)", want: []string{"1"}},
		{sql: "SELECT EXISTS (SELECT id FROM l WHERE v = 'z')", want: []string{"0"}},
		{sql: "SELECT EXISTS (SELECT nope FROM l)", is: fluss.ErrColumnNotExist, words: []string{"nope"}},
		{sql: "SELECT EXISTS (SELECT 1 FROM nope)", is: fluss.ErrTableNotExist, words: []string{"nope"}},
	})
}

// Column types of an answer fit what a Scan gets.
func TestInformationSchemaColumnTypes(t *testing.T) {
	db := own(t)
	rows, err := db.QueryContext(timeout(t), "SELECT table_name, column_default, ordinal_position, numeric_scale, is_nullable = 'YES' FROM information_schema.columns WHERE table_schema = 'no_such'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ty := range types {
		nullable, _ := ty.Nullable()
		got = append(got, ty.DatabaseTypeName()+map[bool]string{true: "?"}[nullable]+":"+ty.ScanType().String())
	}
	want := "STRING:string STRING?:sql.NullString BIGINT:int64 BIGINT?:sql.NullInt64 BIGINT?:sql.NullInt64"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}
