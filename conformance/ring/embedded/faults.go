package embedded

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gofluss/fluss/conformance/ring"
	"github.com/gofluss/fluss/flusstest"
)

// Faults carries out a Plan.
type Faults struct {
	Server *flusstest.Server
	Plan   *Plan
	N      int           // faults; 0: as many as there is time for
	For    time.Duration // how long, when N is 0
	Every  int           // calls of the load from one fault to the next

	log *ring.FaultLog

	mu    sync.Mutex
	armed map[flusstest.API][]*Fault // for the next requests of an API
	count int
}

// maxArmed is how many faults of single requests wait for theirs: some APIs are seldom asked for.
const maxArmed = 40

// patience is how long the plan waits for calls to end: when all of them hang on a fault, the next one has to come.
const patience = time.Second

// cutTime is how long new connections are cut at a position.
const cutTime = 5 * time.Millisecond

// Run carries out the plan, and returns when the cluster is whole again.
func (f *Faults) Run(ctx context.Context, log *ring.FaultLog) error {
	f.log, f.armed = log, map[flusstest.API][]*Fault{}
	remove := f.Server.Hook(f.hook)
	defer remove()
	defer f.Server.CutAfter(-1, -1)
	begin := time.Now()
	for i := 0; f.more(i, begin); i++ {
		if !f.waitFor(ctx, int64(i*f.Every)) {
			return nil
		}
		x := f.Plan.Next()
		if err := f.happen(ctx, x); err != nil {
			return fmt.Errorf("%s: %w", x.Kind, err)
		}
	}
	return nil
}

func (f *Faults) more(i int, begin time.Time) bool {
	if f.N > 0 {
		return f.log.Total() < f.N
	}
	return time.Since(begin) < f.For
}

// waitFor waits until so many calls were made, and no more than maxArmed faults wait for their request.
func (f *Faults) waitFor(ctx context.Context, calls int64) bool {
	last, since := f.log.Ops(), time.Now()
	for ctx.Err() == nil {
		now := f.log.Ops()
		if now >= calls && f.waiting() < maxArmed {
			return true
		}
		if now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > patience && f.waiting() < maxArmed {
			return true
		}
		time.Sleep(200 * time.Microsecond) // a poll of a counter that everybody moves
	}
	return false
}

func (f *Faults) waiting() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}

// hook hits a request with the oldest fault that waits for one of its API.
func (f *Faults) hook(r *flusstest.Request) flusstest.Action {
	f.mu.Lock()
	list := f.armed[r.API]
	if len(list) == 0 {
		f.mu.Unlock()
		return flusstest.Action{}
	}
	fault := list[0]
	f.armed[r.API] = list[1:]
	f.count--
	f.mu.Unlock()
	f.log.Happened(fault.Kind)
	return fault.hit(r, tabletServers)
}

// happen makes a fault, or arms it.
func (f *Faults) happen(ctx context.Context, x *Fault) error {
	if x.API != 0 {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.armed[x.API] = append(f.armed[x.API], x)
		f.count++
		return nil
	}
	f.log.Happened(x.Kind)
	return f.toCluster(ctx, x)
}

// toCluster makes a fault that is not of a single request, and heals it.
func (f *Faults) toCluster(ctx context.Context, x *Fault) error {
	srv := f.Server
	switch x.Kind {
	case "request cut":
		srv.CutAfter(int64(x.At), -1)
		srv.DropConnections()
		ring.Pause(ctx, cutTime)
		srv.CutAfter(-1, -1)
	case "leader moved":
		for b := range 4 {
			table := f.log.KeyTable
			if b == 3 {
				table, b = f.log.LogTable, x.Server
			}
			if err := srv.MoveLeader(table, b, (x.Server+b)%tabletServers); err != nil {
				return err
			}
		}
	case "server silent":
		srv.Freeze(x.Server)
		ring.Pause(ctx, x.For)
		srv.Thaw(x.Server)
	case "server frozen":
		srv.Freeze(x.Server)
		ring.Pause(ctx, x.For/2)
		srv.Failover(x.Server)
		ring.Pause(ctx, x.For/2)
		srv.Thaw(x.Server)
	case "server stopped":
		srv.StopTablet(x.Server)
		ring.Pause(ctx, x.For)
		return srv.StartTablet(x.Server)
	case "server killed":
		srv.KillTablet(x.Server)
		ring.Pause(ctx, x.For/2)
		srv.Failover(x.Server)
		ring.Pause(ctx, x.For/2)
		return srv.StartTablet(x.Server)
	case "coordinator stopped":
		srv.StopCoordinator()
		ring.Pause(ctx, x.For)
		return srv.StartCoordinator()
	case "metadata stale":
		srv.StaleMetadata(true)
		ring.Pause(ctx, x.For)
		srv.StaleMetadata(false)
	case "connections refused":
		srv.RefuseConnections(true)
		srv.DropConnections()
		ring.Pause(ctx, x.For)
		srv.RefuseConnections(false)
	case "connections stalled":
		srv.StallConnections(true)
		srv.DropConnections()
		ring.Pause(ctx, x.For)
		srv.StallConnections(false)
	case "connections dropped":
		srv.DropConnections()
	}
	return nil
}
