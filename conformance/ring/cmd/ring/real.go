package main

import (
	"context"
	"os"
	"time"

	"github.com/gofluss/fluss/conformance/ring"
	"github.com/gofluss/fluss/conformance/ring/real"
)

func init() {
	rings[2] = onCluster(real.Replicated)
	rings[3] = onCluster(real.Single)
}

// onCluster makes the flags of the command the settings of a ring on a real cluster.
func onCluster(run func(context.Context, real.Settings) (*ring.Report, error)) func(context.Context, settings) (*ring.Report, error) {
	return func(ctx context.Context, s settings) (*ring.Report, error) {
		return run(ctx, real.Settings{
			Seed: s.seed, Faults: s.faults, Duration: time.Duration(s.seconds) * time.Second, Ops: s.ops, Progress: os.Stderr,
		})
	}
}
