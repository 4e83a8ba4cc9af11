package fluss

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

const (
	// maxOpBytes is where the rows of one bucket are cut into a further batch.
	maxOpBytes = 2 << 20
	// maxFrameBytes is a little below what a server takes as one request (netty.server.max-request-size).
	maxFrameBytes = 100<<20 - 64<<10
	// rowOverhead is more than what an answer adds to a row's bytes.
	rowOverhead = 1 << 10
)

// writeSet collects the rows of one statement by bucket. Nothing is sent before send.
type writeSet struct {
	conn      *conn
	layout    *layout
	table     *catalog.Table
	target    []int32
	overwrite bool
	ops       []*route.WriteOp
	open      map[catalog.Bucket]*opInHand
	bulk      bool       // log tables: rows are encoded at once, into batches of their own
	tracked   bool       // keep places
	places    []rowPlace // log tables: where each row went, in the order of the statement
	probe     *record.LogEncoder
	row       int // the row at hand, as errors name it
	expected  int // key tables without partitions: rows of the statement; otherwise 0
	spare     []*opInHand
}

// bulkRows is from how many rows on a statement on a log table fills batches of its own. The rows of smaller ones are
// kept until they are sent, so that they can share a batch with those of other callers.
const bulkRows = 64

// opInHand is the batch that a bucket's next row joins.
type opInHand struct {
	*route.WriteOp
	size int
	enc  *record.LogEncoder // bulk: holds the rows until the batch is full
}

// seal makes the batch of an encoder's rows.
func (o *opInHand) seal(l *layout) {
	if o == nil || o.enc == nil {
		return
	}
	o.Batch = o.enc.Finish(nil, record.LogHeader{WriterID: -1, Sequence: -1, LeaderEpoch: -1})
	l.encoderDone(o.enc)
	o.enc = nil
}

type rowPlace struct {
	op    *route.WriteOp
	index int
}

func newWriteSet(c *conn, l *layout, target []int32, overwrite bool) *writeSet {
	if c.tx != nil {
		return c.tx.staged(l, target, overwrite)
	}
	return &writeSet{conn: c, layout: l, table: l.table, target: target, overwrite: overwrite, open: map[catalog.Bucket]*opInHand{}}
}

func bucketOfTable(t *catalog.Table) catalog.Bucket {
	return catalog.Bucket{TableID: t.ID, PartitionID: catalog.NoPartition}
}

// op returns the batch of a bucket that size more bytes go to.
func (w *writeSet) op(b catalog.Bucket, size int) *opInHand {
	o := w.open[b]
	if o == nil || o.size > 0 && o.size+size > maxOpBytes {
		o.seal(w.layout)
		if n := len(w.spare); n > 0 {
			o, w.spare = w.spare[n-1], w.spare[:n-1]
		} else {
			o = &opInHand{WriteOp: &route.WriteOp{}}
		}
		o.Table, o.Bucket, o.Target, o.Overwrite = w.table, b, w.target, w.overwrite
		w.open[b] = o
		w.ops = append(w.ops, o.WriteOp)
	}
	o.size += size
	o.Count++
	return o
}

// upsert adds a row of a key table. key and v are copied.
func (w *writeSet) upsert(b catalog.Bucket, key []byte, v []row.Datum) error {
	if err := w.layout.codec.Check(v); err != nil {
		return err
	}
	if err := w.representable(v); err != nil {
		return err
	}
	c := w.conn
	c.value = w.layout.codec.Append(c.value[:0], v)
	size := len(key) + len(c.value) + 16
	if err := w.fits(size); err != nil {
		return err
	}
	op := w.op(b, size)
	if op.Records == nil && w.expected >= bulkRows {
		op.Records = make([]byte, 0, w.share(size))
	}
	op.Records = record.AppendKVRecord(op.Records, key, c.value)
	return nil
}

// share is about what the rows of one bucket take, if all rows of the statement are as large as one of size bytes and the
// buckets get equally many.
func (w *writeSet) share(size int) int {
	rows := w.expected/max(w.table.BucketCount, 1) + 1
	return min(size*(rows+rows/8), maxOpBytes)
}

// delete adds the deletion of a key.
func (w *writeSet) delete(b catalog.Bucket, key []byte) error {
	op := w.op(b, len(key)+16)
	op.Records = record.AppendKVRecord(op.Records, key, nil)
	return nil
}

// append adds a row of a log table. Unless in bulk the datums are copied, but not the bytes that they point at.
func (w *writeSet) append(b catalog.Bucket, v []row.Datum) error {
	size := rowSize(v)
	if err := w.fits(size); err != nil {
		return err
	}
	if w.bulk {
		return w.encode(b, size, v)
	}
	if err := w.representable(v); err != nil {
		return err
	}
	op := w.op(b, size)
	op.Rows = append(op.Rows, v...)
	w.track(op)
	return nil
}

// encode adds a row to the batch of its bucket.
func (w *writeSet) encode(b catalog.Bucket, size int, v []row.Datum) error {
	op := w.op(b, size)
	var err error
	if op.enc == nil {
		op.enc, err = w.layout.encoder()
	}
	if err == nil {
		err = op.enc.Append(v)
	}
	if err != nil {
		op.Count, op.size = op.Count-1, op.size-size // it is in no batch
		return w.refused(err)
	}
	w.track(op)
	return nil
}

func (w *writeSet) track(op *opInHand) {
	if w.tracked {
		w.places = append(w.places, rowPlace{op.WriteOp, op.Count - 1})
	}
}

// drop gives back what a statement that fails leaves behind.
func (w *writeSet) drop() {
	for _, o := range w.open {
		if o.enc != nil {
			w.layout.encoderDone(o.enc)
			o.enc = nil
		}
	}
}

// representable tries a row on the log format, where that has no room for some values that the columns allow. For a key
// table it is the change log that would not hold what the row says: the server wraps such a timestamp around.
func (w *writeSet) representable(v []row.Datum) error {
	if !w.layout.trial {
		return nil
	}
	if w.probe == nil {
		var err error
		if w.probe, err = record.NewLogEncoder(w.table); err != nil {
			return err
		}
	}
	defer w.probe.Reset()
	return w.refused(w.probe.Append(v))
}

// refused puts the row into the words of a value that the log format cannot hold.
func (w *writeSet) refused(err error) error {
	if refused, ok := errors.AsType[*record.ValueError](err); ok {
		return &plan.ValueError{Table: w.table.Path.String(), Column: refused.Column, Row: w.row, Err: errors.New(refused.Reason)}
	}
	return err
}

// rowSize is about what a row takes in a log batch.
func rowSize(v []row.Datum) int {
	n := 8 * len(v)
	for i := range v {
		n += len(v[i].B)
		if v[i].L != nil {
			n += rowSize(v[i].L)
		}
	}
	return n
}

// fits refuses a row that a server would refuse, or that could not be read back.
func (w *writeSet) fits(size int) error {
	limit := min(w.conn.c.cfg.MaxResponseBytes, maxFrameBytes) - rowOverhead
	if int64(size) <= limit {
		return nil
	}
	return &Error{Op: "write", Table: w.table.Path.String(), kind: ErrTooLarge,
		Message: fmt.Sprintf("a row of %d bytes is over the limit of %d bytes (max_response_bytes, and 100 MiB of the server)", size, limit)}
}

// send writes everything and waits for the acknowledgements; in a transaction it only hands the rows to its buffer.
func (w *writeSet) send(ctx context.Context) error {
	if len(w.ops) == 0 {
		return nil
	}
	for _, o := range w.open {
		o.seal(w.layout)
	}
	if w.conn.tx != nil {
		return w.conn.tx.take(ctx, w)
	}
	err := w.conn.c.client.Write(ctx, w.ops)
	w.remember()
	if err == nil {
		return nil
	}
	return w.failure(err)
}

// remember keeps where the rows went, for LastWrite.
func (w *writeSet) remember() {
	c := w.conn
	c.last, c.wrote = WriteResult{Table: w.table.Path.String()}, true
	for _, op := range w.ops {
		if op.Outcome == route.Stored {
			c.last.Buckets = append(c.last.Buckets, BucketWrite{Partition: w.partitionName(op), Bucket: op.Bucket.ID, Offset: op.Offset, Rows: op.Count})
		}
	}
}

func (w *writeSet) partitionName(op *route.WriteOp) string {
	return partitionName(w.conn, w.table, op.Bucket)
}

func partitionName(c *conn, t *catalog.Table, b catalog.Bucket) string {
	if b.PartitionID == catalog.NoPartition {
		return ""
	}
	return c.c.client.PartitionName(t, b.PartitionID)
}

// failure tells what became of the rows. Where nothing was stored and nothing is unknown it is the cause alone.
func (w *writeSet) failure(cause error) error {
	var list []BucketOutcome
	stored, unknown := 0, 0
	for _, op := range w.ops {
		o := BucketOutcome{Partition: w.partitionName(op), Bucket: op.Bucket.ID}
		i := slices.IndexFunc(list, func(x BucketOutcome) bool { return x.Partition == o.Partition && x.Bucket == o.Bucket })
		if i < 0 {
			i, list = len(list), append(list, o)
		}
		switch op.Outcome {
		case route.Stored:
			list[i].Stored += op.Count
			stored += op.Count
		case route.Unknown:
			list[i].Unknown += op.Count
			unknown += op.Count
		default:
			list[i].NotStored += op.Count
		}
	}
	if stored == 0 && unknown == 0 {
		return cause
	}
	table := w.table.Path.String()
	cause = translate(cause, table)
	if unknown > 0 {
		return &AmbiguousWriteError{Table: table, Buckets: list, Cause: cause}
	}
	return &PartialWriteError{Table: table, Buckets: list, Cause: cause}
}
