package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// logOfTen makes the log table l of one bucket with ten rows, offsets 0 to 9, in three batches.
func logOfTen(t *testing.T, db *sql.DB) {
	t.Helper()
	play(t, db, []step{
		{sql: "CREATE TABLE l (id BIGINT, kind STRING, amount DECIMAL(10, 2)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO l VALUES (0, 'a', 0.50), (1, 'b', 1.50), (2, 'a', 2.50)", rows: 3},
		{sql: "INSERT INTO l VALUES (3, 'b', 3.50), (4, NULL, NULL), (5, 'b', 5.50), (6, 'a', 6.50)", rows: 4},
		{sql: "INSERT INTO l VALUES (7, 'b', 7.50), (8, 'a', 8.50), (9, 'b', 9.50)", rows: 3},
	})
}

// ids are the numbers from a to b-1, as texts.
func ids(a, b int) []string {
	var out []string
	for ; a < b; a++ {
		out = append(out, fmt.Sprint(a))
	}
	return out
}

// Where a scan of a log begins and ends.
func TestLogOffsets(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE empty (id BIGINT) WITH ('bucket.num' = '2')"},
		{sql: "SELECT * FROM empty", names: "id"},
		{sql: "SELECT /*+ OFFSET('latest') */ * FROM empty"},
		{sql: "SELECT /*+ LAST(5) */ * FROM empty"},
		{sql: "SELECT COUNT(*) FROM empty", want: []string{"0"}},
	})
	logOfTen(t, db)
	play(t, db, []step{
		{sql: "SELECT * FROM l LIMIT 2", names: "id kind amount", want: []string{"0 a 0.50", "1 b 1.50"}},
		{sql: "SELECT id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ OFFSET('earliest') */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ OFFSET('latest') */ id FROM l"},
		{sql: "SELECT /*+ OFFSET(4) */ id FROM l", want: ids(4, 10)},
		{sql: "SELECT id FROM l /*+ OFFSET(4), BUCKET(0) */", want: ids(4, 10)},
		{sql: "SELECT /*+ OFFSET(4) BUCKET(0) STOP_OFFSET(6) */ id FROM l", want: ids(4, 6)},
		{sql: "SELECT /*+ OFFSET(?) STOP_OFFSET(?) */ id FROM l", args: []any{2, 8}, want: ids(2, 8)},
		{sql: "SELECT /*+ OFFSET(:from) */ id FROM l WHERE id < :to", args: named("from", 2, "to", 4), want: ids(2, 4)},
		{sql: "SELECT /*+ STOP_OFFSET(3) */ id FROM l", want: ids(0, 3)},
		{sql: "SELECT /*+ STOP_OFFSET(300) */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ OFFSET(5) STOP_OFFSET(5) */ id FROM l"},
		{sql: "SELECT /*+ OFFSET(10) */ id FROM l"},
		{sql: "SELECT /*+ LAST(3) */ id FROM l", want: ids(7, 10)},
		{sql: "SELECT /*+ LAST(?) */ id FROM l LIMIT 2", args: []any{4}, want: ids(6, 8)},
		{sql: "SELECT /*+ LAST(100) */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ LAST(0) */ id FROM l"},
		{sql: "SELECT /*+ OFFSETS('0:3-5') */ id FROM l", want: ids(3, 5)},
		{sql: "SELECT /*+ OFFSETS('0:8-') */ id FROM l", want: ids(8, 10)},
		{sql: "SELECT /*+ OFFSETS('0:3-4,0:6-') */ id FROM l", fails: true, words: []string{"hint OFFSETS", "bucket 0 is named twice"}},
		{sql: "SELECT /*+ OFFSETS('0:3-8') */ id FROM l WHERE _log_offset >= 5", want: ids(5, 8)},
		{sql: "SELECT /*+ OFFSETS('0:3-') */ id FROM l WHERE _log_offset < 5", want: ids(3, 5)},
		{sql: "SELECT /*+ OFFSETS('0:3-') */ id FROM l WHERE _log_offset > 50"},
		{sql: "SELECT /*+ OFFSETS('0:3-5') */ id FROM l WHERE _log_offset = 7"},
		{sql: "SELECT /*+ OPTIONS('scan.startup.mode' = 'earliest') */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT id FROM l /*+ OPTIONS('scan.startup.mode'='full') */", want: ids(0, 10)},
		{sql: "SELECT /*+ OPTIONS('scan.startup.mode'='latest') */ id FROM l"},
		{sql: "SELECT /*+ OPTIONS('scan.startup.mode'='timestamp','scan.startup.timestamp'='2020-01-01 00:00:00') */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ OPTIONS('scan.startup.mode'='timestamp','scan.startup.timestamp'='1000') */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ OPTIONS('client.request-timeout'='20 s') */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ OFFSET(TIMESTAMP '2020-01-01 00:00:00') */ id FROM l", want: ids(0, 10)},
		{sql: "SELECT /*+ TIMEOUT('20s') */ id FROM l", want: ids(0, 10)},
		// predicates
		{sql: "SELECT id FROM l WHERE _bucket = 0 AND _log_offset >= ? AND _log_offset < ?", args: []any{3, 6}, want: ids(3, 6)},
		{sql: "SELECT id FROM l WHERE _bucket = 0 AND _log_offset BETWEEN 3 AND 6 ORDER BY _log_offset", want: ids(3, 7)},
		{sql: "SELECT id FROM l WHERE _log_offset > 7", want: ids(8, 10)},
		{sql: "SELECT id FROM l WHERE 2 > _log_offset", want: ids(0, 2)},
		{sql: "SELECT id FROM l WHERE _log_offset = 4", want: ids(4, 5)},
		{sql: "SELECT id FROM l WHERE _log_offset IN (2, 5, 2)", want: []string{"2", "5"}},
		{sql: "SELECT id FROM l WHERE _log_offset <> 4 AND _log_offset <= 5", want: []string{"0", "1", "2", "3", "5"}},
		{sql: "SELECT id FROM l WHERE _log_offset = NULL"},
		{sql: "SELECT id FROM l WHERE _log_offset > ?", args: []any{nil}},
		{sql: "SELECT id FROM l WHERE _log_offset > 100"},
		{sql: "SELECT id FROM l WHERE _log_offset < -1"},
		{sql: "SELECT id FROM l WHERE _log_offset > 9223372036854775807"},
		{sql: "SELECT id FROM l WHERE _bucket = 1"},
		{sql: "SELECT id FROM l WHERE _bucket IN (0, 5) AND _log_offset < 2", want: ids(0, 2)},
		{sql: "SELECT id FROM l WHERE NOT (_bucket = 0)"},
		// pseudo columns and the rest of SELECT
		{sql: "SELECT _bucket, _log_offset, _change_type, amount AS a FROM l LIMIT 2", names: "_bucket _log_offset _change_type a", want: []string{"0 0 insert 0.50", "0 1 insert 1.50"}},
		{sql: "SELECT id FROM l WHERE kind = 'a'", want: []string{"0", "2", "6", "8"}},
		{sql: "SELECT id FROM l WHERE kind IS NULL", want: []string{"4"}},
		{sql: "SELECT id FROM l WHERE amount > 6.5 AND kind LIKE 'b'", want: []string{"7", "9"}},
		{sql: "SELECT id FROM l WHERE kind = 'a' LIMIT 1 OFFSET 2", want: []string{"6"}},
		{sql: "SELECT id FROM l LIMIT 3 OFFSET 4", want: ids(4, 7)},
		{sql: "SELECT id FROM l ORDER BY _log_offset", want: ids(0, 10)},
		{sql: "SELECT id FROM l ORDER BY _log_offset DESC LIMIT 2", want: []string{"9", "8"}},
		{sql: "SELECT id FROM l ORDER BY kind, id DESC LIMIT 3", want: []string{"4", "8", "6"}},
		{sql: "SELECT kind, kind FROM l LIMIT 1", names: "kind kind", want: []string{"a a"}},
		{sql: "SELECT COUNT(*) FROM l", names: "COUNT(*)", want: []string{"10"}},
		{sql: "SELECT COUNT(*) FROM l WHERE _log_offset >= 4", want: []string{"6"}},
		{sql: "SELECT COUNT(*) FROM l WHERE kind = 'a'", want: []string{"4"}},
		{sql: "SELECT /*+ OFFSET(8) */ COUNT(*) FROM l", want: []string{"2"}},
		{sql: "SELECT /*+ EXACT */ COUNT(*) FROM l", want: []string{"10"}},
	})
}

// OFFSET(TIMESTAMP ...) begins with the first batch that was committed at that time or later.
func TestLogTimestamp(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	stamp := func(id int) time.Time {
		var s time.Time
		if err := db.QueryRowContext(timeout(t), "SELECT _commit_timestamp FROM l WHERE _log_offset = ?", id).Scan(&s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := stamp(9)
	n := 10
	for ; !stamp(n - 1).After(first); n++ { // until the server's clock went on
		mustExec(t, db, "INSERT INTO l (id) VALUES (?)", n)
	}
	last := stamp(n - 1)
	text := last.UTC().Format("2006-01-02 15:04:05.000")
	play(t, db, []step{
		{sql: "SELECT /*+ OFFSET(TIMESTAMP '" + text + "') */ id FROM l", want: ids(n-1, n)},
		{sql: "SELECT /*+ OPTIONS('scan.startup.mode'='timestamp','scan.startup.timestamp'='" + fmt.Sprint(last.UnixMilli()) + "') */ id FROM l", want: ids(n-1, n)},
		{sql: "SELECT id FROM l WHERE _commit_timestamp >= ?", args: []any{last}, want: ids(n-1, n)},
		{sql: "SELECT id FROM l WHERE _commit_timestamp < ?", args: []any{last}, want: ids(0, n-1)},
	})
	if d := time.Since(last); d < -time.Minute || d > time.Hour {
		t.Errorf("commit timestamp %v is %v ago", last, d)
	}
}

// A log of several buckets.
func TestLogBuckets(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: "CREATE TABLE l (k STRING, v INT) DISTRIBUTED BY (k) INTO 4 BUCKETS"}})
	const rows = 200
	for i := 0; i < rows; i += 50 {
		insert, args := "INSERT INTO l VALUES (?, ?)", []any{fmt.Sprintf("k%d", i), i}
		for j := i + 1; j < i+50; j++ {
			insert, args = insert+", (?, ?)", append(args, fmt.Sprintf("k%d", j), j)
		}
		if n := affected(t, db, insert, args...); n != 50 {
			t.Fatalf("%d rows affected", n)
		}
	}
	bucketOf, ends := map[int64]int64{}, map[int64]int64{}
	for _, r := range queryAll(t, db, "SELECT v, _bucket, _log_offset FROM l") {
		v, bucket, offset := r[0].(int64), r[1].(int64), r[2].(int64)
		if offset != ends[bucket] {
			t.Fatalf("bucket %d: offset %d after %d rows", bucket, offset, ends[bucket])
		}
		bucketOf[v] = bucket
		ends[bucket]++
	}
	if len(bucketOf) != rows || len(ends) != 4 {
		t.Fatalf("%d rows in %d buckets", len(bucketOf), len(ends))
	}
	count := func(query string, args ...any) (n int64) {
		t.Helper()
		return queryAll(t, db, query, args...)[0][0].(int64)
	}
	for _, c := range []struct {
		what      string
		got, want int64
	}{
		{"all", count("SELECT COUNT(*) FROM l"), rows},
		{"two", count("SELECT /*+ BUCKET(1, 3) */ COUNT(*) FROM l"), ends[1] + ends[3]},
		{"one", count("SELECT COUNT(*) FROM l WHERE _bucket = ?", 2), ends[2]},
		{"both", count("SELECT /*+ BUCKET(0, 1) */ COUNT(*) FROM l WHERE _bucket IN (1, 2)"), ends[1]},
		{"last", count("SELECT /*+ LAST(5) */ COUNT(*) FROM l"), 20},
		{"offsets", count(fmt.Sprintf("SELECT /*+ OFFSETS('0:2-7,3:%d-') */ COUNT(*) FROM l", ends[3]-1)), 6},
		{"offset", count("SELECT /*+ OFFSET(10) */ COUNT(*) FROM l"), rows - 40},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d rows, want %d", c.what, c.got, c.want)
		}
	}
	if got := len(queryAll(t, db, "SELECT v FROM l LIMIT 60")); got != 60 {
		t.Errorf("LIMIT 60 gave %d rows", got)
	}
	if got := texts(queryAll(t, db, "SELECT v FROM l ORDER BY v LIMIT 3 OFFSET 7")); fmt.Sprint(got) != "[7 8 9]" {
		t.Errorf("ORDER BY v: %v", got)
	}
}

func TestLogRefusals(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	play(t, db, []step{
		{sql: "CREATE TABLE two (id INT) WITH ('bucket.num' = '2')"},
		{sql: "SELECT /*+ OFFSET(1000) */ * FROM l", is: fluss.ErrOffsetOutOfRange, words: []string{"bucket 0", "1000", "10"}},
		{sql: "SELECT /*+ OFFSETS('0:11-12') */ * FROM l", is: fluss.ErrOffsetOutOfRange, words: []string{"11"}},
		{sql: "SELECT /*+ OFFSET(-5) */ * FROM l", fails: true, words: []string{"OFFSET", "-5"}},
		{sql: "SELECT /*+ OFFSET(?) */ * FROM l", args: []any{-5}, fails: true, words: []string{"-5"}},
		{sql: "SELECT /*+ OFFSET('middle') */ * FROM l", fails: true, words: []string{"'earliest', 'latest'", "middle"}},
		{sql: "SELECT /*+ OFFSET */ * FROM l", fails: true, words: []string{"OFFSET", "one argument"}},
		{sql: "SELECT /*+ OFFSET(1) OFFSET(2) */ * FROM l", fails: true, words: []string{"given twice"}},
		{sql: "SELECT /*+ OFFSET(1) LAST(2) */ * FROM l", fails: true, words: []string{"given twice"}},
		{sql: "SELECT /*+ LAST(-1) */ * FROM l", fails: true, words: []string{"LAST", "-1"}},
		{sql: "SELECT /*+ BUCKET(9) */ * FROM l", fails: true, words: []string{"BUCKET", "buckets 0 to 0", "9"}},
		{sql: "SELECT /*+ BUCKET() */ * FROM l", fails: true, words: []string{"BUCKET"}},
		{sql: "SELECT /*+ BUCKET('x') */ * FROM l", fails: true, words: []string{"x", "not a bucket number"}},
		{sql: "SELECT /*+ OFFSETS('9:0-1') */ * FROM l", fails: true, words: []string{"OFFSETS", "buckets 0 to 0"}},
		{sql: "SELECT /*+ OFFSETS('x') */ * FROM l", fails: true, words: []string{"bucket:from-to"}},
		{sql: "SELECT /*+ OFFSETS('0:1-2') OFFSET(1) */ * FROM l", fails: true, words: []string{"OFFSETS", "leave out"}},
		{sql: "SELECT /*+ OPTIONS('scan.startup.mode'='soon') */ * FROM l", fails: true, words: []string{"scan.startup.mode", "soon"}},
		{sql: "SELECT /*+ OPTIONS('scan.startup.timestamp'='5') */ * FROM l", fails: true, words: []string{"scan.startup.mode"}},
		{sql: "SELECT /*+ OPTIONS('scan.startup.mode'='timestamp','scan.startup.timestamp'='noon') */ * FROM l", fails: true, words: []string{"scan.startup.timestamp", "noon"}},
		{sql: "SELECT /*+ OPTIONS('no.such'='5') */ * FROM l", is: fluss.ErrUnsupported, words: []string{"the option no.such"}},
		{sql: "SELECT /*+ TIMEOUT('soon') */ * FROM l", fails: true, words: []string{"soon", "duration"}},
		{sql: "SELECT /*+ KEEP_MISSING */ * FROM l", is: fluss.ErrUnsupported, words: []string{"KEEP_MISSING"}},
		{sql: "SELECT /*+ FULL_SCAN */ * FROM l", is: fluss.ErrUnsupported, words: []string{"FULL_SCAN", "does not scan a key table"}},
		{sql: "SELECT /*+ FOLLOW */ * FROM l ORDER BY id LIMIT 3", is: fluss.ErrUnsupported, words: []string{"ORDER BY with FOLLOW"}},
		{sql: "SELECT * FROM l ORDER BY id", is: fluss.ErrUnsupported, words: []string{"ORDER BY without a LIMIT"}},
		{sql: "SELECT * FROM two ORDER BY _log_offset", is: fluss.ErrUnsupported, words: []string{"ORDER BY without a LIMIT", "one bucket of a log"}},
		{sql: "SELECT _found FROM l", is: fluss.ErrColumnNotExist, words: []string{"_found"}},
		{sql: "SELECT COUNT(*) FROM l", want: []string{"10"}},
	})
}

// The change log of a key table: what happened to each key, in order.
func TestChangelog(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, w INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "SELECT * FROM k$changelog", names: "_change_type _log_offset _commit_timestamp id v w"},
		{sql: "INSERT INTO k VALUES (1, 'a', 10)", rows: 1},
		{sql: "UPSERT INTO k VALUES (1, 'b', 20)", rows: 1},
		{sql: "UPDATE k SET v = 'c' WHERE id = 1", rows: 1},
		{sql: "INSERT INTO k (id, w) VALUES (2, 7)", rows: 1},
		{sql: "DELETE FROM k WHERE id = 1", rows: 1},
		{sql: "DELETE FROM k WHERE id = 9"},
		{sql: "SELECT _change_type, _log_offset, id, v, w FROM k$changelog", want: []string{"insert 0 1 a 10", "update_before 1 1 a 10", "update_after 2 1 b 20",
			"update_before 3 1 b 20", "update_after 4 1 c 20", "insert 5 2 NULL 7", "delete 6 1 c 20"}},
		{sql: "SELECT v FROM k$changelog WHERE _change_type = 'update_after' AND id = 1", want: []string{"b", "c"}},
		{sql: "SELECT /*+ OFFSET(5) */ id, _change_type FROM `k$changelog`", want: []string{"2 insert", "1 delete"}},
		{sql: "SELECT /*+ LAST(1) */ x.id FROM k$changelog AS x", want: []string{"1"}},
		{sql: "SELECT id FROM k$changelog WHERE _log_offset BETWEEN 4 AND 5", want: []string{"1", "2"}},
		{sql: "SELECT COUNT(*) FROM k$changelog", want: []string{"7"}},
		{sql: "SELECT COUNT(*) FROM k", want: []string{"1"}},
	})
}

// FOLLOW waits for rows and ends with its context.
func TestFollow(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	for _, c := range []struct {
		query string
		first int
	}{
		{"SELECT /*+ FOLLOW */ id FROM l", 0},
		{"SELECT /*+ OFFSET(8) FOLLOW */ id FROM l", 8},
		{"SELECT /*+ FOLLOW, OFFSET('latest') */ id FROM l", 10},
	} {
		ctx, cancel := context.WithCancel(timeout(t))
		rows, err := db.QueryContext(ctx, c.query)
		if err != nil {
			t.Fatal(err)
		}
		next := func(want int) {
			t.Helper()
			var id int
			if !rows.Next() {
				t.Fatalf("%s: no row %d: %v", c.query, want, rows.Err())
			}
			if err := rows.Scan(&id); err != nil || id != want {
				t.Fatalf("%s: got %d, %v, want %d", c.query, id, err, want)
			}
		}
		for i := c.first; i < 10; i++ {
			next(i)
		}
		mustExec(t, db, "INSERT INTO l (id) VALUES (10), (11)")
		next(10)
		next(11)
		time.AfterFunc(20*time.Millisecond, cancel)
		if rows.Next() {
			t.Errorf("%s: a row out of nothing", c.query)
		}
		if err := rows.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: ended with %v, want context.Canceled", c.query, err)
		}
		rows.Close()
		mustExec(t, db, "DROP TABLE l")
		logOfTen(t, db)
	}
	// with a stop or a LIMIT it ends by itself
	play(t, db, []step{
		{sql: "SELECT /*+ FOLLOW STOP_OFFSET(3) */ id FROM l", want: ids(0, 3)},
		{sql: "SELECT /*+ FOLLOW */ id FROM l LIMIT 10", want: ids(0, 10)},
		{sql: "SELECT /*+ FOLLOW */ id FROM l WHERE _log_offset BETWEEN 2 AND 3", want: ids(2, 4)},
		{sql: "SELECT /*+ FOLLOW OFFSETS('0:7-10') */ id FROM l", want: ids(7, 10)},
		{sql: "SELECT /*+ FOLLOW TIMEOUT('100ms') */ id FROM l", is: context.DeadlineExceeded},
		{sql: "SELECT /*+ FOLLOW */ COUNT(*) FROM l", is: fluss.ErrUnsupported, words: []string{"COUNT(*) with FOLLOW", "no last row"}},
	})
}

// LastWrite tells where the rows of a connection's last write went.
func TestLastWrite(t *testing.T) {
	db := own(t)
	name := database(t, db)
	play(t, db, []step{
		{sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE spread (id INT) WITH ('bucket.num' = '8')"},
		{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
	})
	conn, err := db.Conn(timeout(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	last := func() (w fluss.WriteResult, err error) {
		return w, conn.Raw(func(dc any) error {
			var err error
			w, err = fluss.LastWrite(dc)
			return err
		})
	}
	if w, err := last(); err == nil {
		t.Errorf("before a write: %+v", w)
	}
	for _, c := range []struct {
		query string
		want  string
	}{
		{"INSERT INTO l VALUES (1, 'a'), (2, 'b')", fmt.Sprintf("{%s.l [{ 0 0 2}]}", name)},
		{"INSERT INTO l VALUES (3, 'c')", fmt.Sprintf("{%s.l [{ 0 2 1}]}", name)},
		{"INSERT INTO k VALUES (1, 'a')", fmt.Sprintf("{%s.k [{ 0 1 1}]}", name)},
		{"UPDATE k SET v = 'b' WHERE id = 1", fmt.Sprintf("{%s.k [{ 0 3 1}]}", name)},
		{"DELETE FROM k WHERE id = 1", fmt.Sprintf("{%s.k [{ 0 4 1}]}", name)},
	} {
		if _, err := conn.ExecContext(timeout(t), c.query); err != nil {
			t.Fatal(err)
		}
		if w, err := last(); err != nil || fmt.Sprint(w) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.query, w, err, c.want)
		}
	}
	// Rows without a bucket key stay together, with offsets that follow each other.
	for range 4 {
		if _, err := conn.ExecContext(timeout(t), "INSERT INTO spread VALUES (1), (2), (3), (4)"); err != nil {
			t.Fatal(err)
		}
		w, err := last()
		if err != nil || len(w.Buckets) != 1 || w.Buckets[0].Rows != 4 {
			t.Errorf("four rows went to %v, %v", w, err)
			continue
		}
		b := w.Buckets[0]
		rows := queryAll(t, db, "SELECT id FROM spread WHERE _bucket = ? AND _log_offset BETWEEN ? AND ?", b.Bucket, b.Offset, b.Offset+3)
		if fmt.Sprint(texts(rows)) != "[1 2 3 4]" {
			t.Errorf("the offsets hold %v", rows)
		}
	}
}
