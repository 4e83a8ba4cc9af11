package embedded

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/gofluss/fluss/conformance/ring"
	"github.com/gofluss/fluss/flusstest"
)

const (
	tabletServers = 3
	// The time limits are a small part of the defaults: a fault then costs no seconds, and there is time for many.
	attemptTimeout = 100 * time.Millisecond
	timeouts       = "connect_timeout=200ms&attempt_timeout=100ms&request_timeout=200ms&write_timeout=500ms"
)

// Options say how much of the ring is run.
type Options struct {
	Seed     uint64
	Duration time.Duration
	Ops      int // calls
	Faults   int // 0: one for fifty calls, for Duration
	Progress io.Writer
	Logger   *slog.Logger
}

// Run runs ring 1.
func Run(ctx context.Context, o Options) (*ring.Report, error) {
	before := ring.Measure()
	srv := flusstest.NewServer(flusstest.TabletServers(tabletServers), flusstest.Replicas(tabletServers))
	every := 50
	if o.Faults > 0 && o.Ops > 0 {
		every = max(1, o.Ops/o.Faults)
	}
	faults := &Faults{Server: srv, Plan: NewPlan(o.Seed), N: o.Faults, For: o.Duration, Every: every}
	return ring.Run(ctx, ring.Options{
		Ring: "embedded", Seed: o.Seed, Duration: o.Duration, Ops: o.Ops, Progress: o.Progress, Logger: o.Logger,
		DSN:         srv.DSN() + "?" + timeouts,
		CallTimeout: 10 * time.Second, Before: &before,
		Stop: func() error {
			srv.Close()
			srv, faults.Server = nil, nil
			return nil
		},
	}, faults)
}
