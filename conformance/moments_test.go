package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
)

// momentCount is at how many moments TestCancelMoments ends a call: FLUSS_CANCEL_MOMENTS, or a number that CI can bear.
func momentCount(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("FLUSS_CANCEL_MOMENTS"))
	if err != nil {
		return 1600
	}
	if n < 100 {
		t.Fatalf("FLUSS_CANCEL_MOMENTS=%d shows nothing", n)
	}
	return n
}

// momentRows are the cases of what a caller is told, as DESIGN.md has them, and how often each was met.
type momentRows struct {
	before, readInFlight, writeUnsent, writeInFlight, partly, connecting, finished atomic.Int64
	slowest                                                                        atomic.Int64 // nanoseconds from the context's end to the call's
}

// took notes how long a call went on after its context.
func (r *momentRows) took(d time.Duration) {
	for {
		was := r.slowest.Load()
		if int64(d) <= was || r.slowest.CompareAndSwap(was, int64(d)) {
			return
		}
	}
}

// lateReturn is how much longer than its context a call may take.
const lateReturn = time.Second

// TestCancelMoments ends the contexts of lookups, scans and writes at random moments, while frames are stuck everywhere
// on their way there and back. Callers are told what is true; the connections are kept and give right answers.
func TestCancelMoments(t *testing.T) {
	const workers, rows = 8, 300
	srv := flusstest.NewServer(flusstest.TabletServers(2))
	defer srv.Close()
	s := newStaller(srv)
	db := openStalled(t, s, srv)
	prefix := cancelTables(t, db, rows)
	mustExec(t, db, "CREATE TABLE "+prefix+"w (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='4')")
	db.SetMaxOpenConns(workers)
	var counts momentRows
	list := make([]*momentWorker, workers)
	for i := range list {
		w := &momentWorker{s: s, counts: &counts}
		w.cancelWorker = cancelWorker{t: t, db: db, prefix: prefix, id: i, random: rand.New(rand.NewPCG(11, uint64(i))), log: map[int]fate{}}
		w.warmUp()
		w.insert(context.Background(), 0)
		list[i] = w
	}
	dials, total := s.dials.Load(), momentCount(t)
	var wg sync.WaitGroup
	for _, w := range list {
		wg.Go(func() {
			for n := 1; n <= total/workers; n++ {
				w.moment(n, rows)
			}
		})
	}
	wg.Wait()
	if got := s.dials.Load(); got != dials {
		t.Errorf("%d further connections were made", got-dials)
	}
	for _, w := range list {
		w.check()
		w.checkStatements()
	}
	checkLog(t, db, prefix, cancelWorkers(list))
	counts.report(t, s)
}

func openStalled(t *testing.T, s *staller, srv *flusstest.Server) *sql.DB {
	t.Helper()
	cfg, err := fluss.ParseDSN(srv.DSN())
	if err != nil {
		t.Fatal(err)
	}
	cfg.Dial = s.Dial
	return openConfigured(t, cfg)
}

func cancelWorkers(list []*momentWorker) (out []*cancelWorker) {
	for _, w := range list {
		out = append(out, &w.cancelWorker)
	}
	return out
}

func (r *momentRows) report(t *testing.T, s *staller) {
	t.Helper()
	t.Logf("ended before a byte was written %d, reads in flight %d, writes not sent %d, writes in flight %d, partly acknowledged %d, while connecting %d, finished first %d; slowest return %v",
		r.before.Load(), r.readInFlight.Load(), r.writeUnsent.Load(), r.writeInFlight.Load(), r.partly.Load(), r.connecting.Load(), r.finished.Load(), time.Duration(r.slowest.Load()))
	for kind := stallRequest; kind < stallKinds; kind++ {
		if n := s.hits[kind].Load(); n > 0 {
			t.Logf("stalls, %v: %d", kind, n)
		}
	}
	if limit := time.Duration(r.slowest.Load()); limit > lateReturn {
		t.Errorf("a call returned %v after the end of its context", limit)
	}
}

// momentWorker is one caller of TestCancelMoments.
type momentWorker struct {
	cancelWorker
	s          *staller
	counts     *momentRows
	statements []statementFate
}

// statementFate is what the caller was told about a statement of 8 rows, with the keys from first on.
type statementFate struct{ first, stored, notStored, unknown int }

const statementRows = 8

// moment makes one call whose context ends somewhere within it, then one that has to be right.
func (w *momentWorker) moment(n, rows int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	kind := stall(w.random.IntN(int(stallPartly) + 1))
	if w.random.IntN(10) == 0 {
		cancel()
		kind = stallNothing
	}
	span := int64(3*time.Millisecond) >> w.random.IntN(8)
	if kind != stallNothing {
		w.s.arm(kind, time.Duration(1+w.random.Int64N(2*span)))
	}
	var ended atomic.Int64
	stop := time.AfterFunc(time.Duration(w.random.Int64N(span)), func() { ended.Store(time.Now().UnixNano()); cancel() })
	dead := ctx.Err() != nil
	var write bool
	var err error
	if kind == stallPartly || w.random.IntN(5) == 0 {
		write, err = true, w.insert(ctx, n*statementRows)
	} else {
		write, err = w.call(ctx, n, rows)
	}
	returned := time.Now()
	stop.Stop()
	if at := ended.Load(); at != 0 {
		w.counts.took(returned.Sub(time.Unix(0, at)))
	}
	w.count(dead, write, err)
	if err != nil && !errors.Is(err, context.Canceled) {
		w.t.Errorf("got %v, want the context's error", err)
	}
	rightRow(w.t, w.db, w.prefix, 1+w.random.IntN(rows))
}

func (w *momentWorker) count(dead, write bool, err error) {
	ambiguous := errors.Is(err, fluss.ErrAmbiguousWrite)
	_, partial := errors.AsType[*fluss.PartialWriteError](err)
	switch {
	case dead && (err == nil || ambiguous || partial):
		w.t.Errorf("a call whose context had ended: %v", err)
	case !write && ambiguous:
		w.t.Errorf("a read with an unknown outcome: %v", err)
	case err == nil:
		w.counts.finished.Add(1)
	case dead:
		w.counts.before.Add(1)
	case !write:
		w.counts.readInFlight.Add(1)
	case partial || ambiguous && partlyStored(err):
		w.counts.partly.Add(1)
	case ambiguous:
		w.counts.writeInFlight.Add(1)
	default:
		w.counts.writeUnsent.Add(1)
	}
}

func partlyStored(err error) bool {
	a, _ := errors.AsType[*fluss.AmbiguousWriteError](err)
	for _, b := range a.Buckets {
		if b.Stored+b.NotStored > 0 {
			return true
		}
	}
	return false
}

// insert makes a statement of rows for all buckets of both servers, with keys that nobody had before.
func (w *momentWorker) insert(ctx context.Context, n int) error {
	first := 1_000_000*(w.id+1) + n
	var values []string
	for i := range statementRows {
		values = append(values, fmt.Sprintf("(%d, 'v%d')", first+i, first+i))
	}
	_, err := w.db.ExecContext(ctx, "INSERT INTO "+w.prefix+"w VALUES "+strings.Join(values, ", "))
	f := statementFate{first: first}
	var buckets []fluss.BucketOutcome
	if a, ok := errors.AsType[*fluss.AmbiguousWriteError](err); ok {
		buckets = a.Buckets
	} else if p, ok := errors.AsType[*fluss.PartialWriteError](err); ok {
		buckets = p.Buckets
	} else if err == nil {
		f.stored = statementRows
	} else {
		f.notStored = statementRows
	}
	for _, b := range buckets {
		f.stored, f.notStored, f.unknown = f.stored+b.Stored, f.notStored+b.NotStored, f.unknown+b.Unknown
	}
	if f.stored+f.notStored+f.unknown != statementRows {
		w.t.Errorf("%+v of %d rows: %v", f, statementRows, err)
	}
	w.statements = append(w.statements, f)
	return err
}

// checkStatements compares what is stored with what the caller was told. Writes with an unknown outcome are settled by a
// further one to their buckets first.
func (w *momentWorker) checkStatements() {
	w.t.Helper()
	if err := w.insert(timeout(w.t), -statementRows); err != nil {
		w.t.Fatal(err)
	}
	there := map[int]bool{}
	for _, r := range queryAll(w.t, w.db, "SELECT k, v FROM "+w.prefix+"w") {
		if r[1] != fmt.Sprint("v", r[0]) {
			w.t.Errorf("key %v: got %v", r[0], r[1])
		}
		there[int(r[0].(int64))] = true
	}
	for _, f := range w.statements {
		n := 0
		for k := f.first; k < f.first+statementRows; k++ {
			if there[k] {
				n++
			}
		}
		if n < f.stored || n > f.stored+f.unknown {
			w.t.Errorf("%d rows are there, told was %+v", n, f)
		}
	}
}

// TestCancelConnecting ends contexts while the connections of a new pool are made: dialed, greeted, logged in, asked for
// metadata. The next call of the pool is right.
func TestCancelConnecting(t *testing.T) {
	const workers = 8
	srv := flusstest.NewServer(flusstest.TabletServers(2), flusstest.Users(map[string]string{"ann": "s3cret-w0rd"}))
	defer srv.Close()
	setup := openStalled(t, newStaller(srv), srv)
	prefix := cancelTables(t, setup, 50)
	before := measure()
	s := newStaller(srv)
	var counts momentRows
	var wg sync.WaitGroup
	for id := range workers {
		random := rand.New(rand.NewPCG(13, uint64(id)))
		wg.Go(func() {
			for range momentCount(t) / 4 / workers {
				connectingMoment(t, s, srv, random, prefix, &counts)
			}
		})
	}
	wg.Wait()
	counts.report(t, s)
	before.goroutines += 2 * 3 * 2 // the pool of the tables may have connected to all servers meanwhile
	before.files += 2 * 3 * 2
	flat(t, before)
}

func connectingMoment(t *testing.T, s *staller, srv *flusstest.Server, random *rand.Rand, prefix string, counts *momentRows) {
	cfg, err := fluss.ParseDSN(srv.DSN())
	if err != nil {
		t.Error(err)
		return
	}
	cfg.Dial = s.Dial
	connector, err := fluss.NewConnector(cfg)
	if err != nil {
		t.Error(err)
		return
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	span := int64(6*time.Millisecond) >> random.IntN(6)
	for range random.IntN(3) {
		s.arm(stallConnect+stall(random.IntN(int(stallKinds-stallConnect))), time.Duration(1+random.Int64N(2*span)))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.Int64N(span)))
	defer cancel()
	k := 1 + random.IntN(50)
	switch random.IntN(3) {
	case 0:
		_, err = tryQuery(ctx, db, "SELECT v FROM "+prefix+"t WHERE k = ?", k)
	case 1:
		_, err = tryQuery(ctx, db, "SELECT * FROM "+prefix+"l LIMIT 10")
	case 2:
		_, err = db.ExecContext(ctx, "INSERT INTO "+prefix+"t VALUES (?, ?)", k, fmt.Sprint("v", k))
	}
	if at, _ := ctx.Deadline(); err != nil {
		counts.took(time.Since(at))
	}
	switch {
	case err == nil:
		counts.finished.Add(1)
	case !errors.Is(err, context.DeadlineExceeded):
		t.Errorf("got %v, want the context's error", err)
	default:
		counts.connecting.Add(1)
	}
	rightRow(t, db, prefix, k)
}
