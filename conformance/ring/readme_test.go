package ring

import (
	"os"
	"path/filepath"
	"testing"
)

// TestReadme: the README says what the reports say, and the reports are of clean rings of the size promised.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Section("reports")
	if err != nil {
		t.Fatal(err)
	}
	if _, got, _, ok := cutSection(string(text)); !ok || got != want {
		t.Errorf("the README has not what the reports say: go generate ./conformance/ring\n%s", got)
	}
	reports, err := filepath.Glob("reports/*.json")
	if err != nil || len(reports) == 0 {
		t.Fatalf("no reports: %v", err)
	}
	for _, file := range reports {
		r, err := ReadReport(file)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Verdict.OK() || r.Faults == 0 {
			t.Errorf("%s: %d faults, %+v", file, r.Faults, r.Verdict)
		}
	}
	if r, err := ReadReport("reports/embedded.json"); err != nil || r.Operations < 1_000_000 || r.Faults < 20_000 {
		t.Errorf("the embedded ring is not that of a release: %v", err)
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := number(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
