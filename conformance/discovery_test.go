package conformance

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// following reads rows of one value until it has those that are wanted, in any order.
type following struct {
	t    *testing.T
	rows *sql.Rows
	stop context.CancelFunc
}

func follow(t *testing.T, db *sql.DB, query string, args ...any) *following {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	t.Cleanup(cancel)
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	t.Cleanup(func() { rows.Close() })
	return &following{t, rows, cancel}
}

func (f *following) want(values ...string) {
	f.t.Helper()
	missing := map[string]bool{}
	for _, v := range values {
		missing[v] = true
	}
	for len(missing) > 0 {
		if !f.rows.Next() {
			f.t.Fatalf("the rows ended without %v: %v", missing, f.rows.Err())
		}
		var v, partition string
		if err := f.rows.Scan(&v, &partition); err != nil {
			f.t.Fatal(err)
		}
		if v += " " + partition; !missing[v] {
			f.t.Fatalf("got %s, want one of %v", v, missing)
		}
		delete(missing, v)
	}
}

const everySoOften = "OPTIONS('scan.partition.discovery.interval' = '50 ms')"

// FOLLOW reads partitions that are made after it began, from their first row on, and outlives those that are dropped.
func TestFollowPartitions(t *testing.T) {
	db := own(t)
	mustExec(t, db, "CREATE TABLE t (id INT, dt STRING) PARTITIONED BY (dt) WITH ('bucket.num' = '2')")
	all := follow(t, db, "SELECT /*+ FOLLOW "+everySoOften+" */ id, dt FROM t") // there are none yet
	mustExec(t, db, "INSERT INTO t VALUES (1, 'a')")
	all.want("1 a")
	news := follow(t, db, "SELECT /*+ FOLLOW OFFSET('latest') "+everySoOften+" */ id, _partition FROM t")
	some := follow(t, db, "SELECT /*+ FOLLOW "+everySoOften+" */ id, dt FROM t WHERE dt >= 'b' AND id > 1 AND _commit_timestamp > ?", time.Unix(1000, 0))
	one := follow(t, db, "SELECT /*+ FOLLOW "+everySoOften+" */ id, dt FROM t WHERE dt = 'c'")
	mustExec(t, db, "INSERT INTO t VALUES (2, 'b'), (3, 'a')")
	all.want("2 b", "3 a")
	news.want("2 b", "3 a")
	some.want("2 b")
	mustExec(t, db, "ALTER TABLE t DROP PARTITION (dt = 'a')")
	mustExec(t, db, "INSERT INTO t VALUES (4, 'b'), (5, 'c')")
	all.want("4 b", "5 c")
	news.want("4 b", "5 c")
	some.want("4 b", "5 c")
	one.want("5 c")
	mustExec(t, db, "ALTER TABLE t DROP PARTITION (dt = 'b')")
	mustExec(t, db, "ALTER TABLE t DROP PARTITION (dt = 'c')")
	mustExec(t, db, "INSERT INTO t VALUES (6, 'c')") // another partition of that name
	all.want("6 c")
	one.want("6 c")
	mustExec(t, db, "DROP TABLE t")
	if all.rows.Next() || all.rows.Err() == nil {
		t.Errorf("the rows go on after the table is dropped, or end well: %v", all.rows.Err())
	}
}

// The change log and $binlog of a partitioned key table, and what is said about them.
func TestFollowPartitionsOfKeyTable(t *testing.T) {
	db := own(t)
	mustExec(t, db, "CREATE TABLE t (id INT, dt STRING, v INT, PRIMARY KEY (id, dt)) PARTITIONED BY (dt) WITH ('bucket.num' = '1')")
	binlog := follow(t, db, "SELECT /*+ FOLLOW "+everySoOften+" */ after.v, _partition FROM t$binlog")
	log := follow(t, db, "SELECT /*+ FOLLOW "+everySoOften+" */ v, _partition FROM t$changelog WHERE _change_type <> 'update_before'")
	for i := range 3 {
		dt := string(rune('a' + i))
		mustExec(t, db, "INSERT INTO t VALUES (1, ?, 1)", dt)
		mustExec(t, db, "UPDATE t SET v = 2 WHERE id = 1 AND dt = ?", dt)
		binlog.want("1 "+dt, "2 "+dt)
		log.want("1 "+dt, "2 "+dt)
	}
	where := "scan of the change log of " + database(t, db) + ".t, 1 buckets, "
	play(t, db, []step{
		{sql: "EXPLAIN SELECT /*+ FOLLOW */ * FROM t$changelog", want: []string{where + "from earliest, following, new partitions looked for every 10s"}},
		{sql: "EXPLAIN SELECT /*+ FOLLOW OPTIONS('scan.partition.discovery.interval' = '1 min') */ * FROM t$changelog", want: []string{where + "from earliest, following, new partitions looked for every 1m0s"}},
		{sql: "EXPLAIN SELECT /*+ FOLLOW OPTIONS('scan.partition.discovery.interval' = '0') */ * FROM t$changelog", want: []string{where + "from earliest, following"}},
		{sql: "EXPLAIN SELECT /*+ FOLLOW OFFSET(0) */ * FROM t$changelog", want: []string{where + "from an offset, following"}},
		{sql: "EXPLAIN SELECT /*+ FOLLOW */ * FROM t$changelog WHERE _log_offset < 5", want: []string{where + "from earliest, bounded by _log_offset, following"}},
		{sql: "SELECT /*+ OPTIONS('scan.partition.discovery.interval' = 'often') */ * FROM t$changelog", fails: true, words: []string{"scan.partition.discovery.interval", "often"}},
	})
}

// FOLLOW from an offset that is still to come.
func TestFollowFromLaterOffset(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	f := follow(t, db, "SELECT /*+ FOLLOW */ id, kind FROM l WHERE _log_offset >= 12")
	for i := 10; i < 15; i++ {
		mustExec(t, db, "INSERT INTO l VALUES (?, 'x', NULL)", i)
	}
	f.want("12 x")
	f.want("13 x")
	play(t, db, []step{
		{sql: "SELECT /*+ FOLLOW STOP_OFFSET(14) */ id FROM l WHERE _log_offset >= 12", want: ids(12, 14)},
		{sql: "SELECT /*+ FOLLOW OFFSETS('0:3-6') */ id FROM l WHERE _log_offset > 4", want: ids(5, 6)},
		{sql: "SELECT /*+ FOLLOW OFFSET(99) */ id FROM l", is: fluss.ErrOffsetOutOfRange, words: []string{"99", fmt.Sprint(15)}},
	})
}
