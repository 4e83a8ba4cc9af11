package real

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/gofluss/fluss/conformance/cluster"
	"github.com/gofluss/fluss/conformance/ring"
)

const (
	// settleTime is how long a cluster may take to serve again, with all replicas in sync, after a fault is over.
	settleTime = 5 * time.Minute
	// startTime is how long a server may take to start.
	startTime = 5 * time.Minute
	// slowLoad is how long the load may take to get on before the progress says so.
	slowLoad = 5 * time.Second
	// betweenRows is how many rows the load has to store between two faults.
	betweenRows = 300
)

// faults are a ring.Faults: a plan that happens to a real cluster, one fault at a time. Each begins when all servers are
// there and all replicas are in sync, as two faults at once can lose what was acknowledged.
type faults struct {
	cluster  *cluster.Cluster
	replicas int
	plan     []string
	random   *rand.Rand
	progress io.Writer

	log     *ring.FaultLog
	db      *sql.DB // looks while the load does
	trace   trace   // of db
	freezes []ring.Freeze
}

// Run is ring.Faults'.
func (f *faults) Run(ctx context.Context, log *ring.FaultLog) error {
	f.log = log
	db, err := f.trace.open(f.cluster.DSN(""))
	if err != nil {
		return err
	}
	f.db = db
	defer f.trace.forget() // the ring measures what is left of the heap
	defer db.Close()
	for i, kind := range f.plan {
		begin := time.Now()
		if err := f.settle(ctx); err != nil {
			return f.over(ctx, fmt.Errorf("before fault %d, %s: %w", i+1, kind, err))
		}
		settled := time.Since(begin)
		begin = time.Now()
		if err := f.make(ctx, kind); err != nil {
			return f.over(ctx, fmt.Errorf("fault %d, %s: %w", i+1, kind, err))
		}
		fmt.Fprintf(f.progress, "fault %d of %d: %s, healed in %.1fs; before it %.1fs to settle\n", i+1, len(f.plan), kind,
			time.Since(begin).Seconds(), settled.Seconds())
	}
	return f.over(ctx, f.settle(ctx))
}

// over is the error of a run: none when the run was ended from outside.
func (f *faults) over(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// settle waits until the tables serve with all replicas and the load gets on.
func (f *faults) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for _, table := range []string{f.log.KeyTable, f.log.LogTable} {
		db, name, _ := strings.Cut(table, ".")
		if err := f.cluster.WaitInSync(ctx, db, name, f.replicas); err != nil {
			return err
		}
	}
	for _, table := range f.log.Parted {
		db, name, _ := strings.Cut(table, ".")
		if err := f.cluster.WaitPartitionsInSync(ctx, db, name, f.replicas); err != nil {
			return err
		}
	}
	served := time.Now()
	for until := f.log.Acknowledged() + betweenRows; f.log.Acknowledged() < until; {
		if err := ring.Pause(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("the load stores nothing for %v: %w", time.Since(served), err)
		}
	}
	if d := time.Since(served); d > slowLoad {
		fmt.Fprintf(f.progress, "  the load took %.1fs to get on after all replicas were there\n", d.Seconds())
	}
	return nil
}

// make makes one fault and heals it.
func (f *faults) make(ctx context.Context, kind string) error {
	start, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTime) // healing goes on after ctx
	defer cancel()
	switch kind {
	case killCoordinator:
		f.cluster.KillCoordinator()
		f.log.Happened(kind)
		ring.Pause(ctx, f.between(time.Second, 4*time.Second))
		return f.cluster.StartCoordinator(start)
	case stopCoordinator:
		err := f.cluster.StopCoordinator(start)
		f.log.Happened(kind)
		return errors.Join(err, f.cluster.StartCoordinator(start))
	}
	at, err := f.victim(ctx)
	if err != nil {
		return err
	}
	switch kind {
	case killLeader:
		f.cluster.KillTablet(at.leader)
		f.log.Happened(kind)
		f.failedOver(ctx, at)
		return f.cluster.StartTablet(start, at.leader)
	case stopLeader, stopTablet:
		err := f.cluster.StopTablet(start, at.leader)
		f.log.Happened(kind)
		return errors.Join(err, f.cluster.StartTablet(start, at.leader))
	case freezeLeader:
		return f.freeze(ctx, at, f.between(freezeMin, freezeMax))
	}
	return fmt.Errorf("no fault is called %q", kind)
}

func (f *faults) between(low, high time.Duration) time.Duration {
	return low + time.Duration(f.random.Int64N(int64(high-low)))
}

// target is a bucket of the key table with its leader.
type target struct{ bucket, leader int }

// victim is a bucket with a row that never changes, so that its leader is missed.
func (f *faults) victim(ctx context.Context) (target, error) {
	db, name, _ := strings.Cut(f.log.KeyTable, ".")
	leaders, err := f.cluster.Leaders(ctx, coordinator, db, name)
	if err != nil {
		return target{}, err
	}
	at := target{bucket: f.random.IntN(len(leaders))}
	if at.leader = leaders[at.bucket]; at.leader < 0 {
		return at, fmt.Errorf("bucket %d has no leader", at.bucket)
	}
	return at, nil
}

// failedOver waits until another server leads a killed one's bucket, or for as long as that takes at most.
func (f *faults) failedOver(ctx context.Context, at target) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	for !f.moved(ctx, coordinator, at) {
		if ring.Pause(ctx, 50*time.Millisecond) != nil {
			return
		}
	}
}

// coordinator stands for it in place of a tablet server's id.
const coordinator = -1

// moved reports whether another server leads a bucket by now, as one server says.
func (f *faults) moved(ctx context.Context, says int, at target) bool {
	db, name, _ := strings.Cut(f.log.KeyTable, ".")
	leaders, err := f.cluster.Leaders(ctx, says, db, name)
	return err == nil && leaders[at.bucket] >= 0 && leaders[at.bucket] != at.leader
}
