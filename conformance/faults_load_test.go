package conformance

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
)

// D18: a value of any size is stored as it is, or refused at once with its size and the limit; the pool goes on.
func TestD18LargeValues(t *testing.T) {
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v BYTES, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"},
		{sql: "CREATE TABLE l (id INT, v BYTES) WITH ('bucket.num' = '1')"},
	})
	const mb = 1_000_000
	big := make([]byte, 120*mb)
	random := rand.NewChaCha8([32]byte{18})
	random.Read(big) // nothing that compresses
	small := 0
	for i, size := range []int{1, 2, 9, 11, 50} {
		value := big[i : i+size*mb]
		for _, table := range []string{"k", "l"} {
			mustExec(t, db, "INSERT INTO "+table+" VALUES (?, ?)", size, value)
			where := " WHERE id = ?"
			args := []any{size}
			if table == "l" {
				where, args = " WHERE _log_offset = ?", []any{2 * i}
			}
			var got []byte
			if err := db.QueryRowContext(timeout(t), "SELECT v FROM "+table+where, args...).Scan(&got); err != nil {
				t.Errorf("%s: %d MB: %v", table, size, err)
			} else if !bytes.Equal(got, value) {
				t.Errorf("%s: %d MB came back different, %d bytes", table, size, len(got))
			}
			small--
			mustExec(t, db, "INSERT INTO "+table+" VALUES (?, X'01')", small)
		}
	}
	for _, table := range []string{"k", "l"} {
		begin := time.Now()
		_, err := db.Exec("INSERT INTO "+table+" VALUES (7, X'07'), (120, ?)", big)
		if !errors.Is(err, fluss.ErrTooLarge) || !strings.Contains(err.Error(), "120000") || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: 120 MB: %.300v", table, err)
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%s: 120 MB were refused after %v", table, d)
		}
		if rows := texts(queryAll(t, db, "SELECT COUNT(*) FROM "+table)); rows[0] != "10" {
			t.Errorf("%s has %s rows, want 10", table, rows[0])
		}
	}
	play(t, db, []step{{sql: "SELECT id FROM k WHERE id IN (7, 120, 50, -1)", want: []string{"50", "-1"}}})
}

// D18: 200,000 placeholders, and IN lists of 50,000 keys.
func TestD18ManyParameters(t *testing.T) {
	db := own(t)
	play(t, db, []step{{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '4')"}})
	const rows, keys = 100_000, 50_000
	args := make([]any, 0, 2*rows)
	for i := range rows {
		args = append(args, i, fmt.Sprint("v", i))
	}
	if n := affected(t, db, "INSERT INTO k VALUES (?, ?)"+strings.Repeat(", (?, ?)", rows-1), args...); n != rows {
		t.Errorf("%d rows affected", n)
	}
	list := make([]int, keys)
	ids := make([]any, keys)
	text := make([]string, keys)
	for i := range list { // from the middle of the table beyond its end, backwards
		list[i] = rows + keys/2 - 1 - i
		ids[i], text[i] = list[i], fmt.Sprint(list[i])
	}
	for what, query := range map[string]step{
		"slice":        {sql: "SELECT id, v FROM k WHERE id IN (?)", args: []any{list}},
		"placeholders": {sql: "SELECT id, v FROM k WHERE id IN (?" + strings.Repeat(", ?", keys-1) + ")", args: ids},
		"literals":     {sql: "SELECT id, v FROM k WHERE id IN (" + strings.Join(text, ", ") + ")"},
	} {
		begin := time.Now()
		got, err := tryQuery(timeout(t), db, query.sql, query.args...)
		if err != nil || len(got) != keys/2 {
			t.Errorf("%s: %d rows, %v", what, len(got), err)
			continue
		}
		for i, r := range got {
			if id := int64(rows - 1 - i); r[0] != id || r[1] != fmt.Sprint("v", id) {
				t.Errorf("%s: row %d is %v", what, i, r)
				break
			}
		}
		t.Logf("%s: %v", what, time.Since(begin))
	}
	if n := affected(t, db, "DELETE FROM k WHERE id IN (?)", list); n != keys/2 {
		t.Errorf("%d rows deleted", n)
	}
	play(t, db, []step{{sql: "SELECT COUNT(*) FROM k", want: []string{"75000"}}})
}

// together runs f on n goroutines that start at once.
func together(n int, f func(i int)) {
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range n {
		done.Go(func() {
			start.Wait()
			f(i)
		})
	}
	start.Done()
	done.Wait()
}

// D19: pools opened at once, on one DSN and on many, and a fresh pool's first uses all at once.
func TestD19FirstUses(t *testing.T) {
	const n = 64
	dsn := Target(t)
	together(n, func(i int) {
		own := dsn
		if i%2 == 0 {
			own += fmt.Sprintf("?client=conformance/%d", i)
		}
		db, err := sql.Open("fluss", own)
		if err != nil {
			t.Error(err)
			return
		}
		if err := db.PingContext(timeout(t)); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	db := own(t)
	play(t, db, []step{
		{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '2')"},
		{sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '2')"},
	})
	fresh := own(t)
	together(n, func(i int) {
		if _, err := fresh.Exec("INSERT INTO k VALUES (?, ?)", i, fmt.Sprint(i)); err != nil {
			t.Error(err)
		}
		var v string
		if err := fresh.QueryRow("SELECT v FROM k WHERE id = ?", i).Scan(&v); err != nil || v != fmt.Sprint(i) {
			t.Errorf("%d: %q, %v", i, v, err)
		}
		if _, err := fresh.Exec("INSERT INTO l VALUES (?)", i); err != nil {
			t.Error(err)
		}
	})
	play(t, db, []step{
		{sql: "SELECT COUNT(*) FROM k", want: []string{"64"}},
		{sql: "SELECT COUNT(*) FROM l", want: []string{"64"}},
	})
}

// D19: tables come and go beside lookups, and the pool is closed while all run.
func TestD19Close(t *testing.T) {
	play(t, own(t), []step{
		{sql: "CREATE TABLE k (id INT, v STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '2')"},
		{sql: "INSERT INTO k VALUES (1, 'a'), (2, 'b')", rows: 2},
		{sql: "CREATE TABLE l (id INT) WITH ('bucket.num' = '1')"},
	})
	db := own(t)
	var lookups, tables atomic.Int64
	closed := make(chan struct{})
	var enough sync.Once
	ended := func(err error) bool {
		select {
		case <-closed: // any error will do, and "sql: database is closed" comes in the end
			return err != nil
		default:
			if err != nil {
				t.Errorf("before Close: %v", err)
			}
			return err != nil
		}
	}
	together(64, func(i int) {
		for round := 0; ; round++ {
			var err error
			switch {
			case i == 0:
				if _, err = db.Exec("CREATE TABLE IF NOT EXISTS temporary (id INT, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"); err == nil {
					_, err = db.Exec("DROP TABLE temporary")
					tables.Add(1)
				}
			case i == 1:
				_, err = db.Exec("INSERT INTO l VALUES (?)", round)
			case i == 2:
				_, err = tryQuery(context.Background(), db, "SELECT * FROM l LIMIT 10")
			default:
				var v string
				err = db.QueryRow("SELECT v FROM k WHERE id = ?", 1+i%2).Scan(&v)
				lookups.Add(1)
			}
			if lookups.Load() > 2000 && tables.Load() > 5 {
				enough.Do(func() {
					close(closed)
					if err := db.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			if ended(err) {
				return
			}
		}
	})
	if err := db.Ping(); err == nil || err.Error() != "sql: database is closed" {
		t.Errorf("after Close: %v", err)
	}
	t.Logf("%d lookups, %d tables", lookups.Load(), tables.Load())
}
