package route

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

func TestShards(t *testing.T) {
	s := newShards[string, int]()
	if v := s.get("a"); v != 0 {
		t.Errorf("got %d of nothing", v)
	}
	s.delete("a")
	const n = 10_000
	for i := range n {
		s.set(fmt.Sprint(i), i)
	}
	s.set("1", -1)
	s.delete("2")
	for key, want := range map[string]int{"0": 0, "1": -1, "2": 0, "9999": 9999} {
		if v := s.get(key); v != want {
			t.Errorf("%s: got %d, want %d", key, v, want)
		}
	}
	keys := slices.Collect(s.keys())
	if slices.Contains(keys, "2") || len(keys) != n-1 {
		t.Errorf("%d keys", len(keys))
	}
	for key := range s.keys() { // which may end early, and change the map
		s.delete(key)
		break
	}
	for i := range s.parts {
		if m := s.parts[i].Load(); m != nil && len(*m) > 4*n/shardCount {
			t.Errorf("a change copies %d of %d entries", len(*m), n)
		}
	}
}

// Finding a table allocates nothing, however many there are.
func TestKnownTableCostsNothing(t *testing.T) {
	c := New(Config{})
	list := manyTables(10_000)
	for _, one := range list {
		c.tables.change(func() { c.tables.byPath.set(one.Path, &knownTable{table: one}) })
		c.state(one)
	}
	i := 0
	n := testing.AllocsPerRun(1000, func() {
		one := list[i%len(list)]
		i += 7
		if got, err := c.Table(context.Background(), one.Path); got != one || err != nil || c.state(one).id != one.ID {
			t.Fatalf("got %v, %v", got, err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
