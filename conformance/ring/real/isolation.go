package real

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofluss/fluss/conformance/ring"
)

const (
	isolationBefore = 20 * time.Second
	isolationGone   = 60 * time.Second
	isolationRest   = 10 * time.Millisecond // of a caller between two calls

	isolationBuckets = 6
	isolationKeys    = 600
	isolationCallers = 4  // of buckets whose servers are there
	isolationWaiting = 32 // of buckets whose server is gone
)

// isolation freezes one of three tablet servers for a minute. Each bucket of the table has one replica, so that the
// buckets of the frozen one have no leader; callers keep asking for them and writing to them, in the same pool as callers of
// the other buckets.
func (f *faults) isolation(ctx context.Context) (*ring.Isolation, error) {
	db, err := sql.Open("fluss", f.cluster.DSN(""))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	p := &isolated{faults: f, db: db}
	if err := p.setUp(ctx); err != nil {
		return nil, fmt.Errorf("isolation: %w", err)
	}
	out := &ring.Isolation{Callers: isolationCallers, Waiting: isolationWaiting}
	before := p.calls(ctx, isolationBefore, 0, nil)
	out.HeapBefore = heap()
	if err := f.cluster.Freeze(p.gone); err != nil {
		return nil, err
	}
	begin := time.Now()
	gone := p.calls(ctx, isolationGone, isolationWaiting, func() { out.HeapGone = max(out.HeapGone, heap()) })
	out.Seconds = time.Since(begin).Seconds()
	if err := f.cluster.Thaw(p.gone); err != nil {
		return nil, err
	}
	out.HeapAfter = heap()
	out.CallsBefore, out.CallsGone = int64(len(before.took)), int64(len(gone.took))
	out.Failed, out.Slow, out.Errors = gone.failed, gone.slow, gone.errors
	out.P50Before, out.P99Before = before.quantile(0.5), before.quantile(0.99)
	out.P50Gone, out.P99Gone = gone.quantile(0.5), gone.quantile(0.99)
	out.P99Ratio = out.P99Gone / out.P99Before
	fmt.Fprintf(f.progress, "isolation: %+v\n", *out)
	return out, context.Cause(ctx)
}

func heap() int64 { return ring.Measure().Heap }

// isolated is the table and who leads what.
type isolated struct {
	*faults
	db    *sql.DB
	table string
	gone  int     // the server to freeze
	there []int64 // keys whose leader is another one
	lost  []int64 // keys whose leader it is
}

func (p *isolated) setUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	if _, err := p.db.ExecContext(ctx, "CREATE DATABASE isolation"); err != nil {
		return err
	}
	for try := 0; ; try++ { // the coordinator overlooks a table now and then
		name := fmt.Sprintf("t%d", try)
		p.table = "isolation." + name
		if _, err := p.db.ExecContext(ctx, fmt.Sprintf("CREATE TABLE %s (id BIGINT NOT NULL, v STRING, PRIMARY KEY (id) NOT ENFORCED) "+
			"WITH ('bucket.num' = '%d', 'table.replication.factor' = '1')", p.table, isolationBuckets)); err != nil {
			return err
		}
		wait, done := context.WithTimeout(ctx, 20*time.Second)
		err := p.cluster.WaitLeaders(wait, "isolation", name)
		done()
		if err == nil {
			return p.fill(ctx, name)
		}
		if try == 3 {
			return err
		}
	}
}

// fill writes the rows and sorts their keys by leader.
func (p *isolated) fill(ctx context.Context, name string) error {
	var rows []string
	for id := range isolationKeys {
		rows = append(rows, fmt.Sprintf("(%d, 'v')", id))
	}
	if _, err := p.db.ExecContext(ctx, "UPSERT INTO "+p.table+" VALUES "+strings.Join(rows, ", ")); err != nil {
		return err
	}
	leaders, err := p.cluster.Leaders(ctx, coordinator, "isolation", name)
	if err != nil {
		return err
	}
	p.gone = leaders[0]
	for bucket, leader := range leaders {
		keys, err := p.keys(ctx, bucket)
		if err != nil {
			return err
		}
		if leader == p.gone {
			p.lost = append(p.lost, keys...)
		} else {
			p.there = append(p.there, keys...)
		}
	}
	if len(p.there) == 0 {
		return errors.New("one server leads all buckets")
	}
	return nil
}

func (p *isolated) keys(ctx context.Context, bucket int) (list []int64, err error) {
	rows, err := p.db.QueryContext(ctx, fmt.Sprintf("SELECT id FROM %s WHERE _bucket = %d LIMIT %d", p.table, bucket, isolationKeys))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		list = append(list, id)
	}
	return list, rows.Err()
}

// latencies are those of calls, good or not.
type latencies struct {
	took   []time.Duration
	failed int64
	slow   int64
	errors []string
}

// keptErrors is how many errors of failed calls are told.
const keptErrors = 10

func (l *latencies) note(took time.Duration, err error) {
	l.took = append(l.took, took)
	switch {
	case err == nil && took >= time.Second:
		l.slow++
	case err != nil:
		l.failed++
		if len(l.errors) < keptErrors {
			l.errors = append(l.errors, err.Error())
		}
	}
}

// quantile is in milliseconds.
func (l *latencies) quantile(q float64) float64 {
	if len(l.took) == 0 {
		return 0
	}
	slices.Sort(l.took)
	return float64(l.took[min(len(l.took)-1, int(q*float64(len(l.took))))]) / float64(time.Millisecond)
}

// calls makes calls for a while: some to the servers that are there, which are measured, and those of waiting callers to the
// one that is gone, each with a deadline of its own. each, if not nil, is called every few seconds.
func (p *isolated) calls(ctx context.Context, d time.Duration, waiting int, each func()) *latencies {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var all sync.WaitGroup
	var mu sync.Mutex
	sum := &latencies{}
	for range isolationCallers {
		all.Go(func() { // ends with ctx
			for ring.Pause(ctx, isolationRest) == nil {
				begin := time.Now()
				err := p.one(context.WithoutCancel(ctx), p.there)
				took := time.Since(begin)
				mu.Lock()
				sum.note(took, err)
				mu.Unlock()
			}
		})
	}
	for range waiting {
		all.Go(func() { // ends with ctx
			for ring.Pause(ctx, isolationRest) == nil {
				_ = p.one(ctx, p.lost) // fails while the server is gone
			}
		})
	}
	for each != nil && ring.Pause(ctx, 5*time.Second) == nil {
		each()
	}
	all.Wait()
	return sum
}

// one looks a key up, or writes a row of a kilobyte.
func (p *isolated) one(ctx context.Context, keys []int64) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	key := keys[rand.IntN(len(keys))]
	if rand.IntN(2) == 0 {
		return p.db.QueryRowContext(ctx, "SELECT v FROM "+p.table+" WHERE id = ?", key).Scan(new(string))
	}
	_, err := p.db.ExecContext(ctx, "UPSERT INTO "+p.table+" VALUES (?, ?)", key, strings.Repeat("v", 1000))
	return err
}
