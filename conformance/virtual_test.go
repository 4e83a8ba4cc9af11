package conformance

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// t$binlog: a row for each change of a key table, with the row from before and after it.
func TestBinlog(t *testing.T) {
	db := own(t)
	const (
		alice  = `{"user_id":1,"name":"Alice","balance":1.50}`
		smith  = `{"user_id":1,"name":"Alice Smith","balance":2.50}`
		bob    = `{"user_id":2,"name":"Bob","balance":null}`
		robert = `{"user_id":2,"name":"Robert","balance":null}`
	)
	play(t, db, []step{
		{sql: "CREATE TABLE users (user_id INT NOT NULL, name STRING COMMENT 'full', balance DECIMAL(10, 2), PRIMARY KEY (user_id)) WITH ('bucket.num' = '1')"},
		{sql: "SELECT * FROM users$binlog", names: "_change_type _log_offset _commit_timestamp before after"},
		{sql: "INSERT INTO users VALUES (1, 'Alice', 1.50)", rows: 1},                         // 0
		{sql: "INSERT INTO users VALUES (1, 'Alice Smith', 2.50), (2, 'Bob', NULL)", rows: 2}, // 1 and 2, 3
		{sql: "UPDATE users SET name = 'Robert' WHERE user_id = 2", rows: 1},                  // 4 and 5
		{sql: "DELETE FROM users WHERE user_id = 1", rows: 1},                                 // 6
		{sql: "INSERT INTO users VALUES (1, 'Alice', 1.50)", rows: 1},                         // 7
		{sql: "SELECT _change_type, _log_offset, before, after FROM users$binlog", names: "_change_type _log_offset before after", want: []string{
			"insert 0 NULL " + alice, "update 1 " + alice + " " + smith, "insert 3 NULL " + bob, "update 4 " + bob + " " + robert,
			"delete 6 " + smith + " NULL", "insert 7 NULL " + alice}},
		// what is in the images, as Flink's documentation has it
		{sql: "SELECT _change_type, `before`.name AS old_name, `after`.name AS new_name FROM users$binlog WHERE _change_type = 'update'", names: "_change_type old_name new_name",
			want: []string{"update Alice Alice Smith", "update Bob Robert"}},
		{sql: "SELECT before.user_id, after.user_id FROM users$binlog WHERE _log_offset < 4", names: "user_id user_id", want: []string{"NULL 1", "1 1", "NULL 2"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE before.balance <> after.balance", want: []string{"1"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE after.name LIKE 'R%' OR before.balance > 2", want: []string{"4", "6"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE before IS NULL", want: []string{"0", "3", "7"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE after IS NULL OR NOT (before IS NULL)", want: []string{"1", "4", "6"}},
		{sql: "SELECT after FROM users$binlog ORDER BY after.name DESC, _log_offset LIMIT 3", want: []string{robert, bob, smith}},
		{sql: "SELECT before, _log_offset FROM users$binlog ORDER BY _log_offset DESC LIMIT 2", want: []string{"NULL 7", smith + " 6"}},
		{sql: "SELECT after FROM users$binlog LIMIT 1 OFFSET 1", want: []string{smith}},
		{sql: "SELECT _change_type FROM users$binlog", want: []string{"insert", "update", "insert", "update", "delete", "insert"}},
		{sql: "SELECT x.after.name FROM users$binlog AS x", is: fluss.ErrUnsupported, words: []string{"a name of three parts"}},
		{sql: "SELECT x._log_offset, x._bucket FROM users$binlog AS x LIMIT 1", want: []string{"0 0"}},
		{sql: "SELECT COUNT(*) FROM users$binlog", want: []string{"6"}},
		{sql: "SELECT COUNT(*) FROM users$binlog WHERE _change_type = 'update'", want: []string{"2"}},
		// where a scan begins and ends: an update is at the offset of its first record
		{sql: "SELECT _log_offset FROM users$binlog WHERE _log_offset >= 1 AND _log_offset <= 4", want: []string{"1", "3", "4"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE _log_offset >= 2 AND _log_offset < 7", want: []string{"3", "4", "6"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE _log_offset = 1", want: []string{"1"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE _log_offset = 2"},
		{sql: "SELECT /*+ OFFSET(2) STOP_OFFSET(5) */ before, after FROM users$binlog", want: []string{"NULL " + bob, bob + " " + robert}},
		{sql: "SELECT /*+ OFFSETS('0:4-5') */ _log_offset FROM users$binlog", want: []string{"4"}},
		{sql: "SELECT /*+ OFFSETS('0:5-6') */ _log_offset FROM users$binlog"},
		{sql: "SELECT /*+ LAST(3) */ _log_offset FROM users$binlog", want: []string{"6", "7"}},
		{sql: "SELECT /*+ OFFSET('latest') */ _log_offset FROM users$binlog"},
		{sql: "SELECT _log_offset FROM users$binlog /*+ OPTIONS('scan.startup.mode' = 'timestamp', 'scan.startup.timestamp' = '1000') */", want: []string{"0", "1", "3", "4", "6", "7"}},
		{sql: "SELECT _log_offset FROM users$binlog WHERE _bucket = 1"},
		// what is said about it
		{sql: "DESCRIBE users$binlog", want: []string{
			"_change_type STRING NO  NULL  ", "_log_offset BIGINT NO  NULL  ", "_commit_timestamp TIMESTAMP_LTZ(3) NO  NULL  ",
			"before ROW<`user_id` INT NOT NULL, `name` STRING, `balance` DECIMAL(10,2)> YES  NULL  ",
			"after ROW<`user_id` INT NOT NULL, `name` STRING, `balance` DECIMAL(10,2)> YES  NULL  "}},
		{sql: "SHOW COLUMNS FROM users$changelog LIKE '%name'", want: []string{"name STRING YES  NULL  full"}},
		{sql: "EXPLAIN SELECT before.name, after.name FROM users$binlog WHERE after.balance > 1", want: []string{
			"scan of the change log, updates as one row, of " + database(t, db) + ".users, 1 buckets, from earliest, to the end seen at the start",
			"  projection pushed down: name, balance", "  filter in the driver on: after.balance"}},
		{sql: "EXPLAIN SELECT _change_type FROM users$binlog", want: []string{
			"scan of the change log, updates as one row, of " + database(t, db) + ".users, 1 buckets, from earliest, to the end seen at the start"}},
		// what is refused
		{sql: "SELECT name FROM users$binlog", is: fluss.ErrColumnNotExist, words: []string{"write before.name or after.name"}},
		{sql: "SELECT before.nope FROM users$binlog", is: fluss.ErrColumnNotExist, words: []string{"nope"}},
		{sql: "SELECT nope.name FROM users$binlog", is: fluss.ErrColumnNotExist, words: []string{"nope.name"}},
		{sql: "SELECT * FROM users$binlog WHERE before = after", is: fluss.ErrUnsupported, words: []string{"nested values are not compared"}},
		{sql: "SELECT * FROM users$binlog ORDER BY after LIMIT 1", is: fluss.ErrUnsupported, words: []string{"nested values are not compared"}},
		{sql: "DELETE FROM users$binlog WHERE user_id = 1", is: fluss.ErrUnsupported, words: []string{"users$binlog"}},
		{sql: "INSERT INTO users$binlog VALUES (1)", is: fluss.ErrUnsupported, words: []string{"users$binlog"}},
		{sql: "DESCRIBE users$lake", is: fluss.ErrUnsupported, words: []string{"users$lake"}},
		{sql: "SHOW CREATE TABLE users$binlog", is: fluss.ErrUnsupported, words: []string{"users$binlog"}},
		{sql: "CREATE TABLE wal (id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.changelog.image' = 'WAL')"},
		{sql: "SELECT * FROM wal$binlog", is: fluss.ErrUnsupported, words: []string{"wal$binlog", "table.changelog.image is wal", "wal$changelog"}},
		{sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '1')"},
		{sql: "SELECT * FROM l$binlog", is: fluss.ErrUnsupported, words: []string{"l$binlog", "primary key"}},
	})
	type user struct {
		UserID  int     `db:"user_id"`
		Name    *string `db:"name"`
		Balance *string `db:"balance"`
	}
	var before *user
	var after user
	if err := db.QueryRow("SELECT before, after FROM users$binlog WHERE _log_offset = 3").Scan(fluss.Struct(&before), fluss.Struct(&after)); err != nil {
		t.Fatal(err)
	}
	if before != nil || after.UserID != 2 || *after.Name != "Bob" || after.Balance != nil {
		t.Errorf("scanned %v and %v", before, after)
	}
}

// $binlog of other tables: merge engines, partitions, columns that were added, formats without projection.
func TestBinlogTables(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE first (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'first_row')"},
		{sql: "INSERT INTO first VALUES (1, 'a'), (1, 'b'), (2, 'c')", rows: 3},
		{sql: "SELECT _change_type, after.v FROM first$binlog", want: []string{"insert a", "insert c"}},
		{sql: "CREATE TABLE versions (id INT, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'versioned', 'table.merge-engine.versioned.ver-column' = 'n')"},
		{sql: "INSERT INTO versions VALUES (1, 2), (1, 1), (1, 3)", rows: 3},
		{sql: "SELECT _change_type, before.n, after.n FROM versions$binlog", want: []string{"insert NULL 2", "update 2 3"}},
		{sql: "CREATE TABLE sums (id INT, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'aggregation', 'fields.n.agg' = 'sum')"},
		{sql: "INSERT INTO sums VALUES (1, 2)", rows: 1},
		{sql: "INSERT INTO sums VALUES (1, 3)", rows: 1},
		{sql: "SELECT _change_type, before.n, after.n FROM sums$binlog", want: []string{"insert NULL 2", "update 2 5"}},
		{sql: "CREATE TABLE parts (id INT, dt STRING, v INT, PRIMARY KEY (id, dt)) PARTITIONED BY (dt) WITH ('bucket.num' = '2')"},
		{sql: "INSERT INTO parts VALUES (1, 'a', 1), (1, 'b', 2), (2, 'a', 3)", rows: 3},
		{sql: "UPDATE parts SET v = 9 WHERE id = 1 AND dt = 'b'", rows: 1},
		{sql: "SELECT _partition, before.v, after.v FROM parts$binlog", sort: true, want: []string{"a NULL 1", "a NULL 3", "b 2 9", "b NULL 2"}},
		{sql: "SELECT _change_type, after.v FROM parts$binlog WHERE _partition = 'b'", sort: true, want: []string{"insert 2", "update 9"}},
		{sql: "SELECT after.v FROM parts$binlog WHERE after.dt = 'b'", sort: true, want: []string{"2", "9"}},
		{sql: "CREATE TABLE grown (id INT, v INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO grown VALUES (1, 1)", rows: 1},
		{sql: "ALTER TABLE grown ADD COLUMN w STRING"},
		{sql: "INSERT INTO grown VALUES (1, 2, 'x')", rows: 1},
		{sql: "SELECT before, after FROM grown$binlog", want: []string{`NULL {"id":1,"v":1,"w":null}`, `{"id":1,"v":1,"w":null} {"id":1,"v":2,"w":"x"}`}},
		{sql: "SELECT before.w, after.w FROM grown$binlog", want: []string{"NULL NULL", "NULL x"}},
		{sql: "CREATE TABLE rowwise (id INT, before STRING, n ARRAY<INT>, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.log.format' = 'compacted')"},
		{sql: "INSERT INTO rowwise VALUES (1, 'x', ARRAY[1, 2])", rows: 1},
		{sql: "INSERT INTO rowwise VALUES (1, 'y', ARRAY[3])", rows: 1},
		{sql: "SELECT before.before, after.n, before FROM rowwise$binlog", want: []string{"NULL [1,2] NULL", `x [3] {"id":1,"before":"x","n":[1,2]}`}},
		{sql: "SELECT after.before FROM rowwise$binlog ORDER BY after.before DESC LIMIT 1", want: []string{"y"}},
	})
}

// Many updates, in batches and fetches of any size: each row tells what was before.
func TestBinlogLong(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: "CREATE TABLE t (id INT, n BIGINT, pad STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '3')"}})
	const keys, rounds = 100, 30
	for round := range rounds {
		insert := "INSERT INTO t VALUES "
		for id := range keys {
			if id > 0 {
				insert += ", "
			}
			insert += fmt.Sprintf("(%d, %d, '%0200d')", id, round, id)
		}
		mustExec(t, db, insert)
	}
	newest := map[int64]any{}
	for _, r := range queryAll(t, db, "SELECT before.n, after.id, after.n FROM t$binlog") {
		id, n := r[1].(int64), r[2].(int64)
		if r[0] != newest[id] {
			t.Fatalf("key %d: %v before %d, want %v", id, r[0], n, newest[id])
		}
		newest[id] = n
	}
	if len(newest) != keys || newest[0] != int64(rounds-1) {
		t.Errorf("%d keys, the first at %v", len(newest), newest[0])
	}
}

// $binlog follows the log.
func TestBinlogFollow(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE t (id INT, n INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO t VALUES (1, 0)", rows: 1},
	})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	rows, err := db.QueryContext(ctx, "SELECT /*+ FOLLOW */ before.n, after.n FROM t$binlog LIMIT 4")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		var before, after any
		if err := rows.Scan(&before, &after); err != nil {
			t.Fatal(err)
		}
		if after != int64(n) || n > 0 && before != int64(n-1) {
			t.Fatalf("row %d: %v, %v", n, before, after)
		}
		if n == 3 {
			cancel()
			return
		}
		mustExec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
	}
	t.Fatalf("the rows ended: %v", rows.Err())
}

// t$changelog of a log table: its rows, with the three columns in front, as in Flink.
func TestChangelogOfLog(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	play(t, db, []step{
		{sql: "SELECT * FROM l$changelog LIMIT 0", names: "_change_type _log_offset _commit_timestamp id kind amount"},
		{sql: "SELECT _change_type, _log_offset, id FROM l$changelog WHERE kind = 'a'", want: []string{"insert 0 0", "insert 2 2", "insert 6 6", "insert 8 8"}},
		{sql: "SELECT COUNT(*) FROM l$changelog", want: []string{"10"}},
		{sql: "DESCRIBE l$changelog", want: []string{"_change_type STRING NO  NULL  ", "_log_offset BIGINT NO  NULL  ", "_commit_timestamp TIMESTAMP_LTZ(3) NO  NULL  ",
			"id BIGINT YES  NULL  ", "kind STRING YES  NULL  ", "amount DECIMAL(10,2) YES  NULL  "}},
	})
}

// A result of $binlog on a connection that read logs before.
func TestBinlogAfterChangelog(t *testing.T) {
	db := own(t)
	db.SetMaxOpenConns(1)
	play(t, db, []step{
		{sql: "CREATE TABLE m (id INT NOT NULL, name STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO m VALUES (1, 'a')", rows: 1},
		{sql: "INSERT INTO m VALUES (1, 'b'), (2, 'c')", rows: 2},
		{sql: "SELECT _log_offset, _change_type FROM m$changelog", want: []string{"0 insert", "1 update_before", "2 update_after", "3 insert"}},
		{sql: "SELECT _log_offset FROM m$binlog", want: []string{"0", "1", "3"}},
		{sql: "SELECT after.name, _change_type FROM m$binlog", want: []string{"a insert", "b update", "c insert"}},
		{sql: "SELECT _change_type FROM m$changelog", want: []string{"insert", "update_before", "update_after", "insert"}},
	})
}
