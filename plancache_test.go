package fluss

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/fuzzbound"
)

func plainConn(t testing.TB) *conn {
	t.Helper()
	c, err := (&Driver{}).Open("fluss://127.0.0.1:1/db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.(*conn).c.Close() })
	return c.(*conn)
}

const pointQuery = "SELECT id, name FROM t WHERE id = ?"

// A text that was seen before costs neither parsing nor memory.
func TestPlanCacheHitAllocs(t *testing.T) {
	c := plainConn(t)
	if _, err := c.PrepareContext(context.Background(), pointQuery); err != nil {
		t.Fatal(err)
	}
	var first, p *prepared
	if n := testing.AllocsPerRun(100, func() { p, _ = c.prepare(pointQuery) }); n != 0 {
		t.Errorf("got %v allocations", n)
	}
	if first = c.c.plans.get("db", pointQuery); p != first || p == nil {
		t.Errorf("got %p, the cache has %p", p, first)
	}
}

// A text that was run before, on a table that did not change, costs neither parsing nor planning: no memory.
func TestPlannedTextAllocs(t *testing.T) {
	c := tableConn(t)
	ctx := context.Background()
	for _, query := range plannedQueries {
		if _, err := compileText(ctx, c, query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		first, _ := compileText(ctx, c, query)
		var again *compiled
		if n := testing.AllocsPerRun(100, func() { again, _ = compileText(ctx, c, query) }); n != 0 {
			t.Errorf("%s: %v allocations", query, n)
		}
		if first != again || first == nil {
			t.Errorf("%s: was planned anew", query)
		}
	}
}

var plannedQueries = []string{
	pointQuery,
	"SELECT * FROM t WHERE id IN (?, ?, ?) AND name <> ?",
	"SELECT name FROM t WHERE id = :id AND name IN (:a, :b)",
	"SELECT name FROM t WHERE name LIKE 'x%' ORDER BY id LIMIT ? OFFSET 2",
	"SELECT * FROM t$changelog /*+ OFFSET('earliest') */ WHERE _log_offset > ?",
	"SELECT COUNT(*) FROM db.t",
	"INSERT INTO t VALUES (?, ?), (?, ?)",
	"INSERT INTO t (id) VALUES (?)",
	"UPDATE t SET name = ? WHERE id = ?",
	"DELETE FROM t WHERE id = ?",
	"EXPLAIN SELECT * FROM t WHERE id = ?",
}

// tableConn is a connection to an embedded server with a table t (id INT, name STRING) in its database db.
func tableConn(t testing.TB) *conn {
	t.Helper()
	srv := flusstest.Run(t)
	dsn := strings.TrimSuffix(srv.DSN(), "/fluss") + "/db"
	db, err := sql.Open("fluss", srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range []string{"CREATE DATABASE db", "CREATE TABLE db.t (id INT, name STRING, PRIMARY KEY (id)) WITH ('bucket.num' = '1')"} {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	c, err := (&Driver{}).Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.(*conn).c.Close() })
	return c.(*conn)
}

// compileText does with a text what a query does before its arguments matter.
func compileText(ctx context.Context, c *conn, query string) (*compiled, error) {
	p, err := c.prepare(query)
	if err != nil {
		return nil, err
	}
	return c.compile(ctx, p)
}

// The ring keeps what is used and stays within its bound.
func TestPlanCacheEviction(t *testing.T) {
	c := plainConn(t)
	for i := range 3 * maxPlans {
		for _, q := range []string{pointQuery, fmt.Sprintf("SELECT c%d FROM t WHERE id = ?", i)} {
			if _, err := c.prepare(q); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := len(c.c.plans.m); got > maxPlans {
		t.Errorf("got %d plans, want at most %d", got, maxPlans)
	}
	if c.c.plans.get("db", pointQuery) == nil {
		t.Error("the text that was used all the time is gone")
	}
}

func BenchmarkPlanCacheHit(b *testing.B) {
	c := plainConn(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.prepare(pointQuery); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlannedText(b *testing.B) {
	c := tableConn(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compileText(b.Context(), c, pointQuery); err != nil {
			b.Fatal(err)
		}
	}
}

// Properties of the cache for every sequence of texts, of which some are seen before:
//   - what it gives for a text is what parsing gives;
//   - a text that it has costs nothing again, one that cannot be parsed is not kept;
//   - it never has more texts than it may, and as many entries in the ring as in the map.
func FuzzPlanCache(f *testing.F) {
	f.Add("SELECT 1|SELECT 1;|select 1|SELECT 1", "db", "db")
	f.Add(pointQuery+"|"+pointQuery+" |INSERT INTO t VALUES (?, ?)|SELEC|"+pointQuery, "db", "other")
	f.Add("USE d|UPDATE t SET a = :x WHERE id = :x|CALL sys.list_acl(?)", "", "db")
	c := plainConn(f)
	fuzzbound.Fuzz(f, func(t *testing.T, script, database, other string) {
		c.c.plans = newPlanCache()
		defer func() { c.c.plans = newPlanCache() }()
		for i, text := range strings.Split(script, "|") {
			c.database = database
			if i%3 == 2 {
				c.database = other
			}
			known := c.c.plans.get(c.database, text)
			var p *prepared
			var err error
			fuzzbound.CheckTree(t, len(text), func() { p, err = c.prepare(text) })
			want, wantErr := parse(c.database, text, dialect.Options{})
			switch {
			case fmt.Sprint(err) != fmt.Sprint(wantErr):
				t.Fatalf("%q: got %v, want %v", text, err, wantErr)
			case err != nil:
				if c.c.plans.get(c.database, text) != nil {
					t.Fatalf("%q: kept, though %v", text, err)
				}
			case known != nil && p != known:
				t.Fatalf("%q: parsed again", text)
			case !reflect.DeepEqual(p.stmt, want.stmt) || !reflect.DeepEqual(p.params, want.params) || !reflect.DeepEqual(p.table, want.table):
				t.Fatalf("%q in %q: got %#v, want %#v", text, c.database, p.stmt, want.stmt)
			}
			if plans := c.c.plans; len(plans.m) > maxPlans || len(plans.m) != len(plans.ring) {
				t.Fatalf("%d texts, %d in the ring", len(plans.m), len(plans.ring))
			}
		}
	})
}
