package conformance

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// countedDriver counts the statements that database/sql opens and closes. It hides QueryerContext, so that every
// statement is prepared.
type countedDriver struct {
	driver.Connector
	opened, closed atomic.Int64
}

type countedSession struct {
	driver.Conn
	d *countedDriver
}

type countedStmt struct {
	driver.Stmt
	driver.StmtQueryContext
	driver.StmtExecContext
	driver.NamedValueChecker
	d *countedDriver
}

func (d *countedDriver) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := d.Connector.Connect(ctx)
	return &countedSession{c, d}, err
}

func (c *countedSession) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.d.opened.Add(1)
	return &countedStmt{s, s.(driver.StmtQueryContext), s.(driver.StmtExecContext), s.(driver.NamedValueChecker), c.d}, nil
}

func (s *countedStmt) Close() error {
	s.d.closed.Add(1)
	return s.Stmt.Close()
}

// D06: a statement prepared before its table was there works once it is, and no driver statement stays open.
func TestD06Prepared(t *testing.T) {
	db := own(t)
	late, err := db.Prepare("SELECT v FROM late WHERE id = ?") // parsed, not planned
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	var v string
	if err := late.QueryRow(1).Scan(&v); !errors.Is(err, fluss.ErrTableNotExist) {
		t.Errorf("before CREATE TABLE: %v", err)
	}
	play(t, db, []step{
		{sql: "CREATE TABLE late (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO late VALUES (1, 'there')", rows: 1},
	})
	if err := late.QueryRow(1).Scan(&v); err != nil || v != "there" {
		t.Errorf("after CREATE TABLE: %q, %v", v, err)
	}

	cfg, err := fluss.ParseDSN(Target(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Database = database(t, db)
	connector, err := fluss.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	counted := &countedDriver{Connector: connector}
	pool := sql.OpenDB(counted)
	pool.SetConnMaxLifetime(10 * time.Millisecond)
	const rounds = 1000
	for range rounds {
		s, err := pool.Prepare("SELECT v FROM late WHERE id = ?")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.QueryRow(1).Scan(&v); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	connector.Close()
	if o, c := counted.opened.Load(), counted.closed.Load(); o != c || o < rounds {
		t.Errorf("%d statements opened, %d closed", o, c)
	}
}

// D11: a table that was dropped is missed in bounded time; one that was created again under its name is a new one, also
// for statements that were prepared before.
func TestD11Recreated(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE l (id INT, v STRING) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO k VALUES (1, 'old')", rows: 1},
		{sql: "INSERT INTO l VALUES (1, 'old'), (2, 'old')", rows: 2},
	})
	prepared := map[string]*sql.Stmt{}
	for _, query := range []string{"SELECT * FROM k WHERE id = ?", "INSERT INTO k (id) VALUES (?)", "SELECT * FROM l WHERE id >= ?", "INSERT INTO l (id) VALUES (?)",
		"SELECT * FROM k LIMIT ?", "DELETE FROM k WHERE id = ?"} {
		s, err := db.Prepare(query)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Exec(1); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		prepared[query] = s
	}
	play(t, db, []step{{sql: "DROP TABLE k"}, {sql: "DROP TABLE l"}})
	for query, s := range prepared {
		begin := time.Now()
		if _, err := s.Exec(1); !errors.Is(err, fluss.ErrTableNotExist) {
			t.Errorf("%s on a dropped table: %v", query, err)
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%s on a dropped table took %v", query, d)
		}
	}
	play(t, db, []step{
		{sql: "SELECT * FROM k WHERE id = 1", is: fluss.ErrTableNotExist, words: []string{".k"}},
		{sql: "INSERT INTO k VALUES (1, 'x')", is: fluss.ErrTableNotExist, words: []string{".k"}},
		{sql: "CREATE TABLE k (v BIGINT, extra STRING, id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '4')"},
		{sql: "CREATE TABLE l (other DOUBLE, id INT) WITH ('bucket.num' = '3')"},
	})
	for _, query := range []string{"INSERT INTO k (id) VALUES (?)", "INSERT INTO l (id) VALUES (?)"} {
		for i := range 8 {
			if _, err := prepared[query].Exec(i); err != nil {
				t.Errorf("%s on the new table: %v", query, err)
			}
		}
	}
	for query, want := range map[string]string{"SELECT * FROM k WHERE id = ?": "v extra id: [NULL NULL 1]", "SELECT * FROM l WHERE id >= ?": "other id: 7 rows", "SELECT * FROM k LIMIT ?": "v extra id: 1 rows"} {
		rows, err := prepared[query].Query(1)
		if err != nil {
			t.Errorf("%s on the new table: %v", query, err)
			continue
		}
		names, _ := rows.Columns()
		var got []string
		for rows.Next() {
			values := make([]sql.NullString, len(names))
			dest := make([]any, len(names))
			for i := range values {
				dest[i] = &values[i]
			}
			if err := rows.Scan(dest...); err != nil {
				t.Error(err)
			}
			line := ""
			for i, v := range values {
				if i > 0 {
					line += " "
				}
				if v.Valid {
					line += v.String
				} else {
					line += "NULL"
				}
			}
			got = append(got, line)
		}
		if err := rows.Err(); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		rows.Close()
		text := ""
		for i, n := range names {
			if i > 0 {
				text += " "
			}
			text += n
		}
		if full, short := fmt.Sprint(text, ": ", got), fmt.Sprint(text, ": ", len(got), " rows"); full != want && short != want {
			t.Errorf("%s: got %s, want %s", query, full, want)
		}
	}
	play(t, db, []step{
		{sql: "INSERT INTO k VALUES (10, 'e', 1)", rows: 1},
		{sql: "SELECT * FROM k WHERE id = 1", names: "v extra id", want: []string{"10 e 1"}},
		{sql: "SELECT COUNT(*) FROM k", want: []string{"8"}},
		{sql: "SELECT COUNT(*) FROM l", want: []string{"8"}},
		{sql: "DROP TABLE k"},
		{sql: "CREATE TABLE k (id INT) WITH ('bucket.num' = '1')"}, // a log table now
		{sql: "INSERT INTO k VALUES (5)", rows: 1},
		{sql: "SELECT * FROM k", names: "id", want: []string{"5"}},
		{sql: "DELETE FROM k WHERE id = 5", is: fluss.ErrUnsupported, words: []string{"log table"}},
	})
}

// D11: a scan that follows a log ends when its table is dropped.
func TestD11DroppedUnderScan(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '2')"},
		{sql: "INSERT INTO l VALUES (1)", rows: 1},
	})
	rows, err := db.QueryContext(timeout(t), "SELECT /*+ FOLLOW */ id FROM l")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	mustExec(t, db, "DROP TABLE l")
	begin := time.Now()
	if rows.Next() {
		t.Error("a row of a dropped table")
	}
	if err := rows.Err(); !errors.Is(err, fluss.ErrTableNotExist) && !errors.Is(err, fluss.ErrTableChanged) {
		t.Errorf("the scan ended with %v", err)
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("the scan ended after %v", d)
	}
}

// D13: offsets outside of the log are errors, its end is not.
func TestD13Offsets(t *testing.T) {
	db := own(t)
	logOfTen(t, db)
	play(t, db, []step{
		{sql: "CREATE TABLE four (id INT) WITH ('bucket.num' = '4')"},
		{sql: "SELECT /*+ OFFSET(1000) */ id FROM l", is: fluss.ErrOffsetOutOfRange, words: []string{"bucket 0", "1000", "0", "10"}},
		{sql: "SELECT /*+ OFFSET(1000) FOLLOW */ id FROM l", is: fluss.ErrOffsetOutOfRange, words: []string{"1000"}},
		{sql: "SELECT /*+ OFFSET(10) */ id FROM l"},
		{sql: "SELECT /*+ OFFSET(-5) */ id FROM l", fails: true, words: []string{"-5"}},
		{sql: "SELECT /*+ OFFSET('latest') */ id FROM l"},
		{sql: "SELECT /*+ BUCKET(9) */ id FROM four", fails: true, words: []string{"buckets 0 to 3", "9"}},
		{sql: "SELECT /*+ OFFSET(1) */ id FROM four", is: fluss.ErrOffsetOutOfRange, words: []string{"1"}},
	})
}

// D20: what query builders send daily.
func TestD20BuilderForms(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '3')"},
		{sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '1')"},
		{sql: "INSERT INTO k VALUES (1, 'a'), (2, 'b'), (3, 'c')", rows: 3},
		{sql: "SELECT id FROM k WHERE id IN ()"},
		{sql: "SELECT id FROM k WHERE id NOT IN () ORDER BY id LIMIT 9", want: []string{"1", "2", "3"}},
		{sql: "SELECT id FROM k WHERE id IN (NULL)"},
		{sql: "SELECT id FROM k WHERE id IN (?)", args: []any{nil}},
		{sql: "SELECT id FROM k WHERE id IN (?, ?, ?)", args: []any{2, 2, 2}, want: []string{"2"}},
		{sql: "SELECT id FROM k WHERE id IN (?, ?, ?)", args: []any{int8(3), "1", 2.0}, want: []string{"3", "1", "2"}},
		{sql: "SELECT id FROM k WHERE id = ?", args: []any{nil}},
		{sql: "SELECT * FROM k WHERE 1 = 0", names: "id v"},
		{sql: "SELECT * FROM l WHERE 1 = 0", names: "id"},
		{sql: "SELECT * FROM `k` ORDER BY `k`.`id` LIMIT 1", want: []string{"1 a"}},
		{sql: "SELECT * FROM `k` WHERE `k`.`id` = ? ORDER BY `k`.`id` LIMIT ?", args: []any{2, 1}, want: []string{"2 b"}},
		{sql: "SELECT * FROM `k` WHERE id = ? AND `k`.`id` = ? ORDER BY `k`.`id` LIMIT 1", args: []any{2, 2}, want: []string{"2 b"}},
		{sql: "SELECT `p`.`id`, `p`.`v` FROM `k` AS `p` WHERE (`p`.`id` = 1)", names: "id v", want: []string{"1 a"}},
		{sql: "SELECT count(*) FROM `k` AS `p`", names: "count(*)", want: []string{"3"}},
		{sql: "SELECT COUNT(*) FROM k", want: []string{"3"}},
		{sql: "SELECT 1", want: []string{"1"}},
	})
	// sqlc puts its name in front
	if rows := texts(queryAll(t, db, "-- name: GetK :one\nSELECT id FROM k WHERE id = ? LIMIT 1", 3)); fmt.Sprint(rows) != "[3]" {
		t.Errorf("with a comment in front: %v", rows)
	}
	many := make([]any, 1000)
	marks := ""
	for i := range many {
		many[i], marks = len(many)-i, marks+", ?"
	}
	if rows := texts(queryAll(t, db, "SELECT id FROM k WHERE id IN ("+marks[2:]+")", many...)); fmt.Sprint(rows) != "[3 2 1]" {
		t.Errorf("1000 keys: %v", rows)
	}
	for _, insert := range []string{"INSERT INTO k VALUES (4, 'd')", "INSERT INTO l VALUES (4)", "UPDATE k SET v = 'x' WHERE id = 1", "DELETE FROM k WHERE id = 1"} {
		if id, err := mustExec(t, db, insert).LastInsertId(); id != 0 || err != nil {
			t.Errorf("%s: LastInsertId %d, %v", insert, id, err)
		}
	}
	// An unsupported form fails at Prepare, in one sentence.
	for _, query := range []string{"SELECT a FROM k UNION SELECT 1", "INSERT INTO k SELECT 1", "UPDATE k SET v = 1 WHERE id = 1 RETURNING v"} {
		if s, err := db.Prepare(query); !errors.Is(err, fluss.ErrUnsupported) {
			t.Errorf("%s: prepared as %v, %v", query, s, err)
		}
	}
}

// D20: with an auto-increment column LastInsertId is an error, unless last_insert_id=zero.
func TestD20LastInsertID(t *testing.T) {
	db := own(t)
	zero := ownWith(t, func(c *fluss.Config) { c.LastInsertID = "zero" })
	play(t, db, []step{
		{sql: "CREATE TABLE k (name STRING, uid BIGINT, PRIMARY KEY (name)) WITH ('bucket.num' = '1', 'auto-increment.fields' = 'uid')"},
		{sql: "DESCRIBE k", want: []string{"name STRING NO PRI NULL bucket key ", "uid BIGINT YES  NULL auto_increment "}},
		{sql: "INSERT INTO k (name, uid) VALUES ('x', 1)", is: fluss.ErrColumnNotExist, words: []string{"column uid", "it is auto-increment; leave it out"}},
	})
	if _, err := mustExec(t, db, "INSERT INTO k (name) VALUES ('a')").LastInsertId(); !errors.Is(err, fluss.ErrNoLastInsertID) {
		t.Errorf("LastInsertId: %v", err)
	}
	if id, err := mustExec(t, zero, "INSERT INTO k VALUES ('b')").LastInsertId(); id != 0 || err != nil {
		t.Errorf("LastInsertId with last_insert_id=zero: %d, %v", id, err)
	}
	play(t, db, []step{
		{sql: "SELECT uid FROM k WHERE name IN ('a', 'b')", want: []string{"1", "2"}},
		{sql: "INSERT INTO k (name) VALUES ('a')", rows: 1}, // keeps its number
		{sql: "SELECT uid FROM k WHERE name = 'a'", want: []string{"1"}},
	})
}
