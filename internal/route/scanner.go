package route

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// ScanRange is what a scan reads of one bucket: offsets from Start, to End (exclusive), or for ever when End is -1. A range
// with Until also ends in front of the first batch that was committed at that time or later, in milliseconds since the
// epoch; 0 is no time. That loses nothing: a leader never stamps a batch with less than the newest one has, its own
// or that of the leader before it (LogTablet.append). LIST_OFFSETS by timestamp would, as its answer for tiered
// segments is that of a sparse index: an offset from which on such a batch comes some time (RemoteLogIndexCache). For the
// same reason a range with Since begins with the first batch that was committed at that time or later.
type ScanRange struct {
	Bucket       catalog.Bucket
	Start, End   int64
	Since, Until int64
}

// ScanSpec describes a scan of a table's log. Projection names the wanted columns by position, ascending and
// without repeats; nil for all. It is dropped for tables whose log format cannot be projected. Follow lets the
// server wait a moment when there is nothing to read; ranges without End imply it. A scan that is Open takes more ranges
// by Add and goes on when it has none; ranges of a partition that is dropped end like others.
type ScanSpec struct {
	Table      *catalog.Table
	Ranges     []ScanRange
	Projection []int
	Follow     bool
	Open       bool
}

// Chunk is a run of whole batches of one bucket. Of the first and the last of them only the records with offsets
// in [Start, End) are wanted. Records is the caller's, for as long as it likes, and shares its memory with other
// chunks. Projected tells whether the batches have only the columns of the projection.
type Chunk struct {
	Bucket     catalog.Bucket
	Start, End int64
	Records    []byte
	Projected  bool
}

const (
	fetchBytes     = 16 << 20 // of one answer
	laneBytes      = 1 << 20  // of one bucket in it, at first
	maxLaneBytes   = 4 << 20  // of one bucket in it, when it has much and others do not need the room
	prefetchBytes  = 32 << 20 // buffered and on the way, for one scan
	fetchesPerNode = 2        // on the way to one server, for one scan
	idleWait       = 50 * time.Millisecond
)

// Scanner reads the logs of some buckets. One goroutine uses it at a time; answers come in on the connections'
// read loops, where the next fetch is sent too, so it needs no goroutine of its own.
//
// A bucket (lane) is in at most one fetch, and its next offset moves only when an answer to that fetch is taken:
// whatever fails, and however late an answer comes, there is no gap and nothing comes twice.
type Scanner struct {
	c          *Client
	table      *catalog.Table
	state      *tableState
	projection []int32
	follow     bool
	open       bool
	limit      int // of bytes buffered and on the way

	wake chan struct{} // capacity 1: something came in

	mu       sync.Mutex
	lanes    []*lane // those not done
	ready    []delivery
	buffered int           // bytes in ready
	reserved int           // bytes that the fetches on the way may bring
	underWay map[int32]int // fetches by server
	turn     int           // the lane whose turn it is
	last     error         // what went wrong last
	closed   bool
	err      error // what Next returned and goes on returning
}

// lane is one bucket of a scan.
type lane struct {
	bucket catalog.Bucket
	span
	maxBytes    int32
	fetching    bool
	done        bool // nothing is left to fetch: at the end, or failed
	alone       bool // shares no fetch: its batch did not fit
	cut         int  // answers in a row with only a part of a batch
	empty       int  // answers in a row with nothing
	unprojected bool // the projection failed on old batches
	outOfRange  int  // answers in a row that its offset is not in the log
	notBefore   time.Time
	refresh     *flight[struct{}] // for a leader
	awaits      landing           // signals when it lands
	remote      *remoteReader     // reading tiered segments
}

// delivery is a chunk for Next, or a lane's error, or an errand that may block.
type delivery struct {
	chunk  Chunk
	err    error
	errand func(ctx context.Context) error
}

// Scan starts a scan. It does not wait for anything.
func (c *Client) Scan(_ context.Context, spec ScanSpec) (*Scanner, error) {
	s := &Scanner{
		c: c, table: spec.Table, state: c.state(spec.Table), follow: spec.Follow, open: spec.Open,
		limit: min(prefetchBytes, c.cfg.MaxScanBytes/2), wake: make(chan struct{}, 1), underWay: map[int32]int{},
	}
	if spec.Table.LogFormat == catalog.LogArrow {
		for _, column := range spec.Projection {
			s.projection = append(s.projection, int32(column))
		}
	}
	if err := s.Add(spec.Ranges); err != nil {
		return nil, err
	}
	return s, nil
}

// Add adds ranges of further buckets. It may be called beside Next, and by any goroutine.
func (s *Scanner) Add(ranges []ScanRange) error {
	for _, r := range ranges {
		if r.Start < 0 || r.Bucket.ID < 0 || int(r.Bucket.ID) >= s.table.BucketCount {
			return fmt.Errorf("%s: cannot scan from offset %d", place(s.table.Path, r.Bucket), r.Start)
		}
	}
	s.mu.Lock()
	if s.over() {
		s.mu.Unlock()
		return nil
	}
	for _, r := range ranges {
		l := &lane{bucket: r.Bucket, span: span{r.Start, r.End, r.Since, math.MaxInt64}, maxBytes: s.laneBytes()}
		if r.Until != 0 {
			l.until = r.Until
		}
		if r.End < 0 {
			if l.end = math.MaxInt64; !s.follow {
				s.follow = true
			}
		}
		if l.next < l.end {
			s.lanes = append(s.lanes, l)
			if _, ok := s.state.leader(l.bucket); !ok {
				s.state.want(l.bucket.PartitionID) // one refresh asks for all partitions
			}
		}
	}
	p := s.plan(time.Now())
	s.mu.Unlock()
	p.start()
	s.signal()
	return nil
}

// Fail ends the scan with an error, behind what it has delivered. Like Add it may be called by any goroutine.
func (s *Scanner) Fail(err error) {
	s.mu.Lock()
	if !s.over() {
		s.ready = append(s.ready, delivery{err: err})
	}
	s.mu.Unlock()
	s.signal()
}

// answerBytes is the cap of one answer.
func (s *Scanner) answerBytes() int {
	return max(min(fetchBytes, s.c.cfg.MaxResponseBytes/2, s.limit/2), 1)
}

func (s *Scanner) laneBytes() int32 { return int32(min(laneBytes, s.answerBytes())) }

// Next returns the next chunk, in order within a bucket. At the end of all ranges it returns io.EOF. An error of
// one bucket comes after what could be read before it, and ends the scan. When ctx ends the scan can go on with
// another Next.
func (s *Scanner) Next(ctx context.Context) (Chunk, error) {
	if !s.follow {
		var cancel context.CancelFunc
		ctx, cancel = s.c.bounded(ctx)
		defer cancel()
	}
	for {
		s.mu.Lock()
		if s.err != nil || s.closed {
			defer s.mu.Unlock()
			return Chunk{}, s.ended()
		}
		d, ok := s.pop()
		p := s.plan(time.Now())
		idle := !ok && len(s.lanes) == 0 && !s.open
		s.mu.Unlock()
		p.start()
		switch {
		case idle:
			return Chunk{}, s.end(io.EOF)
		case !ok:
			if err := s.await(ctx, &p); err != nil {
				return Chunk{}, err
			}
		case d.err != nil:
			return Chunk{}, s.end(d.err)
		case d.errand != nil:
			if err := d.errand(ctx); err != nil {
				if ctx.Err() != nil {
					return Chunk{}, err
				}
				return Chunk{}, s.end(err)
			}
		default:
			return d.chunk, nil
		}
	}
}

// TryNext is Next that does not wait: it returns io.EOF when no chunk is there yet, be it for an error that Next will tell.
func (s *Scanner) TryNext(context.Context) (Chunk, error) {
	s.mu.Lock()
	if s.over() || len(s.ready) == 0 || s.ready[0].err != nil || s.ready[0].errand != nil {
		s.mu.Unlock()
		return Chunk{}, io.EOF
	}
	d, _ := s.pop()
	p := s.plan(time.Now())
	s.mu.Unlock()
	p.start()
	return d.chunk, nil
}

// pop takes the first delivery. An errand stays at the front until it is done: its context may end before.
func (s *Scanner) pop() (d delivery, ok bool) {
	if len(s.ready) == 0 {
		return d, false
	}
	d = s.ready[0]
	if d.errand == nil {
		s.drop()
	}
	return d, true
}

// drop removes the first delivery.
func (s *Scanner) drop() {
	s.buffered -= len(s.ready[0].chunk.Records)
	s.ready[0] = delivery{}
	s.ready = s.ready[1:]
}

// await waits until something comes in or can be tried again.
func (s *Scanner) await(ctx context.Context, p *scanPlan) error {
	var timer <-chan time.Time
	if !p.at.IsZero() {
		t := time.NewTimer(time.Until(p.at))
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-s.wake:
	case <-timer:
	case <-ctx.Done():
		return s.interrupted(ctx)
	}
	return nil
}

func (s *Scanner) interrupted(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := "the log of table " + s.table.Path.String()
	if len(s.lanes) > 0 {
		l := s.lanes[0]
		what = fmt.Sprintf("offset %d of %s", l.next, place(s.table.Path, l.bucket))
		if l.refresh != nil {
			what = "a leader of " + place(s.table.Path, l.bucket)
		}
	}
	return &WaitError{For: what, Err: ctx.Err(), Last: s.last}
}

// end makes err the outcome of this and every further Next, and lets go of everything.
func (s *Scanner) end(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	s.release()
	return err
}

func (s *Scanner) ended() error {
	if s.err != nil {
		return s.err
	}
	return errScanClosed
}

var errScanClosed = fmt.Errorf("scan is closed")

// Close ends the scan. Answers still on the way are dropped when they come.
func (s *Scanner) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.release()
}

func (s *Scanner) release() {
	for _, l := range s.lanes {
		if l.remote != nil {
			l.remote.close()
		}
	}
	s.lanes, s.ready, s.buffered = nil, nil, 0
}

// fail ends a lane with an error, behind what it has delivered. An open scan does without partitions that are dropped.
func (s *Scanner) fail(l *lane, err error) {
	l.done = true
	if s.open && hasCode(err, wire.CodePartitionNotExists) && s.state.isGone(l.bucket.PartitionID) {
		s.c.cfg.Logger.Debug("fluss: partition dropped under a scan", "bucket", place(s.table.Path, l.bucket))
		return
	}
	s.ready = append(s.ready, delivery{err: err})
}

// signal wakes Next.
func (s *Scanner) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// over reports whether the scan is over, so that an answer is of no use.
func (s *Scanner) over() bool { return s.closed || s.err != nil }

// pauseLane lets a lane rest: an answer said that only time helps.
func (l *lane) pauseLane(d time.Duration) { l.notBefore = time.Now().Add(d) }
