package embedded

import (
	"testing"

	"github.com/gofluss/fluss/flusstest"
)

// TestPlan: the same seed gives the same plan, another one another; every kind of fault and every code comes, and
// answers are cut at each position of their span.
func TestPlan(t *testing.T) {
	const n = 20_000
	a, b, other := NewPlan(1), NewPlan(1), NewPlan(2)
	seen, codes := map[string]int{}, map[int]bool{}
	cuts := map[flusstest.API]map[int]bool{}
	differ := 0
	for i := range n {
		f, g := a.Next(), b.Next()
		if *f != *g {
			t.Fatalf("fault %d: %+v and %+v", i, f, g)
		}
		if *f != *other.Next() {
			differ++
		}
		seen[f.Kind]++
		codes[f.Code] = true
		if f.Kind == "answer cut" {
			if cuts[f.API] == nil {
				cuts[f.API] = map[int]bool{}
			}
			cuts[f.API][f.At] = true
		}
	}
	if differ < n/2 {
		t.Errorf("two seeds differ in %d of %d faults", differ, n)
	}
	for _, k := range kinds {
		if seen[k.name] < 20 {
			t.Errorf("%s: %d times", k.name, seen[k.name])
		}
	}
	for code := -1; code <= maxCode; code++ {
		if !codes[code] {
			t.Errorf("code %d never comes", code)
		}
	}
	for api, n := range spans {
		if len(cuts[api]) < n-2 {
			t.Errorf("%v: cut at %d of %d positions", api, len(cuts[api]), n)
		}
	}
}
