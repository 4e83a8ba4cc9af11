package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// begin begins a transaction that is rolled back when the test ends, unless it ended before.
func begin(t *testing.T, db *sql.DB, o *sql.TxOptions) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(timeout(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

// playTx is play in a transaction.
func playTx(t *testing.T, tx *sql.Tx, steps []step) {
	t.Helper()
	for i := range steps {
		s := &steps[i]
		if !returnsRows(s.sql) {
			result, err := tx.Exec(s.sql, s.args...)
			if s.failed(t, err) {
				continue
			}
			if n, err := result.RowsAffected(); n != s.rows || err != nil {
				t.Errorf("%.300s %s\ngot  %d rows affected, %v\nwant %d", s.sql, shortArgs(s.args), n, err, s.rows)
			}
			continue
		}
		rows, err := tx.Query(s.sql, s.args...)
		if err == nil {
			var got [][]any
			if got, err = allRows(rows); err == nil && s.is == nil {
				compareTexts(t, s.sql, s.args, texts(got), s.want, s.sort)
			}
		}
		s.failed(t, err)
	}
}

func allRows(rows *sql.Rows) ([][]any, error) {
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]any
	for rows.Next() {
		values, dest := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			dest[i] = &values[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		out = append(out, values)
	}
	return out, rows.Err()
}

const txTable = "CREATE TABLE t (id INT, name STRING, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '3')"

// tx=batch: nothing is there before Commit, everything afterwards, and reads by key see what was written.
func TestTxBatch(t *testing.T) {
	db := own(t)
	const all = "SELECT * FROM t ORDER BY id LIMIT 100"
	play(t, db, []step{{sql: txTable}, {sql: "INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3)", rows: 3}})

	tx := begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: all, want: []string{"1 one 1", "2 two 2", "3 three 3"}}, // nothing is buffered yet
		{sql: "INSERT INTO t VALUES (4, 'four', 4)", rows: 1},
		{sql: "UPDATE t SET n = n + ? WHERE id = ?", args: []any{10, 1}, rows: 1},
		{sql: "UPDATE t SET n = n + 10 WHERE id IN (1, 4, 9)", rows: 2},
		{sql: "UPDATE t SET name = 'uno' WHERE id = 1", rows: 1},
		{sql: "INSERT INTO t (id, n) VALUES (2, 22), (5, 55)", rows: 2}, // partial: the name of 2 stays
		{sql: "DELETE FROM t WHERE id IN (3, 8)", rows: 1},
		{sql: "DELETE FROM t WHERE id = 3"},
		{sql: "UPDATE t SET n = 0 WHERE id = 3"},
		{sql: "SELECT * FROM t WHERE id IN (1, 2, 3, 4, 5, 6)", want: []string{"1 uno 21", "2 two 22", "4 four 14", "5 NULL 55"}},
		{sql: "SELECT n FROM t WHERE id = ?", args: []any{1}, want: []string{"21"}},
		{sql: "SELECT id FROM t WHERE id IN (1, 4) AND n < 20", want: []string{"4"}},
		{sql: "SELECT COUNT(*) FROM t WHERE id IN (1, 3, 4)", want: []string{"2"}},
		{sql: all, is: fluss.ErrUnsupported, words: []string{"not by key", "buffered until Commit", "full primary key"}},
		{sql: "SELECT COUNT(*) FROM t", is: fluss.ErrUnsupported, words: []string{"not by key"}},
		{sql: "SELECT * FROM t$changelog", is: fluss.ErrUnsupported, words: []string{"not by key"}},
		{sql: "INSERT INTO t VALUES (6, 'six', 6), (7, 'seven', 'x')", is: fluss.ErrValue, words: []string{"column n", "row 2"}},
		{sql: "SELECT * FROM t WHERE id = 6"}, // of a statement that failed nothing is buffered
	})
	play(t, db, []step{{sql: all, want: []string{"1 one 1", "2 two 2", "3 three 3"}}}) // nobody else sees it
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{{sql: all, want: []string{"1 uno 21", "2 two 22", "4 four 14", "5 NULL 55"}}})

	tx = begin(t, db, nil)
	playTx(t, tx, []step{{sql: "INSERT INTO t VALUES (9, 'nine', 9)", rows: 1}, {sql: "DELETE FROM t WHERE id = 1", rows: 1}})
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{{sql: all, want: []string{"1 uno 21", "2 two 22", "4 four 14", "5 NULL 55"}}})
}

// An INSERT and a DELETE of a key that was not there cancel out: the change log of a table that never had a row stays
// empty.
func TestTxCancelsOut(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: txTable}})
	tx := begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2)", rows: 2},
		{sql: "UPDATE t SET n = n * 2 WHERE id = 1", rows: 1},
		{sql: "INSERT INTO t (id, name) VALUES (1, 'aa')", rows: 1},
		{sql: "DELETE FROM t WHERE id IN (1, 2)", rows: 2},
		{sql: "SELECT * FROM t WHERE id IN (1, 2)"},
		{sql: "DELETE FROM t WHERE id = 1"},
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{{sql: "SELECT * FROM t$changelog"}, {sql: "SELECT COUNT(*) FROM t", want: []string{"0"}}})

	tx = begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)", rows: 3},
		{sql: "DELETE FROM t WHERE id = 2", rows: 1},
		{sql: "INSERT INTO t (id, n) VALUES (2, 7)", rows: 1}, // nothing of the first row comes back
		{sql: "SELECT * FROM t WHERE id IN (1, 2, 3)", want: []string{"1 a 1", "2 NULL 7", "3 c 3"}},
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	tx = begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "DELETE FROM t WHERE id = 1", rows: 1}, // a row that is there: the DELETE is sent
		{sql: "INSERT INTO t VALUES (1, 'z', 9)", rows: 1},
		{sql: "DELETE FROM t WHERE id = 1", rows: 1},
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{{sql: "SELECT * FROM t ORDER BY id LIMIT 10", want: []string{"2 NULL 7", "3 c 3"}}})
}

// Several tables, partitioned and not, of both kinds; and where the rows went.
func TestTxTables(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, day STRING, v STRING, PRIMARY KEY (id, day)) PARTITIONED BY (day) WITH ('bucket.num' = '2')"},
		{sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE b (id INT, v STRING) WITH ('bucket.num' = '3', 'bucket.key' = 'id')"},
		{sql: "CREATE TABLE strict (id INT, v STRING NOT NULL, w INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
	})
	conn, err := db.Conn(timeout(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	tx, err := conn.BeginTx(timeout(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	bytes := []byte("first")
	playTx(t, tx, []step{
		{sql: "INSERT INTO l VALUES (1, ?)", args: []any{bytes}, rows: 1},
		{sql: "INSERT INTO k VALUES (1, 'mo', 'a'), (1, 'tu', 'b')", rows: 2},
		{sql: "INSERT INTO b VALUES (1, 'x'), (2, 'y'), (3, 'z')", rows: 3},
		{sql: "INSERT INTO strict VALUES (1, 'v', 5)", rows: 1},
		{sql: "UPDATE strict SET w = w + 1 WHERE id = 1", rows: 1},
		{sql: "UPDATE k SET v = 'c' WHERE id = 1 AND day IN ('tu', 'we')", rows: 1},
		{sql: "SELECT * FROM k WHERE id = 1 AND day IN ('mo', 'tu', 'we')", want: []string{"1 mo a", "1 tu c"}},
		{sql: "INSERT INTO l VALUES (2, 'second')", rows: 1},
		{sql: "SELECT * FROM l", is: fluss.ErrUnsupported, words: []string{"not by key"}},
		{sql: "INSERT INTO l VALUES (3, 'x') RETURNING _bucket, _log_offset", is: fluss.ErrUnsupported, words: []string{"RETURNING", "at Commit"}},
	})
	copy(bytes, "XXXXX") // an argument may be used again
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{
		{sql: "SELECT id, v FROM l", want: []string{"1 first", "2 second"}},
		{sql: "SELECT * FROM b", sort: true, want: []string{"1 x", "2 y", "3 z"}},
		{sql: "SELECT * FROM k WHERE id = 1 AND day IN ('mo', 'tu')", want: []string{"1 mo a", "1 tu c"}},
		{sql: "SELECT * FROM strict WHERE id = 1", want: []string{"1 v 6"}},
	})
	last := lastTx(t, conn)
	var got []string
	for _, tab := range last.Tables {
		stored := 0
		for _, b := range tab.Buckets {
			if stored += b.Stored; b.NotStored+b.Unknown > 0 {
				t.Errorf("%s: %+v", tab.Table, b)
			}
		}
		got = append(got, fmt.Sprint(tab.Table[strings.IndexByte(tab.Table, '.')+1:], " ", stored))
	}
	if want := "[l 2 k 3 b 3 strict 2]"; fmt.Sprint(got) != want {
		t.Errorf("got  %v\nwant %s", got, want)
	}
}

// DDL runs at once: rows from before and after an ALTER TABLE are seen together, and stored.
func TestTxAlter(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: txTable}, {sql: "INSERT INTO t VALUES (1, 'one', 1)", rows: 1}, {sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '1')"}})
	tx := begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "INSERT INTO t VALUES (2, 'two', 2)", rows: 1},
		{sql: "UPDATE t SET n = n + 10 WHERE id = 1", rows: 1},
		{sql: "INSERT INTO l VALUES (1)", rows: 1},
		{sql: "SELECT * FROM t WHERE id IN (1, 2)", want: []string{"1 one 11", "2 two 2"}},
		{sql: "ALTER TABLE t ADD COLUMN extra STRING"},
		{sql: "ALTER TABLE l ADD COLUMN extra STRING"},
		{sql: "UPDATE t SET extra = 'e', n = n + 1 WHERE id IN (1, 2)", rows: 2},
		{sql: "INSERT INTO l VALUES (2, 'x')", rows: 1},
		{sql: "SELECT * FROM t WHERE id IN (1, 2)", want: []string{"1 one 12 e", "2 two 3 e"}},
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{
		{sql: "SELECT * FROM t WHERE id IN (1, 2)", want: []string{"1 one 12 e", "2 two 3 e"}},
		{sql: "SELECT * FROM l", want: []string{"1 NULL", "2 x"}},
	})
}

func lastTx(t *testing.T, conn *sql.Conn) (r fluss.TxResult) {
	t.Helper()
	if err := conn.Raw(func(dc any) (err error) {
		r, err = fluss.LastTx(dc)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTxRefusals(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: txTable},
		{sql: "CREATE TABLE ver (id INT, n BIGINT, PRIMARY KEY (id)) WITH ('bucket.num' = '1', 'table.merge-engine' = 'versioned', 'table.merge-engine.versioned.ver-column' = 'n')"},
		{sql: "BEGIN", is: fluss.ErrUnsupported, words: []string{"as text", "db.BeginTx"}},
		{sql: "START TRANSACTION", is: fluss.ErrUnsupported, words: []string{"db.BeginTx"}},
		{sql: "COMMIT", is: fluss.ErrUnsupported, words: []string{"as text"}},
		{sql: "ROLLBACK", is: fluss.ErrUnsupported, words: []string{"as text"}},
		{sql: "SAVEPOINT x", is: fluss.ErrUnsupported, words: []string{"SAVEPOINT"}},
	})
	for _, level := range []sql.IsolationLevel{sql.LevelReadUncommitted, sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable} {
		if _, err := db.BeginTx(timeout(t), &sql.TxOptions{Isolation: level}); !errors.Is(err, fluss.ErrUnsupported) || !strings.Contains(err.Error(), "isolation level "+level.String()) {
			t.Errorf("%v: %v", level, err)
		}
	}
	tx := begin(t, db, &sql.TxOptions{ReadOnly: true})
	playTx(t, tx, []step{
		{sql: "SELECT * FROM t WHERE id = 1"},
		{sql: "SELECT COUNT(*) FROM t", want: []string{"0"}},
		{sql: "INSERT INTO t VALUES (1, 'x', 1)", is: fluss.ErrUnsupported, words: []string{"read-only transaction"}},
		{sql: "UPDATE t SET n = 1 WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"read-only"}},
		{sql: "DELETE FROM t WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"read-only"}},
		{sql: "DROP TABLE t", is: fluss.ErrUnsupported, words: []string{"read-only"}},
	})
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	tx = begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "INSERT INTO ver VALUES (1, 5)", rows: 1},
		{sql: "SELECT * FROM ver WHERE id = 2"},
		{sql: "SELECT * FROM ver WHERE id = 1", is: fluss.ErrUnsupported, words: []string{"merge engine (versioned)", "after Commit"}},
		{sql: "SAVEPOINT x", is: fluss.ErrUnsupported, words: []string{"SAVEPOINT"}},
		{sql: "CREATE TABLE other (id INT) WITH ('bucket.num' = '1')"}, // DDL runs at once
	})
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
	play(t, db, []step{{sql: "SELECT COUNT(*) FROM other", want: []string{"0"}}})

	off := ownWith(t, func(c *fluss.Config) { c.Tx = "off" })
	if _, err := off.Begin(); !errors.Is(err, fluss.ErrUnsupported) || !strings.Contains(err.Error(), "tx=off") {
		t.Error(err)
	}
	small := ownWith(t, func(c *fluss.Config) { c.TxBufferBytes = 1 << 16 })
	tx = begin(t, small, nil)
	playTx(t, tx, []step{
		{sql: "INSERT INTO t VALUES (1, ?, 1)", args: []any{strings.Repeat("x", 40_000)}, rows: 1},
		{sql: "INSERT INTO t VALUES (2, ?, 2)", args: []any{strings.Repeat("x", 40_000)}, is: fluss.ErrTooLarge, words: []string{"tx_buffer_bytes", "tx=stream"}},
		{sql: "INSERT INTO t VALUES (3, 'small', 3)", rows: 1},
	})
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	play(t, db, []step{{sql: "SELECT id, n FROM t WHERE id IN (1, 2, 3)", want: []string{"1 1", "3 3"}}})
}

// The context of BeginTx bounds the transaction: when it ends nothing is sent.
func TestTxContextEnds(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: txTable}})
	conn, err := db.Conn(timeout(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	playTx(t, tx, []step{{sql: "INSERT INTO t VALUES (1, 'a', 1)", rows: 1}})
	cancel()
	if err := tx.Commit(); !errors.Is(err, context.Canceled) && !errors.Is(err, sql.ErrTxDone) {
		t.Errorf("Commit: %v", err)
	}
	play(t, db, []step{{sql: "SELECT * FROM t WHERE id = 1"}})
}

// A Commit to a table that is gone stores nothing of it, and says what became of the other.
func TestTxPartlyStored(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: txTable}, {sql: "CREATE TABLE u (id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"}})
	tx := begin(t, db, nil)
	playTx(t, tx, []step{
		{sql: "INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2)", rows: 2},
		{sql: "INSERT INTO u VALUES (1), (2), (3)", rows: 3},
		{sql: "DROP TABLE u"},
	})
	err := tx.Commit()
	whole, ok := errors.AsType[*fluss.TxError](err)
	part, ok2 := errors.AsType[*fluss.PartialWriteError](err)
	if !ok || !ok2 || len(whole.Tables) != 2 || !strings.HasSuffix(part.Table, ".u") || part.Buckets[0].NotStored != 3 {
		t.Fatalf("%v (%T)", err, err)
	}
	if !strings.Contains(err.Error(), ".t: 2 rows stored, 0 not stored, 0 unknown") || !strings.Contains(err.Error(), ".u: 0 rows stored, 3 not stored") {
		t.Error(err)
	}
	play(t, db, []step{{sql: "SELECT id FROM t WHERE id IN (1, 2)", want: []string{"1", "2"}}})
}

// tx=stream sends while it is filled, sees its own rows everywhere, and cannot take them back.
func TestTxStream(t *testing.T) {
	db := ownWith(t, func(c *fluss.Config) { c.Tx, c.TxBufferBytes = "stream", 256<<10 })
	play(t, db, []step{{sql: txTable}, {sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '2')"}})
	const rows = 5000
	text := strings.Repeat("v", 200)

	tx := begin(t, db, nil)
	for _, q := range []string{"INSERT INTO t VALUES (?, ?, ?)", "INSERT INTO l VALUES (?, ?)"} {
		insert, err := tx.Prepare(q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			args := []any{i, text, i}
			if _, err := insert.Exec(args[:strings.Count(q, "?")]...); err != nil {
				t.Fatal(i, err)
			}
		}
	}
	playTx(t, tx, []step{
		{sql: "SELECT COUNT(*) FROM t", want: []string{fmt.Sprint(rows)}}, // what is buffered is sent before a read
		{sql: "SELECT COUNT(*) FROM l", want: []string{fmt.Sprint(rows)}},
		{sql: "INSERT INTO t VALUES (-1, 'x', 1)", rows: 1},
		{sql: "UPDATE t SET n = n + 1 WHERE id IN (-1, 0)", rows: 2},
		{sql: "DELETE FROM t WHERE id IN (-1, 1)", rows: 2},
		{sql: "SELECT id, n FROM t WHERE id IN (-1, 0, 1, 2)", want: []string{"0 1", "2 2"}},
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	play(t, db, []step{{sql: "SELECT COUNT(*) FROM t", want: []string{fmt.Sprint(rows - 1)}}, {sql: "SELECT COUNT(*) FROM l", want: []string{fmt.Sprint(rows)}}})

	conn, err := db.Conn(timeout(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if tx, err = conn.BeginTx(timeout(t), nil); err != nil {
		t.Fatal(err)
	}
	playTx(t, tx, []step{{sql: "INSERT INTO l VALUES (1, 'x')", rows: 1}})
	if err := tx.Rollback(); err != nil {
		t.Errorf("nothing was sent: %v", err)
	}
	if tx, err = conn.BeginTx(timeout(t), nil); err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		if _, err := tx.Exec("INSERT INTO l VALUES (?, ?)", i, text); err != nil {
			t.Fatal(err)
		}
	}
	err = tx.Rollback()
	partial, ok := errors.AsType[*fluss.PartialWriteError](err)
	if !ok || !strings.Contains(err.Error(), "rolled back") {
		t.Fatalf("Rollback: %v (%T)", err, err)
	}
	stored, not := 0, 0
	for _, b := range partial.Buckets {
		stored, not = stored+b.Stored, not+b.NotStored
	}
	if stored == 0 || not == 0 || stored+not != 3000 {
		t.Errorf("%d stored, %d not", stored, not)
	}
	if last := lastTx(t, conn); len(last.Tables) != 1 || len(last.Tables[0].Buckets) != len(partial.Buckets) {
		t.Errorf("LastTx: %+v", last)
	}
	play(t, db, []step{{sql: "SELECT COUNT(*) FROM l", want: []string{fmt.Sprint(rows + stored)}}})
}

// When the context of BeginTx ends, database/sql rolls back and drops the error: the counts stay on the connection.
func TestTxStreamContextEnds(t *testing.T) {
	db := ownWith(t, func(c *fluss.Config) { c.Tx, c.TxBufferBytes = "stream", 64<<10 })
	play(t, db, []step{{sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1')"}})
	conn, err := db.Conn(timeout(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		if _, err := tx.Exec("INSERT INTO l VALUES (?, ?)", i, strings.Repeat("v", 200)); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	for end := time.Now().Add(10 * time.Second); ; { // the rollback runs on a goroutine of database/sql
		var r fluss.TxResult
		err := conn.Raw(func(dc any) (err error) {
			r, err = fluss.LastTx(dc)
			return err
		})
		if err == nil {
			b := r.Tables[0].Buckets[0]
			if b.Stored == 0 || b.Stored+b.NotStored != 1000 {
				t.Errorf("%+v", b)
			}
			play(t, db, []step{{sql: "SELECT COUNT(*) FROM l", want: []string{fmt.Sprint(b.Stored)}}})
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}
