package fluss

import (
	"context"
	"fmt"

	"github.com/gofluss/fluss/internal/route"
)

// txFlight is a batch of tx=stream that was sent.
type txFlight struct {
	write *route.PendingWrite
	op    *route.WriteOp
	size  int
}

// start sends a batch that is full. The writer keeps the order of a bucket's batches.
func (t *tx) start(op *route.WriteOp, size int) {
	t.held -= size
	if t.broken != nil {
		t.table(op.Table).count(op, op.Count, route.NotStored)
		return
	}
	write, err := t.c.c.client.StartWrite(op)
	if err != nil {
		t.landed(op)
		return
	}
	t.flight = append(t.flight, txFlight{write, op, size})
	t.flying += size
}

// landed counts a batch that has its outcome. One that is not stored breaks the transaction.
func (t *tx) landed(op *route.WriteOp) {
	t.table(op.Table).count(op, op.Count, op.Outcome)
	if op.Err != nil && t.broken == nil {
		t.broken = translate(op.Err, op.Table.Path.String())
	}
	*op = route.WriteOp{Records: op.Records[:0], Batch: op.Batch[:0]}
	if t.broken == nil && len(t.spare) < 64 {
		t.spare = append(t.spare, op)
	}
}

// first waits for the oldest batch under way. When ctx ends before, the batch goes on.
func (t *tx) first(ctx context.Context) error {
	f := t.flight[0]
	if err := f.write.Ready(ctx); err != nil {
		return err
	}
	t.flight[0] = txFlight{}
	t.flight = t.flight[1:]
	t.flying -= f.size
	t.landed(f.op)
	return nil
}

// streamRoom sees to it that half of tx_buffer_bytes is free for batches that fill, and waits while the other half is on
// its way.
func (t *tx) streamRoom(ctx context.Context) error {
	if t.held > t.limit/2 {
		t.flush()
	}
	return t.await(ctx, t.limit/2)
}

// await waits until no more than so many bytes are under way: for write_timeout at most, as its context may have no end.
func (t *tx) await(ctx context.Context, flying int) error {
	if t.flying <= flying {
		return t.broken
	}
	limit := t.c.c.cfg.WriteTimeout
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for t.flying > flying {
		err := t.first(bounded)
		switch {
		case err == nil:
		case ctx.Err() == nil:
			return &Error{Op: "write", Table: t.names(), Err: err,
				Message: fmt.Sprintf("batches that were sent before are not acknowledged after %v (write_timeout)", limit)}
		default:
			return err
		}
	}
	return t.broken
}

// flush sends what is buffered.
func (t *tx) flush() {
	for _, tab := range t.tables {
		tab.sealAll()
	}
}

// settle waits for all batches under way and gives them up when ctx ends.
func (t *tx) settle(ctx context.Context) error {
	for _, f := range t.flight {
		_ = f.write.Wait(ctx)
		t.landed(f.op)
	}
	t.flight, t.flying = nil, 0
	return t.broken
}

// drain makes everything written so far visible to reads: with tx=stream the server has it then.
func (t *tx) drain(ctx context.Context) error {
	if t == nil || !t.stream || len(t.tables) == 0 {
		return nil
	}
	t.flush()
	return t.await(ctx, 0)
}
