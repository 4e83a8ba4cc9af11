package ring

import (
	"context"
	"testing"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// TestWithoutFaults: a cluster that nothing happens to gives a clean verdict.
func TestWithoutFaults(t *testing.T) {
	before := Measure()
	srv := flusstest.NewServer(flusstest.TabletServers(3), flusstest.Replicas(3))
	report, err := Run(context.Background(), Options{
		Ring: "quiet", DSN: srv.DSN(), Seed: 1, Ops: 3000, Duration: time.Second, Before: &before,
		Stop: func() error { srv.Close(); srv = nil; return nil },
	}, NoFaults{})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Verdict.OK() || report.Operations < 3000 || report.Histories < 100 || report.Acknowledged < 1000 {
		t.Errorf("%+v", report)
	}
}
