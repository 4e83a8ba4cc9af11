package ring

import "testing"

func TestMerge(t *testing.T) {
	a := &Report{Ring: "x", Seed: 1, Operations: 10, Faults: 2, Calls: map[string]Call{"lookup": {5, 1, 1, 2, 3}}, Errors: map[string]int{"context": 1}, Verdict: Verdict{HeapLeft: 5}}
	b := &Report{Ring: "x", Seed: 2, Operations: 20, Faults: 3, Calls: map[string]Call{"lookup": {6, 0, 2, 1, 4}}, Errors: map[string]int{"context": 2}, Verdict: Verdict{Lost: 1, HeapLeft: 4}, Findings: []string{"lost"}}
	sum, err := Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Pieces != 2 || sum.Operations != 30 || sum.Faults != 5 || sum.Calls["lookup"] != (Call{11, 1, 2, 2, 4}) || sum.Errors["context"] != 3 ||
		sum.Verdict != (Verdict{Lost: 1, HeapLeft: 5}) || len(sum.Findings) != 1 {
		t.Errorf("%+v", sum)
	}
	if a.Errors["context"] != 1 || a.Operations != 10 {
		t.Errorf("a piece was changed: %+v", a)
	}
	if _, err := Merge(a, a); err == nil {
		t.Error("the same seed twice is merged")
	}
	if _, err := Merge(a, &Report{Ring: "y", Seed: 3}); err == nil {
		t.Error("two rings are merged")
	}
}
