package fluss

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"log/slog"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/route"
)

// tx is a transaction as far as Fluss lets there be one: a buffer of writes. With tx=batch nothing leaves before Commit;
// with tx=stream full batches leave while the next fill, and nothing can take them back. What it is not: atomic over
// more than one batch of a bucket, or isolated from anybody.
//
// It is used by one goroutine at a time, as database/sql has it.
type tx struct {
	c        *conn
	ctx      context.Context // of BeginTx: Commit has none of its own
	readOnly bool
	stream   bool
	limit    int // tx_buffer_bytes

	tables []*txTable // in the order in which they were first written
	stage  *writeSet  // of the statement at hand, kept for the next
	ops    []*route.WriteOp
	held   int // bytes buffered and not sent
	flight []txFlight
	flying int // bytes of flight
	spare  []*route.WriteOp
	broken error // with tx=stream: what a batch ended with
}

var _ driver.Tx = (*tx)(nil)

// Begin is BeginTx without a context.
func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx starts to buffer writes. ctx also bounds Commit.
func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	switch {
	case c.c.cfg.Tx == "off":
		return nil, &UnsupportedError{Feature: "BeginTx", Reason: "Fluss has no transactions, and tx=off asks not to buffer writes instead",
			Hint: "run the statements without one, or set tx=batch or tx=stream"}
	case o.Isolation != driver.IsolationLevel(sql.LevelDefault):
		return nil, &UnsupportedError{Feature: "isolation level " + sql.IsolationLevel(o.Isolation).String(),
			Reason: "Fluss has no transactions: writes are buffered until Commit, and reads see what others write meanwhile", Hint: "use the default level"}
	case c.tx != nil:
		return nil, errors.New("fluss: this connection is in a transaction already")
	}
	c.tx = &tx{c: c, ctx: ctx, readOnly: o.ReadOnly, stream: c.c.cfg.Tx == "stream", limit: int(c.c.cfg.TxBufferBytes)}
	return c.tx, nil
}

func refuseTxText() error {
	return &UnsupportedError{Feature: "BEGIN, COMMIT and ROLLBACK as text", Reason: "database/sql may run each text on another connection",
		Hint: "use db.BeginTx, and Commit and Rollback of what it returns"}
}

// mayWrite refuses writes in a read-only transaction, and those behind a batch that was not stored.
func (c *conn) mayWrite() error {
	switch {
	case c.tx == nil:
		return nil
	case c.tx.readOnly:
		return &UnsupportedError{Feature: "writing in a read-only transaction", Hint: "begin one without sql.TxOptions.ReadOnly"}
	}
	return c.tx.broken
}

// Commit sends everything and waits for the acknowledgements, under the context given to BeginTx and write_timeout. When
// it fails, parts may be stored: the error says which, and so does LastTx.
func (t *tx) Commit() error {
	t.c.tx = nil
	cause := t.broken
	if t.stream {
		if cause == nil {
			t.flush()
			cause = t.settle(t.ctx)
		}
	} else if len(t.ops) > 0 {
		for _, tab := range t.tables {
			tab.sealAll()
		}
		cause = t.c.c.client.Write(t.ctx, t.ops)
		t.remember()
	}
	if r := t.end(); cause != nil {
		return t.report("commit", r.err(translate(cause, t.names())), r)
	}
	return nil
}

// errRolledBack is the cause of what Rollback reports.
var errRolledBack = errors.New("rolled back, but tx=stream had sent rows, which nothing takes back")

// rollbackGrace is how long past the end of BeginTx's context a Rollback waits for answers.
const rollbackGrace = 500 * time.Millisecond

// Rollback drops what was not sent. With tx=stream, where some rows are stored already, it fails and says how many.
func (t *tx) Rollback() error {
	t.c.tx = nil
	if len(t.flight) > 0 {
		// The answers under way make the counts exact. Where BeginTx's context has ended somebody may wait for this.
		limit := t.c.c.cfg.AttemptTimeout
		if t.ctx.Err() != nil {
			limit = min(limit, rollbackGrace)
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), limit)
		defer cancel()
		_ = t.settle(ctx)
	}
	r := t.end()
	if n := r.count(); n.Stored == 0 && n.Unknown == 0 {
		return nil
	}
	return t.report("rollback", r.err(errRolledBack), r)
}

// end counts what became of the rows and lets go of everything.
func (t *tx) end() *TxResult {
	for _, tab := range t.tables {
		for _, b := range tab.open {
			if t.stream {
				tab.count(b.op, b.op.Count, route.NotStored)
			}
			tab.drop(b)
		}
	}
	if !t.stream {
		for _, op := range t.ops {
			t.table(op.Table).count(op, op.Count, op.Outcome)
		}
	}
	r := &TxResult{}
	for _, tab := range t.tables {
		if o := tab.result(); len(o.Buckets) > 0 {
			r.Tables = append(r.Tables, o)
		}
	}
	t.tables, t.ops, t.spare, t.stage, t.flight = nil, nil, nil, nil, nil
	t.c.lastTx = r
	return r
}

// report also logs the error: database/sql may drop it.
func (t *tx) report(what string, err error, r *TxResult) error {
	if l := t.c.c.cfg.Logger; l != nil {
		n := r.count()
		l.Warn("fluss: "+what+" failed", slog.Int("stored", n.Stored), slog.Int("not_stored", n.NotStored), slog.Int("unknown", n.Unknown), slog.Any("error", err))
	}
	return err
}

// names is the table that errors are about, where there is one.
func (t *tx) names() string {
	if len(t.tables) == 1 {
		return t.tables[0].table.Path.String()
	}
	return ""
}

// remember keeps where the rows of a Commit went, for LastWrite.
func (t *tx) remember() {
	c := t.c
	c.last, c.wrote = WriteResult{}, true
	for _, op := range t.ops {
		if op.Outcome != route.Stored || op.Count == 0 {
			continue
		}
		if name := op.Table.Path.String(); name != c.last.Table {
			c.last = WriteResult{Table: name}
		}
		c.last.Buckets = append(c.last.Buckets, BucketWrite{Partition: partitionName(c, op.Table, op.Bucket), Bucket: op.Bucket.ID, Offset: op.Offset, Rows: op.Count})
	}
}

// staged returns the collector for the rows of the next statement, with the memory of the last one.
func (t *tx) staged(l *layout, target []int32, overwrite bool) *writeSet {
	w := t.stage
	if w == nil {
		w = &writeSet{conn: t.c, open: map[catalog.Bucket]*opInHand{}}
		t.stage = w
	}
	if w.table != l.table {
		w.layout, w.table, w.probe = l, l.table, nil
	}
	for _, o := range w.open {
		clear(o.Rows)
		*o.WriteOp = route.WriteOp{Records: o.Records[:0], Rows: o.Rows[:0]}
		o.size = 0
		w.spare = append(w.spare, o)
	}
	clear(w.open)
	clear(w.ops)
	w.target, w.overwrite, w.ops, w.bulk, w.tracked, w.row = target, overwrite, w.ops[:0], false, false, 0
	return w
}
