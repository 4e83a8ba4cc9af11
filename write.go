package fluss

import (
	"context"
	"database/sql/driver"

	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/row"
)

// write runs INSERT, UPSERT, REPLACE, UPDATE or DELETE.
func (c *conn) write(ctx context.Context, p *prepared, args []driver.NamedValue) (driver.Result, error) {
	if err := c.mayWrite(); err != nil {
		return nil, err
	}
	res := result{zeroID: c.c.cfg.LastInsertID == "zero"}
	err := c.withPlan(ctx, p, func(pl *compiled) error {
		var err error
		res.noID = pl.table.AutoIncrement >= 0
		switch w := pl.plan.(type) {
		case *plan.Insert:
			_, err = c.insert(ctx, w, pl.layout, args)
			res.rows = int64(w.Rows)
		case *plan.Update:
			res.rows, err = c.update(ctx, w, pl.layout, args)
		case *plan.Delete:
			res.rows, err = c.delete(ctx, w, pl.layout, args)
		}
		return err
	})
	if err != nil {
		return nil, translate(err, p.table.String())
	}
	return &res, nil
}

// insert checks and encodes all rows of the statement, and sends them only then: a statement with a bad row stores
// nothing.
func (c *conn) insert(ctx context.Context, p *plan.Insert, l *layout, args []driver.NamedValue) (*writeSet, error) {
	w := newWriteSet(c, l, p.Target, p.Overwrite)
	v := c.scratchRow(len(p.Table.Schema.Columns))
	if !p.Table.IsKeyTable() {
		return w, c.appendRows(ctx, p, w, v, args)
	}
	if !p.Table.IsPartitioned() {
		w.expected = p.Rows
	}
	walk := keyWalk{conn: c, layout: l, table: p.Table, create: true}
	for i := range p.Rows {
		w.row = p.RowNumber(i)
		if err := p.BindRow(v, i, args, &c.c.opts.Bind); err != nil {
			return nil, err
		}
		key, bucket, _, err := walk.locate(ctx, v)
		if err != nil {
			return nil, err
		}
		if err := w.upsert(bucket, key, v); err != nil {
			return nil, err
		}
	}
	return w, w.send(ctx)
}

// appendRows is insert for a log table. Rows without a bucket key go to one bucket per statement, so that their offsets
// are contiguous.
func (c *conn) appendRows(ctx context.Context, p *plan.Insert, w *writeSet, v []row.Datum, args []driver.NamedValue) error {
	walk := keyWalk{conn: c, layout: w.layout, table: p.Table, create: true}
	w.bulk, w.tracked = p.Rows >= bulkRows, p.Returning != nil
	defer w.drop()
	sticky := int32(-1)
	if w.layout.bucketKey == nil {
		sticky = c.stickyBucket(w.layout)
	}
	for i := range p.Rows {
		w.row = p.RowNumber(i)
		if err := p.BindRow(v, i, args, &c.c.opts.Bind); err != nil {
			return err
		}
		b := bucketOfTable(p.Table)
		if b.ID = sticky; sticky < 0 {
			var err error
			if b.ID, err = w.layout.bucketOf(nil, v, nil); err != nil {
				return err
			}
		}
		if _, err := walk.place(ctx, &b, v); err != nil {
			return err
		}
		if err := w.append(b, v); err != nil {
			return err
		}
	}
	return w.send(ctx)
}

// insertReturning runs INSERT ... RETURNING _bucket, _log_offset: a row for each row stored, in the order of VALUES. The
// offset is NULL where the answer that told it is lost and another one proved the rows stored.
func (c *conn) insertReturning(ctx context.Context, p *prepared, args []driver.NamedValue) (driver.Rows, error) {
	out := &staticRows{}
	err := c.withPlan(ctx, p, func(pl *compiled) error {
		ins := pl.plan.(*plan.Insert)
		w, err := c.insert(ctx, ins, pl.layout, args)
		if err != nil {
			return err
		}
		out.columns = ins.Returning
		for _, at := range w.places {
			values := make([]driver.Value, len(ins.Returning))
			for j := range ins.Returning {
				values[j] = ins.ReturningValue(&ins.Returning[j], at.op.Bucket.ID, at.op.Offset, at.index)
			}
			out.rows = append(out.rows, values)
		}
		return nil
	})
	if err != nil {
		return nil, translate(err, p.table.String())
	}
	return out, nil
}

// update looks the rows up and writes those that are there. The count is exact for a single writer: a row that another
// deletes between the look and the write comes back, and what another writes to it meanwhile is not seen by values that
// are computed from the row, nor by further conditions.
func (c *conn) update(ctx context.Context, p *plan.Update, l *layout, args []driver.NamedValue) (int64, error) {
	targets, err := c.targets(ctx, p.Keys, p.Filter, l, args, !p.Blind)
	if err != nil {
		return 0, err
	}
	w := newWriteSet(c, l, p.Target, p.Overwrite)
	v, old := make([]row.Datum, len(p.Table.Schema.Columns)), make([]row.Datum, len(p.Table.Schema.Columns))
	for i := range targets {
		t := &targets[i]
		if p.WholeRow || p.Reads {
			if err := l.decode(ctx, c.c.client, old, t.call.Value); err != nil {
				return 0, err
			}
		}
		if t.fill(v, p.Table.PrimaryKey); p.WholeRow {
			copy(v, old)
		}
		for j := range p.Set {
			col := p.Set[j].Column
			if err := p.Set[j].Bind(&v[col], old, args, &c.c.opts.Bind); err != nil {
				return 0, &plan.ValueError{Table: p.Table.Path.String(), Column: p.Table.Schema.Columns[col].Name, Err: err}
			}
		}
		if err := w.upsert(t.bucket, t.key, v); err != nil {
			return 0, err
		}
	}
	return int64(len(targets)), w.send(ctx)
}

// delete looks the rows up and deletes those that are there. A delete of a key that is not there is never sent: on a
// bucket that never had a row it would keep the server from starting again.
func (c *conn) delete(ctx context.Context, p *plan.Delete, l *layout, args []driver.NamedValue) (int64, error) {
	targets, err := c.targets(ctx, p.Keys, p.Filter, l, args, !p.Blind)
	if err != nil {
		return 0, err
	}
	if p.Blind {
		if err := c.blindDeleteAllowed(ctx, p.Table, targets); err != nil {
			return 0, err
		}
	}
	w := newWriteSet(c, l, nil, false)
	for i := range targets {
		if targets[i].buffered {
			continue
		}
		if err := w.delete(targets[i].bucket, targets[i].key); err != nil {
			return 0, err
		}
	}
	if err := w.send(ctx); err != nil {
		return 0, err
	}
	for i := range targets {
		if targets[i].buffered {
			c.tx.table(p.Table).forget(targets[i].bucket, targets[i].key)
		}
	}
	return int64(len(targets)), nil
}
