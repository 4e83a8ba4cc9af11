package embedded

import (
	"testing"
	"time"
)

// TestRing is the ring in small.
func TestRing(t *testing.T) {
	report, err := Run(t.Context(), Options{Seed: 3, Duration: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Verdict.OK() || report.Faults == 0 || report.Acknowledged == 0 || report.Histories == 0 {
		t.Errorf("%+v", report)
	}
}
