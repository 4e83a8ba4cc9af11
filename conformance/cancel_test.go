package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/internal/wire"
)

// cancelTables makes a key table t with rows 1 to n, v = "v<k>", in 3 buckets, and a log table l with as many.
func cancelTables(t *testing.T, db *sql.DB, n int) (prefix string) {
	t.Helper()
	prefix = database(t, db) + "."
	mustExec(t, db, "CREATE TABLE "+prefix+"t (k INT NOT NULL, v STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('bucket.num'='3')")
	mustExec(t, db, "CREATE TABLE "+prefix+"l (k INT NOT NULL, v STRING) WITH ('bucket.num'='3')")
	values := ""
	for k := 1; k <= n; k++ {
		values += fmt.Sprintf(", (%d, 'v%d')", k, k)
	}
	for _, table := range []string{"t", "l"} {
		mustExec(t, db, "INSERT INTO "+prefix+table+" VALUES "+values[2:])
	}
	return prefix
}

// rightRow fails when the row of a key is not there as it should be.
func rightRow(t *testing.T, db *sql.DB, prefix string, k int) {
	t.Helper()
	var v string
	err := db.QueryRowContext(timeout(t), "SELECT v FROM "+prefix+"t WHERE k = ?", k).Scan(&v)
	if err != nil || v != fmt.Sprint("v", k) {
		t.Errorf("key %d: got %q, %v", k, v, err)
	}
}

// TestCancelBeforeSending: a context that has ended already sends nothing and is told as it is.
func TestCancelBeforeSending(t *testing.T) {
	db, writes := openCounted(t)
	prefix := cancelTables(t, db, 1)
	rightRow(t, db, prefix, 1)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	before := writes.Load()
	for _, ctx := range []context.Context{canceled, late} {
		for _, query := range []string{"SELECT v FROM t WHERE k = 1", "SELECT * FROM l", "SELECT * FROM t LIMIT 1"} {
			if _, err := tryQuery(ctx, db, intoDatabase(query, prefix)); !errors.Is(err, ctx.Err()) {
				t.Errorf("%s: got %v, want %v", query, err, ctx.Err())
			}
		}
		for _, query := range []string{"INSERT INTO t VALUES (2, 'x')", "INSERT INTO l VALUES (2, 'x')", "DELETE FROM t WHERE k = 1", "DROP TABLE t"} {
			if _, err := db.ExecContext(ctx, intoDatabase(query, prefix)); !errors.Is(err, ctx.Err()) || errors.Is(err, fluss.ErrAmbiguousWrite) {
				t.Errorf("%s: got %v, want %v alone", query, err, ctx.Err())
			}
		}
	}
	if writes.Load() != before {
		t.Error("something was sent")
	}
	rightRow(t, db, prefix, 1)
}

// TestCancelInFlight: a call whose answer is held back ends with its context; then the same connections go on.
func TestCancelInFlight(t *testing.T) {
	db, g := openGated(t, nil)
	prefix := cancelTables(t, db, 300)
	queryAll(t, db, "SELECT * FROM "+prefix+"l")
	queryAll(t, db, "SELECT * FROM "+prefix+"t LIMIT 5")
	rightRow(t, db, prefix, 1)
	dials := g.Dials()
	for i, c := range []struct {
		query string
		api   wire.APIKey
		write bool
	}{
		{"SELECT v FROM t WHERE k = 7", wire.APILookup, false},
		{"SELECT v FROM t WHERE k IN (7, 8, 9)", wire.APILookup, false},
		{"SELECT * FROM t LIMIT 9", wire.APILimitScan, false},
		{"SELECT * FROM l", wire.APIFetchLog, false},
		{"SELECT COUNT(*) FROM l", wire.APIGetTableStats, false},
		{"INSERT INTO t VALUES (1001, 'v1001')", wire.APIPutKV, true},
		{"INSERT INTO t VALUES (1002, 'v1002'), (1003, 'v1003'), (1004, 'v1004')", wire.APIPutKV, true},
		{"INSERT INTO l VALUES (1001, 'v1001')", wire.APIProduceLog, true},
		{"UPDATE t SET v = 'v8' WHERE k = 8", wire.APILookup, false},
		{"DELETE FROM t WHERE k = 9999", wire.APILookup, false},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		sent := g.FreezeAt(c.api)
		result := make(chan error)
		go func() { // ends with the context; waited for below
			if c.write {
				_, err := db.ExecContext(ctx, intoDatabase(c.query, prefix))
				result <- err
			} else {
				_, err := tryQuery(ctx, db, intoDatabase(c.query, prefix))
				result <- err
			}
		}()
		select {
		case <-sent:
		case err := <-result:
			t.Fatalf("%s: ended before it was sent: %v", c.query, err)
		}
		begin := time.Now()
		cancel()
		err := <-result
		if !errors.Is(err, context.Canceled) || errors.Is(err, fluss.ErrAmbiguousWrite) != c.write {
			t.Errorf("%s: got %v, unknown %v, want the context's error", c.query, err, !c.write)
		}
		if took := time.Since(begin); took > callGrace {
			t.Errorf("%s: returned %v after the end of the context", c.query, took)
		}
		if c.write {
			unknownRows(t, err, prefix)
		}
		g.Thaw()
		rightRow(t, db, prefix, i+1)
	}
	if got := g.Dials(); got != dials {
		t.Errorf("%d further connections were made", got-dials)
	}
	// The unknown writes were under way and are stored once a further write to their bucket is acknowledged.
	mustExec(t, db, "INSERT INTO "+prefix+"t VALUES (2001, 'x'), (2002, 'x'), (2003, 'x'), (2004, 'x'), (2005, 'x'), (2006, 'x'), (2007, 'x'), (2008, 'x')")
	for k := 1001; k <= 1004; k++ {
		rightRow(t, db, prefix, k)
	}
}

// TestCancelDefinition: a DDL statement whose answer is not waited for has an unknown outcome; it was carried out.
func TestCancelDefinition(t *testing.T) {
	db, g := openGated(t, nil)
	prefix := database(t, db) + "."
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sent := g.FreezeAt(wire.APICreateTable)
	result := make(chan error)
	go func() { // ends with the context; waited for below
		_, err := db.ExecContext(ctx, "CREATE TABLE "+prefix+"t (k INT)")
		result <- err
	}()
	<-sent
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) || !errors.Is(err, fluss.ErrAmbiguousWrite) {
		t.Errorf("got %v, want the context's error and an unknown outcome", err)
	}
	g.Thaw()
	for deadline := time.Now().Add(statementTimeout); len(queryAll(t, db, "SHOW TABLES FROM "+strings.TrimSuffix(prefix, "."))) == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the table was never made")
		}
	}
}

// intoDatabase puts the database's name in front of the tables t and l.
func intoDatabase(query, prefix string) string {
	for _, before := range []string{"FROM ", "INTO ", "UPDATE ", "TABLE "} {
		for _, table := range []string{"t", "l"} {
			query = replaceWord(query, before+table, before+prefix+table)
		}
	}
	return query
}

func replaceWord(s, old, with string) string {
	for i := 0; i+len(old) <= len(s); i++ {
		if s[i:i+len(old)] == old && (i+len(old) == len(s) || s[i+len(old)] == ' ') {
			return s[:i] + with + s[i+len(old):]
		}
	}
	return s
}

// unknownRows checks what an unknown write says about its rows.
func unknownRows(t *testing.T, err error, prefix string) {
	t.Helper()
	var unknown *fluss.AmbiguousWriteError
	if !errors.As(err, &unknown) {
		t.Errorf("got a %T: %v", err, err)
		return
	}
	rows := 0
	for _, b := range unknown.Buckets {
		rows += b.Unknown
		if b.Stored != 0 || b.NotStored != 0 {
			t.Errorf("bucket %d: %+v, all answers were held back", b.Bucket, b)
		}
	}
	if rows == 0 || unknown.Table != prefix+"t" && unknown.Table != prefix+"l" {
		t.Errorf("%d unknown rows of %s", rows, unknown.Table)
	}
}

// TestSilenceWithoutDeadline: when all servers fall silent and the caller gave no deadline, the timeouts of the
// configuration end reads and writes, and afterwards all is well.
func TestSilenceWithoutDeadline(t *testing.T) {
	db, g := openGated(t, func(cfg *fluss.Config) {
		cfg.AttemptTimeout, cfg.RequestTimeout, cfg.WriteTimeout = 200*time.Millisecond, callDeadline, callDeadline
	})
	prefix := cancelTables(t, db, 20)
	queryAll(t, db, "SELECT * FROM "+prefix+"l")
	mustExec(t, db, "CREATE TABLE "+prefix+"first (k INT NOT NULL, v STRING)")
	queryAll(t, db, "SELECT * FROM "+prefix+"first")
	for range 3 { // one for each bucket
		mustExec(t, db, "INSERT INTO "+prefix+"l VALUES (0, 'x')")
	}
	g.Freeze()
	var calls sync.WaitGroup
	for _, query := range []string{"SELECT v FROM t WHERE k = 1", "SELECT * FROM t LIMIT 3", "SELECT * FROM l"} {
		calls.Go(func() {
			begin := time.Now()
			_, err := tryQuery(context.Background(), db, intoDatabase(query, prefix))
			if took := time.Since(begin); !errors.Is(err, context.DeadlineExceeded) || took > 2*callDeadline+callGrace {
				t.Errorf("%s: got %v after %v, want DeadlineExceeded", query, err, took)
			}
		})
	}
	for _, query := range []string{"INSERT INTO t VALUES (21, 'v21')", "INSERT INTO l VALUES (21, 'v21')"} {
		calls.Go(func() {
			begin := time.Now()
			_, err := db.Exec(intoDatabase(query, prefix))
			if took := time.Since(begin); !errors.Is(err, fluss.ErrAmbiguousWrite) || took > 2*callDeadline+callGrace {
				t.Errorf("%s: got %v after %v, want an unknown outcome", query, err, took)
			}
		})
	}
	calls.Go(func() { // no row leaves before the writer has its id
		_, err := db.Exec("INSERT INTO " + prefix + "first VALUES (1, 'x')")
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fluss.ErrAmbiguousWrite) {
			t.Errorf("the first write to a table: got %v, want DeadlineExceeded alone", err)
		}
	})
	calls.Wait()
	g.Thaw()
	for k := 1; k <= 20; k++ {
		rightRow(t, db, prefix, k)
	}
	mustExec(t, db, "INSERT INTO "+prefix+"t VALUES (22, 'v22')")
	mustExec(t, db, "INSERT INTO "+prefix+"l VALUES (22, 'v22')")
	rightRow(t, db, prefix, 22)
}

// cancelWorker is one caller of TestCancelAtRandomMoments. It writes to a key of its own, and rows that nobody else
// writes to the log.
type cancelWorker struct {
	t      *testing.T
	db     *sql.DB
	prefix string
	id     int
	random *rand.Rand

	acked, tried int          // the last value of its key: that was acknowledged, and that may have been stored
	log          map[int]fate // the rows of the log
}

// fate is what a caller was told about a row.
type fate int

const (
	notStored fate = iota
	stored
	unknown
)

// TestCancelAtRandomMoments cancels lookups, scans and writes at moments when anything may be under way. No caller gets
// a wrong answer, every write is as it was told, and the connections are kept.
func TestCancelAtRandomMoments(t *testing.T) {
	const workers, moments, rows = 8, 100, 300
	db, g := openGated(t, nil)
	prefix := cancelTables(t, db, rows)
	db.SetMaxOpenConns(workers)
	list := make([]*cancelWorker, workers)
	for i := range list {
		list[i] = &cancelWorker{t: t, db: db, prefix: prefix, id: i, random: rand.New(rand.NewPCG(7, uint64(i))), log: map[int]fate{}}
		list[i].warmUp()
	}
	dials := g.Dials()
	var canceled atomic.Int64
	var wg sync.WaitGroup
	for _, w := range list {
		wg.Go(func() {
			for n := range moments {
				if w.step(n, rows) {
					canceled.Add(1)
				}
				rightRow(t, db, prefix, 1+w.random.IntN(rows))
			}
		})
	}
	wg.Wait()
	if got := g.Dials(); got != dials {
		t.Errorf("%d further connections were made", got-dials)
	}
	for _, w := range list {
		w.check()
	}
	checkLog(t, db, prefix, list)
	t.Logf("%d calls, %d of them canceled", workers*moments, canceled.Load())
	if canceled.Load() < workers*moments/4 {
		t.Error("too few calls were canceled to show anything")
	}
}

// checkLog compares the log with what the workers were told about their rows.
func checkLog(t *testing.T, db *sql.DB, prefix string, workers []*cancelWorker) {
	t.Helper()
	seen := map[int]int{}
	for _, r := range queryAll(t, db, "SELECT k FROM "+prefix+"l") {
		seen[int(r[0].(int64))]++
	}
	fates := map[fate]int{}
	for _, w := range workers {
		for k, f := range w.log {
			fates[f]++
			if n := seen[k]; n > 1 || f == stored && n != 1 || f == notStored && n != 0 {
				t.Errorf("log row %d is there %d times, and its caller was told %d (0 not stored, 1 stored, 2 unknown)", k, n, f)
			}
		}
	}
	t.Logf("log rows: %d stored, %d not stored, %d unknown", fates[stored], fates[notStored], fates[unknown])
}

func (w *cancelWorker) key() int { return 10_000 + w.id }

// warmUp makes every connection that the worker's calls need.
func (w *cancelWorker) warmUp() {
	mustExec(w.t, w.db, fmt.Sprintf("INSERT INTO %st VALUES (%d, '0')", w.prefix, w.key()))
	queryAll(w.t, w.db, "SELECT * FROM "+w.prefix+"l")
	queryAll(w.t, w.db, "SELECT * FROM "+w.prefix+"t LIMIT 10")
	for range 3 { // one for each bucket
		w.log[w.logKey(-1-len(w.log))] = stored
		mustExec(w.t, w.db, "INSERT INTO "+w.prefix+"l VALUES (?, 'x')", w.logKey(-len(w.log)))
	}
}

func (w *cancelWorker) logKey(n int) int { return 1_000_000*(w.id+1) + n }

// step makes one call with a context that ends after up to 3 ms, as often within microseconds as after them, so that calls
// of any speed are met; and reports whether it failed for that.
func (w *cancelWorker) step(n, rows int) bool {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	moment := time.Duration(w.random.Int64N(int64(3*time.Millisecond) >> w.random.IntN(8)))
	if w.random.IntN(2) == 0 {
		defer time.AfterFunc(moment, cancel).Stop()
	} else {
		ctx, cancel = context.WithTimeout(ctx, moment)
		defer cancel()
	}
	write, err := w.call(ctx, n, rows)
	if err != nil && (!errors.Is(err, ctx.Err()) || !write && errors.Is(err, fluss.ErrAmbiguousWrite)) {
		w.t.Errorf("got %v, and the context says %v", err, ctx.Err())
	}
	return err != nil
}

// call makes one call of a random kind, and reports whether it writes.
func (w *cancelWorker) call(ctx context.Context, n, rows int) (write bool, err error) {
	switch k := 1 + w.random.IntN(rows-10); w.random.IntN(6) {
	case 0:
		err = w.lookup(ctx, k, 1)
	case 1:
		err = w.lookup(ctx, k, 10)
	case 2:
		err = w.scan(ctx)
	case 3:
		err = w.logScan(ctx)
	case 4:
		write, err = true, w.upsert(ctx, n+1)
	case 5:
		write, err = true, w.append(ctx, n)
	}
	return write, err
}

func (w *cancelWorker) lookup(ctx context.Context, first, n int) error {
	marks, args := "?", []any{first}
	for k := first + 1; k < first+n; k++ {
		marks, args = marks+", ?", append(args, k)
	}
	rows, err := tryQuery(ctx, w.db, "SELECT k, v FROM "+w.prefix+"t WHERE k IN ("+marks+")", args...)
	for i, r := range rows {
		if k := first + i; err == nil && (r[0] != int64(k) || r[1] != fmt.Sprint("v", k)) {
			w.t.Errorf("key %d: got %v", k, r)
		}
	}
	if err == nil && len(rows) != n {
		w.t.Errorf("%d rows of %d keys", len(rows), n)
	}
	return err
}

func (w *cancelWorker) scan(ctx context.Context) error {
	rows, err := tryQuery(ctx, w.db, "SELECT k, v FROM "+w.prefix+"t LIMIT 20")
	if err == nil && len(rows) != 20 {
		w.t.Errorf("%d rows of 20", len(rows))
	}
	return err
}

func (w *cancelWorker) logScan(ctx context.Context) error {
	rows, err := tryQuery(ctx, w.db, "SELECT k, v FROM "+w.prefix+"l LIMIT 250")
	if err == nil && len(rows) != 250 {
		w.t.Errorf("%d rows of the log of 250", len(rows))
	}
	return err
}

func (w *cancelWorker) upsert(ctx context.Context, n int) error {
	_, err := w.db.ExecContext(ctx, "INSERT INTO "+w.prefix+"t VALUES (?, ?)", w.key(), fmt.Sprint(n))
	switch {
	case err == nil:
		w.acked, w.tried = n, n
	case errors.Is(err, fluss.ErrAmbiguousWrite):
		w.tried = n
	}
	return err
}

func (w *cancelWorker) append(ctx context.Context, n int) error {
	_, err := w.db.ExecContext(ctx, "INSERT INTO "+w.prefix+"l VALUES (?, 'x')", w.logKey(n))
	switch {
	case err == nil:
		w.log[w.logKey(n)] = stored
	case errors.Is(err, fluss.ErrAmbiguousWrite):
		w.log[w.logKey(n)] = unknown
	default:
		w.log[w.logKey(n)] = notStored
	}
	return err
}

// check reads the worker's key: the last acknowledged value, or that of a later write with an unknown outcome.
func (w *cancelWorker) check() {
	w.t.Helper()
	var v int
	if err := w.db.QueryRowContext(timeout(w.t), "SELECT v FROM "+w.prefix+"t WHERE k = ?", w.key()).Scan(&v); err != nil {
		w.t.Error(err)
	}
	if v < w.acked || v > w.tried {
		w.t.Errorf("key %d: got %d, acknowledged %d, tried %d", w.key(), v, w.acked, w.tried)
	}
}
