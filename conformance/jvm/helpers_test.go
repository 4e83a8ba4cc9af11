package jvm

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/conformance"
	"github.com/gofluss/fluss/conformance/cluster"
)

// statementTimeout bounds one statement, far above what any takes.
const statementTimeout = time.Minute

// leaderPatience is how long a new table may take to have leaders.
const leaderPatience = 15 * time.Second

// target is the DSN of a real cluster.
func target(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("FLUSS_TARGET"); name == "container" || strings.HasPrefix(name, "fluss://") {
		return conformance.Target(t)
	}
	return conformance.Cluster(t).DSN("fluss")
}

// open opens a DSN with changes to its Config; it is closed when the test ends.
func open(t *testing.T, dsn string, change func(*fluss.Config)) *sql.DB {
	t.Helper()
	cfg, err := fluss.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cfg)
	}
	connector, err := fluss.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// database makes a database of the test's own, dropped when it ends.
func database(t *testing.T, db *sql.DB) string {
	t.Helper()
	name := fmt.Sprintf("j%d_%s", os.Getpid(), strings.ToLower(t.Name()))
	mustExec(t, db, "CREATE DATABASE "+name)
	t.Cleanup(func() { db.Exec("DROP DATABASE IF EXISTS " + name + " CASCADE") })
	return name
}

// createLed makes a table, in place of one of that name, and waits for its leaders. It is made again when the coordinator
// overlooks it: then it never has any.
func createLed(t *testing.T, c *cluster.Cluster, db *sql.DB, database, table, columns string) {
	t.Helper()
	var err error
	for range 3 {
		mustExec(t, db, "DROP TABLE IF EXISTS "+database+"."+table)
		mustExec(t, db, "CREATE TABLE "+database+"."+table+" "+columns)
		ctx, cancel := context.WithTimeout(context.Background(), leaderPatience)
		err = c.WaitLeaders(ctx, database, table)
		cancel()
		if err == nil {
			return
		}
	}
	t.Fatal(err)
}

func mustExec(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if err := exec(db, query, args...); err != nil {
		t.Fatalf("%.200s: %v", query, err)
	}
}

func exec(db *sql.DB, query string, args ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	_, err := db.ExecContext(ctx, query, args...)
	return err
}

func mustQuery(t *testing.T, db *sql.DB, query string, args ...any) [][]any {
	t.Helper()
	rows, err := tryQuery(db, query, args...)
	if err != nil {
		t.Fatalf("%.200s: %v", query, err)
	}
	return rows
}

func tryQuery(db *sql.DB, query string, args ...any) ([][]any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
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
