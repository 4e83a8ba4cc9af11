package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/gofluss/fluss"
	"github.com/gofluss/fluss/dialect"
)

// statementTimeout bounds one statement of a test, far above what any takes.
const statementTimeout = 60 * time.Second

// open opens the target, closed when the test ends.
func open(t *testing.T, options ...string) *sql.DB {
	t.Helper()
	dsn := Target(t)
	if len(options) > 0 {
		dsn += "?" + strings.Join(options, "&")
	}
	db, err := sql.Open("fluss", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// databases are those of this test process, by the name of their test.
var databases struct {
	sync.Mutex
	made map[string]string
	dsn  string
}

// database returns the name of a database of the test's own, made when first asked for. Subtests share that of their
// outermost test. Runs that share a server do not share databases: the name holds the process.
func database(t *testing.T, db *sql.DB) string {
	t.Helper()
	root, _, _ := strings.Cut(t.Name(), "/")
	databases.Lock()
	defer databases.Unlock()
	if name, ok := databases.made[root]; ok {
		return name
	}
	if databases.made == nil {
		databases.made = map[string]string{}
	}
	name := fmt.Sprintf("t%d_%s", os.Getpid(), strings.ToLower(root))
	mustExec(t, db, "DROP DATABASE IF EXISTS "+name+" CASCADE")
	mustExec(t, db, "CREATE DATABASE "+name)
	databases.made[root], databases.dsn = name, Target(t)
	return name
}

// dropDatabases cleans up after all tests.
func dropDatabases() error {
	if databases.made == nil {
		return nil
	}
	db, err := sql.Open("fluss", databases.dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, name := range databases.made {
		if _, err := db.Exec("DROP DATABASE IF EXISTS " + name + " CASCADE"); err != nil {
			return err
		}
	}
	return nil
}

func timeout(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	t.Cleanup(cancel)
	return ctx
}

func mustExec(t *testing.T, db *sql.DB, query string, args ...any) sql.Result {
	t.Helper()
	result, err := db.ExecContext(timeout(t), query, args...)
	if err == nil && strings.HasPrefix(query, "CREATE TABLE") {
		err = awaitLeaders(t, db, query)
	}
	if err != nil {
		t.Fatalf("%.200s: %v", query, err)
	}
	settle(t, db, query)
	return result
}

// awaitLeaders waits until a new table can be used. The coordinator of 0.9.1 now and then misses that a table was created
// (TableChangeWatcher overlooks a node that has its data when it is first seen), and then nobody ever leads its buckets.
// Nothing can have been written to such a table, so it is dropped and created again. One with partitions has no buckets that
// could show it, and its first partition would end all elections.
func awaitLeaders(t *testing.T, db *sql.DB, create string) error {
	t.Helper()
	stmt, err := dialect.Parse(create, dialect.Options{})
	if err != nil {
		return err
	}
	s := stmt.(*dialect.CreateTable)
	name := "`" + s.Table.Table + "`"
	if s.Table.Database != "" {
		name = "`" + s.Table.Database + "`." + name
	}
	for range 3 {
		if len(s.PartitionedBy) > 0 {
			if noticed(t, db, s.Table.Database, s.Table.Table) {
				return nil
			}
			err = errors.New("the coordinator overlooks " + name)
		} else {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			_, err = tryQuery(ctx, db, "SELECT COUNT(*) FROM "+name)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				return nil // the test itself meets any other error
			}
		}
		t.Logf("%s has no leader: it is created again", name)
		if _, err := db.ExecContext(timeout(t), "DROP TABLE "+name); err != nil {
			return err
		}
		if _, err := db.ExecContext(timeout(t), create); err != nil {
			return err
		}
	}
	return err
}

// noticed waits until the log of the shared real cluster's coordinator tells of a table in a database of the test's own. Of
// others it says that they are.
func noticed(t *testing.T, db *sql.DB, database, table string) bool {
	t.Helper()
	if os.Getenv("FLUSS_TARGET") != "jvm" {
		return true
	}
	if database == "" {
		database = texts(queryAll(t, db, "SELECT DATABASE()"))[0]
	}
	databases.Lock()
	own := slices.Contains(slices.Collect(maps.Values(databases.made)), database)
	databases.Unlock()
	if !own {
		return true
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) { // a poll: nobody tells
		if Cluster(t).Noticed(database, table) {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// affected runs a write and returns its RowsAffected.
func affected(t *testing.T, db *sql.DB, query string, args ...any) int64 {
	t.Helper()
	n, err := mustExec(t, db, query, args...).RowsAffected()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// queryAll returns all rows as database/sql gives them for *any.
func queryAll(t *testing.T, db *sql.DB, query string, args ...any) [][]any {
	t.Helper()
	rows, err := tryQuery(timeout(t), db, query, args...)
	if err != nil {
		t.Fatalf("%.200s: %v", query, err)
	}
	return rows
}

func tryQuery(ctx context.Context, db *sql.DB, query string, args ...any) ([][]any, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]any
	for rows.Next() {
		values := make([]any, len(names))
		dest := make([]any, len(names))
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

// texts prints rows, one a line, values separated by blanks: short enough to stand in a test's table. Times are printed
// by their layout, bytes as text.
func texts(rows [][]any) []string {
	var out []string
	for _, r := range rows {
		var line []string
		for _, v := range r {
			switch v := v.(type) {
			case nil:
				line = append(line, "NULL")
			case time.Time:
				line = append(line, v.Format("2006-01-02T15:04:05.999999999Z07:00"))
			case []byte:
				line = append(line, string(v))
			default:
				line = append(line, fmt.Sprint(v))
			}
		}
		out = append(out, strings.Join(line, " "))
	}
	return out
}
