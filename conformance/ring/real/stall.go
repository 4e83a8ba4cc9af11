package real

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/gofluss/fluss/conformance/ring"
)

const (
	readEvery  = 200 * time.Millisecond // reads of a frozen leader's bucket begin
	lookEvery  = 20 * time.Millisecond  // the observers look
	answerTime = 150 * time.Millisecond // that the new leader gets to answer an observer
	readBounds = time.Minute            // of one read

	slowFreeze = 800 * time.Millisecond // is explained in the progress
)

// freeze freezes a leader for a while. Meanwhile reads of its bucket begin again and again, and observers, who are no
// clients of the driver's, note when a new leader shows up in the metadata, and when it first answers as one.
func (f *faults) freeze(ctx context.Context, at target, d time.Duration) error {
	reads, err := f.readsOf(ctx, at.bucket)
	if err != nil {
		return err
	}
	if err := f.cluster.Freeze(at.leader); err != nil {
		return err
	}
	begin := time.Now()
	f.log.Happened(freezeLeader)
	s := &stall{begin: begin}
	watch, cancel := context.WithTimeout(ctx, readBounds)
	defer cancel()
	var all sync.WaitGroup
	observe := func(seen func() bool, at *time.Duration) {
		all.Go(func() { // ends when it has seen that, or with watch
			for !seen() {
				if ring.Pause(watch, lookEvery) != nil {
					return
				}
			}
			*at = time.Since(begin)
		})
	}
	other := (at.leader + 1) % f.cluster.Tablets()
	observe(func() bool { return f.moved(watch, coordinator, at) }, &s.visible)
	observe(func() bool { return f.moved(watch, other, at) }, &s.elsewhere)
	observe(func() bool { return f.answers(watch, at) }, &s.answers)
	for time.Since(begin) < d && ctx.Err() == nil {
		for kind, read := range reads {
			all.Go(func() { s.read(ctx, kind, read) }) // ends with its read
		}
		ring.Pause(ctx, min(readEvery, d-time.Since(begin)))
	}
	if err := f.cluster.Thaw(at.leader); err != nil {
		return err
	}
	s.thawed = time.Since(begin)
	all.Wait()
	figures := s.figures()
	f.freezes = append(f.freezes, figures)
	if over := max(figures.LookupOver, figures.ScanOver); over > slowFreeze.Seconds() {
		fmt.Fprintf(f.progress, "  a read took %.2fs longer than the new leader, which was named after %.2fs and answered after %.2fs:\n",
			over, s.visible.Seconds(), s.answers.Seconds())
		f.trace.print(f.progress, begin, s.visible-time.Second, s.visible+time.Duration(over*float64(time.Second)))
	}
	return nil
}

// answers reports whether another leader than the frozen one answers for its bucket.
func (f *faults) answers(ctx context.Context, at target) bool {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	db, name, _ := strings.Cut(f.log.KeyTable, ".")
	return f.moved(ctx, coordinator, at) && f.cluster.Answers(ctx, db, name, at.bucket) == nil
}

// readsOf are reads of one bucket: a lookup of one of its keys, and a scan, which goes over another connection.
func (f *faults) readsOf(ctx context.Context, bucket int) (map[string]func(context.Context) error, error) {
	ctx, cancel := context.WithTimeout(ctx, readBounds)
	defer cancel()
	var g, i int64
	scan := fmt.Sprintf("SELECT g, i FROM %s WHERE _bucket = %d LIMIT 1", f.log.KeyTable, bucket)
	lookup := fmt.Sprintf("SELECT g, i FROM %s WHERE g = ? AND i = ?", f.log.KeyTable)
	if err := f.db.QueryRowContext(ctx, scan).Scan(&g, &i); err != nil {
		return nil, fmt.Errorf("a key of bucket %d: %w", bucket, err)
	}
	one := func(query string, args ...any) func(context.Context) error {
		return func(ctx context.Context) error {
			err := f.db.QueryRowContext(ctx, query, args...).Scan(new(int64), new(int64))
			if errors.Is(err, sql.ErrNoRows) { // deleted meanwhile
				return nil
			}
			return err
		}
	}
	return map[string]func(context.Context) error{"lookup": one(lookup, g, i), "scan": one(scan)}, nil
}

// stall is what a freeze costs.
type stall struct {
	begin     time.Time
	visible   time.Duration // since begin, of the new leader at the coordinator; 0: none was seen
	elsewhere time.Duration // at a tablet server
	answers   time.Duration // since begin, of the new leader
	thawed    time.Duration

	mu    sync.Mutex
	spans []readSpan
}

// readSpan is one read, in time since the freeze.
type readSpan struct {
	kind       string
	begin, end time.Duration
	err        error
}

func (s *stall) read(ctx context.Context, kind string, read func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, readBounds)
	defer cancel()
	r := readSpan{kind: kind, begin: time.Since(s.begin)}
	r.err = read(ctx)
	r.end = time.Since(s.begin)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spans = append(s.spans, r)
}

// figures sums up. A read begun before the new leader was visible could not end earlier; what it took beyond that is the
// driver's. Where none was visible before the thaw, reads had to wait for that.
func (s *stall) figures() ring.Freeze {
	visible, answers := s.before(s.visible), s.before(max(s.visible, s.answers))
	out := ring.Freeze{
		Seconds: s.thawed.Seconds(), NewLeader: s.visible.Seconds(), NewLeaderTablet: s.elsewhere.Seconds(),
		NewLeaderAnswers: s.answers.Seconds(), Reads: len(s.spans),
	}
	for _, r := range s.spans {
		out.LongestRead = max(out.LongestRead, (r.end - r.begin).Seconds())
		over := (r.end - max(r.begin, visible)).Seconds()
		out.OverAnswer = max(out.OverAnswer, (r.end - max(r.begin, answers)).Seconds())
		switch r.kind {
		case "lookup":
			out.LookupOver = max(out.LookupOver, over)
		default:
			out.ScanOver = max(out.ScanOver, over)
		}
		if r.err != nil {
			out.Errors = append(out.Errors, strings.TrimSpace(r.kind+": "+r.err.Error()))
		}
	}
	return out
}

// before is a time, or that of the thaw where that came first.
func (s *stall) before(at time.Duration) time.Duration {
	if at == 0 || at > s.thawed {
		return s.thawed
	}
	return at
}
