package ring

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofluss/fluss"
)

// Run makes the tables in a database of its own, runs load and faults, waits until the cluster serves again, verifies
// everything through a second pool, closes both and measures what stays. What it finds is in the Report; an error means
// that the ring itself could not be run to its end, and then there is a Report as far as it came, or none.
func Run(ctx context.Context, o Options, f Faults) (*Report, error) {
	o.setDefaults()
	before := Measure()
	if o.Before != nil {
		before.Heap = o.Before.Heap
	}
	report, err := play(ctx, o, f)
	if report == nil {
		return nil, err
	}
	if err == nil {
		report.measureLeaks(before, o.Stop)
	}
	return report, err
}

// play is all of Run but the measuring of what stays, so that it holds nothing of the run then.
func play(ctx context.Context, o Options, f Faults) (*Report, error) {
	broken, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	r := &run{
		o: o, log: &FaultLog{}, judge: &judge{}, start: time.Now(), broken: broken, fail: fail,
		groups: newGroups(), ledger: newLedger(), changes: newChangeLogs(), parts: newParts(), tallies: newTallies(), classes: map[string]int{}, codes: map[int]int{},
		mix: mixOf(o.only),
	}
	r.log.start = r.start
	r.ops.Store(1000) // numbers below are of rows that never change
	if err := r.openPools(); err != nil {
		return nil, err
	}
	err := r.play(f)
	err = errors.Join(err, r.closePools())
	if cause := context.Cause(broken); err == nil && cause != nil {
		err = cause
	}
	return r.report(), err
}

// run is the state of one Run.
type run struct {
	o     Options
	log   *FaultLog
	judge *judge
	start time.Time

	broken context.Context // ends when the ring itself broke
	fail   context.CancelCauseFunc

	pools
	mix       mix
	groups    *groups
	ledger    *ledger
	unsettled unsettled
	changes   [keyBuckets]*changeLog
	parts     *parts
	tallies   map[string]*tally // by kind; the map does not change
	stalls    stalls
	stacks    atomic.Pointer[string] // of a call that hung

	ops, rowsRead, histories, trails, cancelled atomic.Uint64
	outcomes                                    [3]atomic.Int64

	mu      sync.Mutex
	classes map[string]int
	codes   map[int]int
}

// count counts rows by what the caller was told of them.
func (r *run) count(o outcome, rows int) {
	r.outcomes[o].Add(int64(rows))
	if o == stored {
		r.log.acked.Add(int64(rows))
	}
}

func (r *run) play(f Faults) error {
	ctx, cancel := context.WithCancel(r.broken)
	defer cancel()
	if err := r.setUp(ctx); err != nil {
		return err
	}
	var background sync.WaitGroup
	background.Go(func() { r.stalls.watch(ctx, r) }) // ends with ctx; waited for below
	defer background.Wait()
	defer cancel()
	background.Go(func() { r.tell(ctx) })
	tails := r.startTails(ctx)
	if err := r.load(f); err != nil {
		cancel()
		tails.wait()
		return err
	}
	tails.stop()
	r.closeGroups()
	return r.finalScan(tails.next)
}

// setUp makes tables, the rows that never change, and the first groups.
func (r *run) setUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.o.SettleTimeout)
	defer cancel()
	if err := r.reach(ctx); err != nil {
		return err
	}
	if err := r.makeTables(ctx); err != nil {
		return err
	}
	if err := r.anchor(ctx, r.db); err != nil {
		return fmt.Errorf("write the first rows: %w", err)
	}
	w := r.worker(0)
	for range r.o.Groups {
		w.open()
	}
	for range 100 {
		w.append(setupKind)
	}
	for _, l := range r.changes {
		_ = r.followOnce(w, l) // so that there is something to scan
	}
	return context.Cause(r.broken)
}

// load runs workers and faults to the end of both.
func (r *run) load(f Faults) error {
	done := make(chan struct{})
	var workers sync.WaitGroup
	for i := range r.o.Workers {
		workers.Go(func() { r.worker(i + 1).work(done) }) // ends when done is closed; waited for below
	}
	err := r.wait(f)
	if err != nil {
		r.fail(err)
	}
	close(done)
	ended := make(chan struct{})
	go func() { // ends with the workers
		workers.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return err
	case <-time.After(r.o.CallTimeout + r.o.SettleTimeout + 10*time.Second):
		r.judge.found(late, "calls hang; goroutines:\n%s", r.hangs())
		return errors.Join(err, errors.New("calls hang"))
	}
}

func (r *run) hangs() string {
	if s := r.stacks.Load(); s != nil {
		return *s
	}
	stacks := make([]byte, 1<<20)
	return string(stacks[:runtime.Stack(stacks, true)])
}

// wait returns when the load was long enough and the faults are over.
func (r *run) wait(f Faults) error {
	ctx, cancel := context.WithCancel(r.broken)
	defer cancel()
	faults := make(chan error, 1)
	go func() { faults <- f.Run(ctx, r.log) }() // ends with its plan or with ctx; waited for below
	begin := time.Now()
	over := false
	for Pause(ctx, stallTick) == nil {
		select {
		case err := <-faults:
			if err != nil {
				return fmt.Errorf("the faults broke: %w", err)
			}
			over = true
		default:
		}
		if over && time.Since(begin) >= r.o.Duration && r.log.Ops() >= int64(r.o.Ops) && r.log.Acknowledged() >= int64(r.o.Acknowledged) {
			return nil
		}
	}
	if !over {
		<-faults // heals the cluster
	}
	return context.Cause(ctx)
}

// closeGroups closes what is live at the end.
func (r *run) closeGroups() {
	var all sync.WaitGroup
	for i, g := range r.groups.closeAll() {
		all.Go(func() { r.worker(2000 + i).retire(g) })
	}
	all.Wait()
}

// finalScan reads everything once more, through the other pool, and judges the log as a whole.
func (r *run) finalScan(next []int64) error {
	w := r.worker(3000)
	for b := range next {
		if _, ok := w.insist(finalKind, func() (span, error) { return span{}, r.tailOnce(w, int32(b), &next[b]) }); !ok {
			return context.Cause(r.broken)
		}
	}
	r.ledger.check(r.judge)
	for _, l := range r.changes {
		if _, ok := w.insist(finalKind, func() (span, error) { return span{}, r.followOnce(w, l) }); !ok {
			return context.Cause(r.broken)
		}
		l.end(r.judge)
	}
	if !r.finalParts(w) {
		return context.Cause(r.broken)
	}
	var rows []keyRow
	s, ok := w.insist(finalKind, func() (span, error) {
		return w.patient(finalKind, func(ctx context.Context) (err error) {
			rows, err = r.readKeys(ctx, r.observer, allColumns, r.from("%s /*+ FULL_SCAN */"))
			return err
		})
	})
	if !ok {
		return context.Cause(r.broken)
	}
	r.scanned(w, s, nil, rows, true)
	return nil
}

// report sums up.
func (r *run) report() *Report {
	r.judge.mu.Lock()
	defer r.judge.mu.Unlock()
	p := &Report{
		Ring: r.o.Ring, Seed: r.o.Seed, Started: r.start.UTC().Truncate(time.Second), Seconds: time.Since(r.start).Seconds(),
		Go: runtime.Version(), Driver: fluss.Version,
		Operations: r.log.Ops(), Acknowledged: r.outcomes[stored].Load(), Unknown: r.outcomes[unknown].Load(), NotStored: r.outcomes[notStored].Load(),
		RowsRead: int64(r.rowsRead.Load()), Histories: int64(r.histories.Load()), ChangeLogs: int64(r.trails.Load()), Partitions: len(r.parts.all()), Cancelled: int64(r.cancelled.Load()),
		Calls: map[string]Call{}, Errors: r.classes, Codes: len(r.codes), Faults: r.log.Total(), FaultKinds: r.log.byKind(),
		Stalled: r.stalls.sum.Seconds(), Verdict: r.judge.verdict, Findings: r.judge.findings,
	}
	for kind, t := range r.tallies {
		if c := t.call(); c.Calls > 0 {
			p.Calls[kind] = c
		}
	}
	return p
}

// tell writes how far it is, and what was found.
func (r *run) tell(ctx context.Context) {
	if r.o.Progress == nil {
		return
	}
	told := 0
	for Pause(ctx, 10*time.Second) == nil {
		r.judge.mu.Lock()
		v, findings := r.judge.verdict, r.judge.findings
		r.judge.mu.Unlock()
		for ; told < len(findings); told++ {
			fmt.Fprintln(r.o.Progress, findings[told])
		}
		fmt.Fprintf(r.o.Progress, "%4.0fs %d calls, %d rows acknowledged, %d unknown, %d faults, %+v\n", time.Since(r.start).Seconds(),
			r.log.Ops(), r.log.Acknowledged(), r.outcomes[unknown].Load(), r.log.Total(), v)
	}
}
