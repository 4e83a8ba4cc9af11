package fluss

import (
	"context"
	"fmt"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
)

// txBatchBytes is where the rows of one bucket are cut into a further batch.
const txBatchBytes = 1 << 20

// txTable is what a transaction writes to one table.
type txTable struct {
	tx     *tx
	table  *catalog.Table
	layout *layout
	open   map[catalog.Bucket]*txBatch
	sticky int32   // log tables without a bucket key: the bucket until its batch is full; -1: none yet
	index  txIndex // nil: nobody asked for a row by key yet

	outcomes map[catalog.Bucket]*BucketOutcome
	order    []catalog.Bucket
}

// txBatch is the batch that a bucket's next row joins.
type txBatch struct {
	op     *route.WriteOp
	layout *layout
	enc    *record.LogEncoder // log tables: holds the rows until the batch is full
	size   int
}

// table returns the part of a table, which may have been altered since.
func (t *tx) table(ct *catalog.Table) *txTable {
	for _, tab := range t.tables {
		if tab.table.ID == ct.ID {
			return tab
		}
	}
	return nil
}

// wrote returns the part of a table that has rows in the buffer, or nil.
func (t *tx) wrote(ct *catalog.Table) *txTable {
	if t == nil {
		return nil
	}
	for _, op := range t.ops {
		if op.Count > 0 && op.Table.ID == ct.ID {
			return t.table(ct)
		}
	}
	return nil
}

func (t *tx) tableOf(l *layout) *txTable {
	tab := t.table(l.table)
	if tab == nil {
		tab = &txTable{tx: t, open: map[catalog.Bucket]*txBatch{}, sticky: -1, outcomes: map[catalog.Bucket]*BucketOutcome{}}
		t.tables = append(t.tables, tab)
	}
	tab.table, tab.layout = l.table, l
	return tab
}

// take moves the rows of a statement, which were all checked, into the buffer: all or none.
func (t *tx) take(ctx context.Context, w *writeSet) error {
	size := 0
	for _, op := range w.ops {
		size += heldBytes(op)
	}
	if err := t.room(ctx, w.table, size); err != nil {
		return err
	}
	tab := t.tableOf(w.layout)
	for _, op := range w.ops {
		if err := tab.add(op); err != nil {
			return err
		}
	}
	return t.broken
}

// heldBytes is about what the rows of an op take until they are sent.
func heldBytes(op *route.WriteOp) int { return len(op.Records) + len(op.Batch) + rowSize(op.Rows) }

// add moves the rows of one op.
func (tab *txTable) add(op *route.WriteOp) error {
	if op.Batch != nil {
		tab.seal(op.Bucket)
		tab.tx.hold(&route.WriteOp{Table: op.Table, Bucket: op.Bucket, Batch: op.Batch, Count: op.Count}, len(op.Batch))
		return nil
	}
	b, err := tab.batch(op)
	if err != nil {
		return err
	}
	if b.enc != nil {
		width := len(op.Rows) / op.Count
		for i := range op.Count {
			if err := b.enc.Append(op.Rows[i*width : (i+1)*width]); err != nil {
				return err
			}
			b.op.Count++
		}
	} else {
		b.op.Records = append(b.op.Records, op.Records...)
		b.op.Count += op.Count
		if tab.index != nil {
			if err := tab.note(op); err != nil {
				return err
			}
		}
	}
	size := heldBytes(op)
	b.size += size
	tab.tx.held += size
	if b.size >= txBatchBytes {
		tab.seal(op.Bucket)
	}
	return nil
}

// batch returns the batch that the rows of op join.
func (tab *txTable) batch(op *route.WriteOp) (*txBatch, error) {
	b := tab.open[op.Bucket]
	if b != nil && b.op.Table == op.Table && b.op.Overwrite == op.Overwrite && slices.Equal(b.op.Target, op.Target) {
		return b, nil
	}
	tab.seal(op.Bucket)
	b = &txBatch{op: tab.tx.newOp(op.Table.IsKeyTable()), layout: tab.layout}
	b.op.Table, b.op.Bucket, b.op.Target, b.op.Overwrite = op.Table, op.Bucket, op.Target, op.Overwrite
	if !op.Table.IsKeyTable() {
		var err error
		if b.enc, err = tab.layout.encoder(); err != nil {
			return nil, err
		}
	}
	tab.open[op.Bucket] = b
	if !tab.tx.stream {
		tab.tx.ops = append(tab.tx.ops, b.op)
	}
	return b, nil
}

// newOp returns an op without rows, with the memory of one that was stored where there is one.
func (t *tx) newOp(key bool) *route.WriteOp {
	n := len(t.spare)
	if n == 0 {
		return &route.WriteOp{}
	}
	op := t.spare[n-1]
	t.spare = t.spare[:n-1]
	if key {
		op.Batch = nil
	} else {
		op.Records = nil
	}
	return op
}

// hold adds an op that takes no further row.
func (t *tx) hold(op *route.WriteOp, size int) {
	t.held += size
	if t.stream {
		t.start(op, size)
	} else {
		t.ops = append(t.ops, op)
	}
}

// seal ends the batch of a bucket. With tx=stream it is sent.
func (tab *txTable) seal(bucket catalog.Bucket) {
	b := tab.open[bucket]
	if b == nil {
		return
	}
	delete(tab.open, bucket)
	tab.sticky = -1
	if b.enc != nil {
		b.op.Batch = b.enc.Finish(b.op.Batch[:0], record.LogHeader{WriterID: -1, Sequence: -1, LeaderEpoch: -1})
		tab.drop(b)
		tab.tx.held += len(b.op.Batch) - b.size
		b.size = len(b.op.Batch)
	}
	if tab.tx.stream {
		tab.tx.start(b.op, b.size)
	}
}

func (tab *txTable) sealAll() {
	for bucket := range tab.open {
		tab.seal(bucket)
	}
}

// drop gives the encoder of a batch back.
func (tab *txTable) drop(b *txBatch) {
	if b.enc != nil {
		b.layout.encoderDone(b.enc)
		b.enc = nil
	}
}

// stickyBucket is the bucket for rows of a log table without a bucket key: one per statement, in a transaction one per
// batch.
func (c *conn) stickyBucket(l *layout) int32 {
	if c.tx == nil {
		return c.c.client.NextStickyBucket(l.table)
	}
	tab := c.tx.tableOf(l)
	if tab.sticky < 0 {
		tab.sticky = c.c.client.NextStickyBucket(l.table)
	}
	return tab.sticky
}

// room makes room for the rows of a statement, or refuses them.
func (t *tx) room(ctx context.Context, table *catalog.Table, size int) error {
	if t.stream {
		return t.streamRoom(ctx)
	}
	if t.held+size <= t.limit {
		return nil
	}
	return &Error{Op: "write", Table: table.Path.String(), kind: ErrTooLarge,
		Message: fmt.Sprintf("the transaction holds %d bytes and this statement has %d more, over the limit of %d (tx_buffer_bytes): its rows were not taken; commit in parts, or use tx=stream", t.held, size, t.limit)}
}

// count notes what became of rows.
func (tab *txTable) count(op *route.WriteOp, rows int, o route.Outcome) {
	if rows == 0 {
		return
	}
	sum := tab.outcomes[op.Bucket]
	if sum == nil {
		sum = &BucketOutcome{Partition: partitionName(tab.tx.c, op.Table, op.Bucket), Bucket: op.Bucket.ID}
		tab.outcomes[op.Bucket] = sum
		tab.order = append(tab.order, op.Bucket)
	}
	switch o {
	case route.Stored:
		sum.Stored += rows
	case route.Unknown:
		sum.Unknown += rows
	default:
		sum.NotStored += rows
	}
}

// result lists the buckets in the order of partitions and numbers.
func (tab *txTable) result() TableOutcome {
	slices.SortFunc(tab.order, func(a, b catalog.Bucket) int {
		if a.PartitionID != b.PartitionID {
			return int(min(max(a.PartitionID-b.PartitionID, -1), 1))
		}
		return int(a.ID - b.ID)
	})
	out := TableOutcome{Table: tab.table.Path.String()}
	for _, b := range tab.order {
		out.Buckets = append(out.Buckets, *tab.outcomes[b])
	}
	return out
}
