package fluss

import (
	"context"
	"fmt"
	"testing"
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
