package differential

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss/conformance"
	"github.com/gofluss/fluss/flusstest"
)

var (
	stepsFlag = flag.Int("steps", 2000, "about how many requests to send")
	showFlag  = flag.Bool("show", false, "print every step of the first world")
	logFlag   = flag.String("coordinator-log", "", "the log of a DSN's coordinator; without it there are no tables with partitions")
	seedFlag  = flag.Uint64("seed", 1, "the first world's seed; 0: one by chance")
)

func TestMain(m *testing.M) { os.Exit(conformance.Main(m, func() {})) }

// realAddress is the server to compare with, and whether it is one of our own.
func realAddress(t *testing.T) (address string, own bool) {
	target := os.Getenv("FLUSS_TARGET")
	if target != "jvm" && !strings.HasPrefix(target, "fluss://") {
		t.Fatalf("FLUSS_TARGET=%s: this test compares with a real server: jvm or a DSN (fluss://...)", target)
	}
	hosts, _, _ := strings.Cut(strings.TrimPrefix(conformance.Target(t), "fluss://"), "/")
	address, _, _ = strings.Cut(hosts, ",")
	return address, target == "jvm"
}

// atOnce is how many worlds are open at a time: much of a world is waiting for DDL of the real server.
const atOnce = 4

// maxFailed worlds with differences end the test.
const maxFailed = 20

func TestDifferential(t *testing.T) {
	address, own := realAddress(t)
	may := options{hazards: own, log: *logFlag}
	if own {
		may.log = filepath.Join(conformance.Cluster(t).LogDir(), "coordinator.log")
	}
	srv := flusstest.Run(t, flusstest.DefaultBuckets(1))
	first := *seedFlag
	if first == 0 {
		first = uint64(time.Now().UnixMilli())
	}
	t.Logf("-seed %d", first)
	var next, steps, failed atomic.Int64
	var mu sync.Mutex
	allowed := map[string]int{}
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			for int(steps.Load()) < *stepsFlag && failed.Load() < maxFailed {
				w := oneWorld(t, first+uint64(next.Add(1)-1), srv.Addresses()[0], address, may)
				steps.Add(int64(w.steps))
				if len(w.found) > 0 {
					failed.Add(1)
				}
				mu.Lock()
				for why, n := range w.allowed {
					allowed[why] += n
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d steps in %d worlds, seeds %d to %d", steps.Load(), next.Load(), first, first+uint64(next.Load())-1)
	for why, n := range allowed {
		t.Logf("%d times: %s", n, why)
	}
}

// stepsPerWorld does not depend on -steps, so that a seed says all.
const stepsPerWorld = 200

func oneWorld(t *testing.T, seed uint64, embedded, real string, may options) *world {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	e, err := connect(ctx, "embedded", embedded, false)
	if err != nil {
		t.Error(err)
		return new(world)
	}
	defer e.close()
	r, err := connect(ctx, "real", real, true)
	if err != nil {
		t.Error(err)
		return new(world)
	}
	defer r.close()
	w := newWorld(ctx, seed, e, r, may)
	if *showFlag && seed == *seedFlag {
		w.traced = func(n int, s *step) { t.Logf("%d %.1500s", n, s) }
	}
	if err := w.run(stepsPerWorld); err != nil {
		t.Errorf("-seed %d, step %d: %v\n%s", seed, w.steps, err, w.report())
	}
	if len(w.found) > 0 {
		t.Error(w.report())
	}
	return w
}
