package fluss

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

const (
	// arrowFlightBytes is how much AppendArrow has on its way before it waits for the oldest batch.
	arrowFlightBytes = 32 << 20
	// arrowHeldBytes is how much it holds in batches that are not full, over all buckets and partitions.
	arrowHeldBytes = 64 << 20
)

// arrowAppend is one run of AppendArrow.
type arrowAppend struct {
	w       *writeSet
	bucket  catalog.Bucket // that is being filled column by column
	walk    keyWalk
	columns []catalog.Column // of the reader, in its order
	to      []int            // their positions in the table
	v       []row.Datum
	ops     []*route.WriteOp // started
	flight  []arrowFlight
	flying  int
	seen    int // len(w.ops) when full batches were last looked for
	sealing []sealing
}

type arrowFlight struct {
	write *route.PendingWrite
	op    *route.WriteOp
	size  int
}

// AppendArrow implements ArrowConn.
func (c *conn) AppendArrow(ctx context.Context, table string, r array.RecordReader) (WriteResult, error) {
	if err := c.check(ctx); err != nil {
		return WriteResult{}, err
	}
	if c.tx != nil {
		return WriteResult{}, &UnsupportedError{Feature: "AppendArrow in a transaction", Reason: "it sends while it reads", Hint: "append outside of one"}
	}
	path := catalog.TablePath{Database: c.database, Table: table}
	if database, name, ok := strings.Cut(table, "."); ok {
		path = catalog.TablePath{Database: database, Table: name}
	}
	t, err := c.c.client.Table(ctx, path)
	if err != nil {
		return WriteResult{}, translate(err, path.String())
	}
	a, err := newArrowAppend(c, t, r.Schema())
	if err != nil {
		return WriteResult{}, translate(err, path.String())
	}
	defer a.w.drop()
	err = a.run(ctx, r)
	a.w.ops = append(a.ops, a.w.ops...)
	a.w.remember()
	if err != nil {
		return c.last, translate(a.w.failure(err), path.String())
	}
	return c.last, nil
}

// newArrowAppend checks the schema of the batches against the table.
func newArrowAppend(c *conn, t *catalog.Table, schema *arrow.Schema) (*arrowAppend, error) {
	if t.IsKeyTable() {
		return nil, &UnsupportedError{Feature: "AppendArrow to the key table " + t.Path.String(), Reason: "it appends to log tables", Hint: "use UPSERT"}
	}
	l, err := newLayout(t)
	if err != nil {
		return nil, err
	}
	a := &arrowAppend{v: make([]row.Datum, len(t.Schema.Columns))}
	a.w = &writeSet{conn: c, layout: l, table: t, open: map[catalog.Bucket]*opInHand{}, bulk: true}
	a.walk = keyWalk{conn: c, layout: l, table: t, create: true}
	for i := range a.v {
		a.v[i].Null = true
	}
	for _, f := range schema.Fields() {
		at := t.Schema.Index(f.Name)
		if at < 0 {
			return nil, &plan.ColumnError{Table: t.Path.String(), Column: f.Name, Reason: "the batches have such a column, the table has not"}
		}
		if !a.v[at].Null {
			return nil, fmt.Errorf("the batches have two columns %s", f.Name)
		}
		a.v[at].Null = false
		a.columns, a.to = append(a.columns, t.Schema.Columns[at]), append(a.to, at)
	}
	for i := range a.v {
		if c := &t.Schema.Columns[i]; a.v[i].Null && c.Type.NotNull {
			return nil, &plan.ValueError{Table: t.Path.String(), Column: c.Name, Err: errors.New("it is NOT NULL and the batches do not have it")}
		}
	}
	return a, a.w.refused(record.CheckArrow(a.columns, schema))
}

// run appends everything that the reader gives. Where it fails, what was started has its outcome.
func (a *arrowAppend) run(ctx context.Context, r array.RecordReader) error {
	err := a.read(ctx, r)
	if err == nil {
		err = a.flush(ctx)
	}
	for _, s := range a.sealing { // after an error
		<-s.done
		a.w.ops = append(a.w.ops, s.o.WriteOp)
	}
	a.sealing = nil
	for len(a.flight) > 0 {
		if landed := a.land(ctx); err == nil {
			err = landed
		}
	}
	return err
}

func (a *arrowAppend) read(ctx context.Context, r array.RecordReader) error {
	for r.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.add(ctx, r.RecordBatch()); err != nil {
			return err
		}
		held := 0
		for _, o := range a.w.open {
			held += o.size
		}
		if held > arrowHeldBytes {
			if err := a.flush(ctx); err != nil {
				return err
			}
		}
	}
	return r.Err()
}

// add appends the rows of a record batch: to one bucket, unless the table has a bucket key.
func (a *arrowAppend) add(ctx context.Context, batch arrow.RecordBatch) error {
	rows, err := record.RowsFromArrow(a.columns, batch)
	if err != nil {
		return err
	}
	if err := a.checkTimes(batch); err != nil {
		return err
	}
	sticky := int32(-1)
	if a.w.layout.bucketKey == nil {
		if done, err := a.addColumns(ctx, rows); done || err != nil {
			return err
		}
		sticky = a.w.conn.stickyBucket(a.w.layout)
	}
	if err := a.sealed(ctx, 0); err != nil { // in order within a bucket
		return err
	}
	for i := range rows.Len() {
		a.w.row++
		if err := a.fill(rows, i); err != nil {
			return err
		}
		b := bucketOfTable(a.w.table)
		if b.ID = sticky; sticky < 0 {
			if b.ID, err = a.w.layout.bucketOf(nil, a.v, nil); err != nil {
				return err
			}
		}
		if _, err := a.walk.place(ctx, &b, a.v); err != nil {
			return err
		}
		if err := a.w.append(b, a.v); err != nil {
			return err
		}
		if len(a.w.ops) > a.seen {
			if err := a.start(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill sets v to row i, checked as the values of an INSERT are.
func (a *arrowAppend) fill(rows *record.LogRows, i int) error {
	for j, to := range a.to {
		d := &a.v[to]
		rows.Datum(d, j, i)
		if err := row.Check(d, &a.columns[j].Type); err != nil {
			return &plan.ValueError{Table: a.w.table.Path.String(), Column: a.columns[j].Name, Row: a.w.row, Err: err}
		}
	}
	return nil
}

// flush sends batches that are not full too.
func (a *arrowAppend) flush(ctx context.Context) error {
	for b := range a.w.open {
		if err := a.seal(ctx, b); err != nil {
			return err
		}
	}
	if err := a.sealed(ctx, 0); err != nil {
		return err
	}
	return a.start(ctx)
}

// start sends the batches that are full, and waits for older ones while too much is on its way.
func (a *arrowAppend) start(ctx context.Context) error {
	kept := a.w.ops[:0]
	var err error
	for _, op := range a.w.ops {
		if op.Batch == nil || err != nil {
			kept = append(kept, op)
			continue
		}
		a.ops = append(a.ops, op)
		f := arrowFlight{op: op, size: len(op.Batch)}
		if f.write, err = a.w.conn.c.client.StartWrite(op); err == nil {
			a.flight = append(a.flight, f)
			a.flying += f.size
		}
	}
	a.w.ops, a.seen = kept, len(kept)
	for err == nil && a.flying > arrowFlightBytes {
		err = a.land(ctx)
	}
	return err
}

// land waits for the oldest batch under way. When ctx ends first it is given up.
func (a *arrowAppend) land(ctx context.Context) error {
	f := a.flight[0]
	a.flight[0] = arrowFlight{}
	a.flight = a.flight[1:]
	a.flying -= f.size
	err := f.write.Wait(ctx)
	if f.op.Outcome != route.Unknown {
		f.op.Batch = nil
	}
	return err
}
