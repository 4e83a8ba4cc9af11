package route

import (
	"context"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Outcome says what became of the rows of a WriteOp.
type Outcome uint8

const (
	NotStored Outcome = iota // they are not stored, and never will be
	Stored                   // stored once, as far as acks asks
	Unknown                  // sent; stored or not, now or later, but never twice
)

// String is the outcome in messages.
func (o Outcome) String() string {
	switch o {
	case Stored:
		return "stored"
	case Unknown:
		return "unknown"
	}
	return "not stored"
}

// WriteOp is the rows of one statement for one bucket. Its rows are kept or lost together. The caller fills in
// the first group, leaves the op alone until Write returns, and then reads the second; by then nobody else
// holds the op or what it points to.
type WriteOp struct {
	Table     *catalog.Table
	Bucket    catalog.Bucket
	Target    []int32     // key tables: columns of a partial update, nil for whole rows
	Overwrite bool        // key tables: past the merge engine
	Records   []byte      // key tables: records made by record.AppendKVRecord with Table's schema
	Rows      []row.Datum // log tables: Count rows, one after the other, full width
	Batch     []byte      // log tables, instead of Rows: a finished batch of Count rows, which shares no frame entry
	Count     int         // rows; an op without rows is stored without being sent

	Outcome Outcome
	// Offset is, once Stored, the offset of the first row (log tables), or the end of the bucket's change log
	// after the batch (key tables). -1: the rows are proven stored, but the answer that told where is lost.
	Offset int64
	Err    error // nil only when Stored

	at opState
}

// opState is what the writer knows of an op. Guarded by writer.mu, except for ready before the op is queued.
type opState struct {
	wait  *writeWait  // nil: nobody waits for it, and the op must not be touched
	batch *writeBatch // nil: queued
	size  int         // bytes it stands for in batches and in the budget
	ready []byte      // log tables: its batch, encoded in advance, with a header to be stamped
	alone bool        // shares no batch: it was in one that was refused
}

// Write stores ops, in their order for each bucket, and returns when each has an outcome or ctx ends. Without
// a deadline in ctx that is after WriteTimeout at the latest. It returns nil when all ops are stored, else the
// error of the first that is not; each op tells its own. An op that was not sent when ctx ends is not stored;
// one that was is unknown, and goes on without its caller as DESIGN.md's "Writer" tells.
func (c *Client) Write(ctx context.Context, ops []*WriteOp) error {
	w, err := c.writes.writer(c)
	if err != nil {
		return refuseAll(ops, err)
	}
	return w.write(ctx, ops)
}

// writerConfig is the part of Config that concerns writes.
type writerConfig struct {
	acks           int32
	requestTimeout time.Duration
	writeTimeout   time.Duration
	maxInflight    int // bytes
	maxResponse    int // bytes
}

// writer is the part of a Client that writes. The state machine of a bucket is told at writeBucket, the sending
// at writeLane, what an answer proves at writeoutcome.go.
//
// One lock guards all of it, mu. It is never held while a batch is encoded, a frame is handed to a connection,
// or the cluster is asked. The order of locks is: mu, then Client.mu (spawn), and below that nothing.
type writer struct {
	cfg     writerConfig
	cluster writeCluster
	waits   sync.Pool // *writeWait

	mu       sync.Mutex
	unpinned sync.Cond // on mu: a batch some abandoned op waits for was encoded
	closing  bool      // Close waits for what is open
	closed   bool      // nothing is sent any more
	busy     int       // ops that somebody waits for, and open batches
	quiet    chan struct{}

	buckets map[catalog.Bucket]*writeBucket
	lanes   map[laneKey]*writeLane
	sweepAt int          // see sweepLanes
	kicked  []*writeLane // may have something to send
	frames  uint64       // made so far
	budget  writeBudget
	expiry  writeExpiry
	tables  map[catalog.TablePath]*encoderPool
}

func newWriter(cluster writeCluster, cfg writerConfig) *writer {
	w := &writer{
		cfg: cfg, cluster: cluster,
		buckets: map[catalog.Bucket]*writeBucket{},
		lanes:   map[laneKey]*writeLane{},
		tables:  map[catalog.TablePath]*encoderPool{},
		quiet:   make(chan struct{}),
	}
	w.unpinned.L = &w.mu
	w.budget.max = cfg.maxInflight
	return w
}

// writeWait is one Write call.
type writeWait struct {
	left  int           // ops without an outcome; guarded by writer.mu
	done  chan struct{} // capacity 1: left became 0
	timer *time.Timer   // of a call without deadline
	frame uint64        // number of the last frame with rows of it; guarded by writer.mu
}

func (w *writer) newWait(n int) *writeWait {
	if wait, ok := w.waits.Get().(*writeWait); ok {
		wait.left = n
		return wait
	}
	return &writeWait{left: n, done: make(chan struct{}, 1)}
}

func (w *writer) write(ctx context.Context, ops []*WriteOp) error {
	if len(ops) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return refuseAll(ops, err)
	}
	if err := w.prepareOps(ops); err != nil {
		return err
	}
	wait := w.newWait(len(ops))
	if !w.submit(ops, wait) {
		return refuseAll(ops, ErrClosed)
	}
	w.await(ctx, ops, wait)
	w.waits.Put(wait)
	for _, op := range ops {
		if op.Err != nil {
			return op.Err
		}
	}
	return nil
}

// submit queues ops and sends what may be sent. It reports false after Close.
func (w *writer) submit(ops []*WriteOp, wait *writeWait) bool {
	w.mu.Lock()
	if w.closing {
		w.mu.Unlock()
		return false
	}
	w.busy += len(ops)
	var last *writeLane
	for _, op := range ops {
		op.Outcome, op.Err, op.Offset = NotStored, nil, -1
		op.at.wait, op.at.batch, op.at.alone = wait, nil, false
		if op.Count == 0 {
			w.finish(op, Stored, -1, nil)
			continue
		}
		b := w.bucketOf(op)
		b.queue = append(b.queue, op)
		b.queued += op.at.size
		b.live++
		w.stir(b)
		if b.lane != nil && b.lane != last {
			last = b.lane
			last.gather.arrived()
		}
	}
	w.run()
	w.mu.Unlock()
	return true
}

// await returns when all ops have an outcome; it gives them one when ctx, or without a deadline WriteTimeout,
// ends first.
func (w *writer) await(ctx context.Context, ops []*WriteOp, wait *writeWait) {
	var expired <-chan time.Time
	if _, ok := ctx.Deadline(); !ok {
		if wait.timer == nil {
			wait.timer = time.NewTimer(w.cfg.writeTimeout)
		} else {
			wait.timer.Reset(w.cfg.writeTimeout)
		}
		defer wait.timer.Stop()
		expired = wait.timer.C
	}
	cause := error(&WriteTimeoutError{After: w.cfg.writeTimeout})
	select {
	case <-wait.done:
		return
	case <-ctx.Done():
		cause = ctx.Err()
	case <-expired:
		w.abandon(ops, wait, cause, true)
		wait.timer.Reset(min(w.cfg.writeTimeout/4, time.Second)) // batches end by themselves, a moment after their callers
		select {
		case <-wait.done:
			return
		case <-ctx.Done():
		case <-expired:
		}
	}
	w.abandon(ops, wait, cause, false)
	<-wait.done
}

// abandon takes ops without an outcome away from the writer, because their caller gives up: those in a queue, or all.
func (w *writer) abandon(ops []*WriteOp, wait *writeWait, cause error, queued bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, op := range ops {
		for op.at.wait == wait && op.at.batch != nil && op.at.batch.pinned {
			w.unpinned.Wait() // its rows are being read; that takes no longer than encoding them
		}
		if op.at.wait != wait || queued && op.at.batch != nil {
			continue
		}
		b := w.buckets[op.Bucket]
		if t := op.at.batch; t == nil || w.withdraw(t) {
			b.unqueue(op)
			w.finish(op, NotStored, -1, b.whyWaiting(cause))
		} else {
			b = t.bucket
			t.forget(op)
			w.finish(op, Unknown, -1, &UnknownWriteError{Cause: cause, Last: t.last})
		}
		b.live--
		w.unwatch(b)
		w.stir(b)
	}
	w.run()
}

// finish gives an op its outcome, tells its caller, and lets go of the op. The caller counts live.
func (w *writer) finish(op *WriteOp, o Outcome, offset int64, err error) {
	wait := op.at.wait
	op.Outcome, op.Offset, op.Err = o, offset, err
	op.at.wait, op.at.batch, op.at.ready = nil, nil, nil
	w.lessBusy()
	if wait.left--; wait.left == 0 {
		wait.done <- struct{}{} // has room: one Write at a time uses it
	}
}

// bucketOf returns the state of an op's bucket. An op of a newer schema version brings the newer table.
func (w *writer) bucketOf(op *WriteOp) *writeBucket {
	b := w.buckets[op.Bucket]
	if b == nil {
		b = &writeBucket{key: op.Bucket, kv: op.Table.IsKeyTable(), id: -1}
		w.buckets[op.Bucket] = b
	}
	b.table = op.Table
	return b
}

// refuseAll marks ops as not stored, and not sent.
func refuseAll(ops []*WriteOp, err error) error {
	for _, op := range ops {
		op.Outcome, op.Offset, op.Err = NotStored, -1, err
	}
	return err
}
