package fluss

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// writeTarget is one key that an UPDATE or DELETE names.
type writeTarget struct {
	key     []byte
	bucket  catalog.Bucket
	columns []row.Datum // the key columns, in the order of the primary key
	call    *route.LookupCall
	// buffered: only the transaction at hand knows the row.
	buffered bool
}

// fill sets v to a row of the key and NULLs.
func (t *writeTarget) fill(v []row.Datum, key []int) {
	for i := range v {
		v[i] = row.Datum{Null: true}
	}
	for i, col := range key {
		v[col] = t.columns[i]
	}
}

// targets lists the distinct keys, with look only those whose row is there and meets the filter.
func (c *conn) targets(ctx context.Context, keys *plan.Keys, f *plan.Filter, l *layout, args []driver.NamedValue, look bool) ([]writeTarget, error) {
	var list []writeTarget
	seen := map[string]bool{}
	walk := keyWalk{conn: c, layout: l, table: l.table}
	v := c.scratchRow(len(l.table.Schema.Columns))
	err := keys.Each(v, args, &c.c.opts.Bind, func() error {
		key, bucket, ok, err := walk.locate(ctx, v)
		if err != nil || !ok {
			return err
		}
		id := fmt.Sprint(bucket.PartitionID, "/", string(key))
		if seen[id] {
			return nil
		}
		seen[id] = true
		t := writeTarget{key: slices.Clone(key), bucket: bucket}
		for _, col := range l.table.PrimaryKey {
			t.columns = append(t.columns, v[col])
		}
		t.columns, _ = keep(t.columns)
		t.call = &route.LookupCall{Table: l.table, Bucket: bucket, Key: t.key}
		list = append(list, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !look {
		return c.filtered(ctx, f, l, args, list)
	}
	calls := make([]*route.LookupCall, len(list))
	for i := range list {
		calls[i] = list[i].call
	}
	committed, err := c.look(ctx, l, calls)
	if err != nil {
		return nil, err
	}
	for i := range committed {
		list[i].buffered = !committed[i]
	}
	list = slices.DeleteFunc(list, func(t writeTarget) bool { return t.call.Value == nil })
	return c.filtered(ctx, f, l, args, list)
}

// filtered leaves those that meet the further conditions of WHERE. Without a look these are about key columns alone.
func (c *conn) filtered(ctx context.Context, f *plan.Filter, l *layout, args []driver.NamedValue, list []writeTarget) ([]writeTarget, error) {
	if f == nil {
		return list, nil
	}
	holds, err := f.Bind(args, &c.c.opts.Bind)
	if err != nil {
		return nil, err
	}
	v := make([]row.Datum, len(l.table.Schema.Columns))
	kept := list[:0]
	for i := range list {
		t := &list[i]
		if t.fill(v, l.table.PrimaryKey); t.call.Value != nil {
			if err := l.decode(ctx, c.c.client, v, t.call.Value); err != nil {
				return nil, err
			}
		}
		if holds(v) {
			kept = append(kept, *t)
		}
	}
	return kept, nil
}

// blindDeleteAllowed refuses a delete without a look in a bucket that never had a row.
func (c *conn) blindDeleteAllowed(ctx context.Context, t *catalog.Table, targets []writeTarget) error {
	var buckets []catalog.Bucket
	for i := range targets {
		if !slices.Contains(buckets, targets[i].bucket) {
			buckets = append(buckets, targets[i].bucket)
		}
	}
	if len(buckets) == 0 {
		return nil
	}
	ends, err := c.c.client.Offsets(ctx, t, buckets, route.Latest())
	if err != nil {
		return err
	}
	for i, end := range ends {
		if end == 0 {
			return &UnsupportedError{Feature: "BLIND DELETE in an empty bucket", Reason: fmt.Sprintf("bucket %d of %s never had a row, and a delete there would keep the server from starting again", buckets[i].ID, t.Path), Hint: "leave out BLIND"}
		}
	}
	return nil
}
