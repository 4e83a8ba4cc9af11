package real

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/gofluss/fluss/conformance/cluster"
	"github.com/gofluss/fluss/conformance/ring"
)

// Settings of a ring on a real cluster.
type Settings struct {
	Seed     uint64
	Faults   int           // the first so many of the plan; 0: all
	Duration time.Duration // at least
	Ops      int           // at least
	Progress io.Writer
}

// replicatedRows is how many rows the whole plan of the replicated ring has to see acknowledged.
const replicatedRows = 100_000

// checkpoint: a server that restarts cuts its log back to the last checkpoint of the high watermark, 5 s ago by default,
// when it comes up before it knows the leader. What is cut would be lost where no other replica is in sync.
var checkpoint = map[string]string{"log.replica.high-watermark.checkpoint-interval": "100ms"}

// Replicated runs the ring of three tablet servers and three replicas. With the whole plan it also measures how well
// servers are isolated from one another.
func Replicated(ctx context.Context, s Settings) (*ring.Report, error) {
	return onServing(s, func() (*ring.Report, error) { return replicated(ctx, s) })
}

func replicated(ctx context.Context, s Settings) (*ring.Report, error) {
	c, err := cluster.Start(ctx, cluster.Options{TabletServers: 3, OwnSignals: true, TabletHeap: "512m", ServerProperties: checkpoint})
	if err != nil {
		return nil, err
	}
	f := s.faults(c, 3)
	f.plan = replicatedPlan(f.random, s.Faults)
	o := s.options("replicated", c)
	if s.Faults == 0 {
		o.Acknowledged = replicatedRows
	}
	return f.run(ctx, o, s.Faults == 0)
}

// Single runs the ring of one tablet server.
func Single(ctx context.Context, s Settings) (*ring.Report, error) {
	return onServing(s, func() (*ring.Report, error) { return single(ctx, s) })
}

func single(ctx context.Context, s Settings) (*ring.Report, error) {
	c, err := cluster.Start(ctx, cluster.Options{OwnSignals: true, ServerProperties: checkpoint})
	if err != nil {
		return nil, err
	}
	f := s.faults(c, 1)
	f.plan = singlePlan(s.Faults)
	return f.run(ctx, s.options("single", c), false)
}

// onServing runs a ring on another cluster when new tables did not come to serve on the first: a coordinator of 0.9.1 that
// overlooks a partitioned table names no leaders any more. Nothing was done to such a cluster, and nothing is judged.
func onServing(s Settings, run func() (*ring.Report, error)) (report *ring.Report, err error) {
	for range 3 {
		if report, err = run(); !errors.Is(err, ring.ErrNotServing) {
			break
		}
		io.WriteString(s.Progress, "another cluster is needed: "+err.Error()+"\n")
	}
	return report, err
}

func (s Settings) faults(c *cluster.Cluster, replicas int) *faults {
	return &faults{cluster: c, replicas: replicas, random: rand.New(rand.NewPCG(s.Seed, 0)), progress: s.Progress}
}

// options: few workers, as they share the machine with the servers. A starved server's session ends, which would be one
// more fault.
func (s Settings) options(name string, c *cluster.Cluster) ring.Options {
	return ring.Options{Ring: name, DSN: c.DSN(""), Seed: s.Seed, Duration: s.Duration, Ops: s.Ops, Workers: 12, SettleTimeout: settleTime, Progress: s.Progress}
}

// run runs the ring and ends the cluster, whose logs stay after a failure.
func (f *faults) run(ctx context.Context, o ring.Options, isolate bool) (report *ring.Report, err error) {
	defer func() {
		if err != nil || !report.Verdict.OK() {
			f.cluster.Keep()
			io.WriteString(f.progress, "server logs: "+f.cluster.LogDir()+"\n")
		}
		err = errors.Join(err, f.cluster.Stop(context.WithoutCancel(ctx)))
	}()
	if report, err = ring.Run(ctx, o, f); report == nil {
		return nil, err
	}
	report.Freezes = f.freezes
	if err == nil && isolate {
		report.Isolation, err = f.isolation(ctx)
	}
	return report, err
}
