package fluss

import (
	"context"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/row"
)

// keyWalk turns the key columns of a row into key bytes and a bucket.
type keyWalk struct {
	conn   *conn
	layout *layout
	table  *catalog.Table
	create bool // a missing partition is created

	// The last partition, since neighbouring rows mostly share it.
	partition   string
	partitionID int64
	known       bool
}

// locate returns the key bytes of a row, valid until the next call, and its bucket. ok is false when the row's
// partition does not exist.
func (w *keyWalk) locate(ctx context.Context, v []row.Datum) (key []byte, b catalog.Bucket, ok bool, err error) {
	c := w.conn
	if c.key, err = w.layout.key.Append(c.key[:0], v); err != nil {
		return nil, b, false, err
	}
	key = c.key
	b = bucketOfTable(w.table)
	if b.ID, err = w.layout.bucketOf(nil, v, key); err != nil {
		return nil, b, false, err
	}
	ok, err = w.place(ctx, &b, v)
	return key, b, ok, err
}

// place sets the bucket's partition.
func (w *keyWalk) place(ctx context.Context, b *catalog.Bucket, v []row.Datum) (bool, error) {
	if !w.table.IsPartitioned() {
		return true, nil
	}
	name, err := row.PartitionName(w.table, v)
	if err != nil {
		return false, err
	}
	if !w.known || name != w.partition {
		id, ok, err := w.conn.partitionID(ctx, w.table, name, v, w.create)
		if err != nil || !ok {
			return false, err
		}
		w.partition, w.partitionID, w.known = name, id, true
	}
	b.PartitionID = w.partitionID
	return true, nil
}

// partitionOf returns the id of the partition that a row belongs to.
func (c *conn) partitionOf(ctx context.Context, t *catalog.Table, v []row.Datum, create bool) (int64, bool, error) {
	name, err := row.PartitionName(t, v)
	if err != nil {
		return 0, false, err
	}
	return c.partitionID(ctx, t, name, v, create)
}

func (c *conn) partitionID(ctx context.Context, t *catalog.Table, name string, v []row.Datum, create bool) (int64, bool, error) {
	id, ok, err := c.c.client.Partition(ctx, t, name)
	if err != nil || ok || !create {
		return id, ok, err
	}
	if c.c.cfg.DisableDynamicPartitions {
		return 0, false, &Error{Message: "partition " + name + " of " + t.Path.String() + " does not exist, and dynamic_partitions is false", Table: t.Path.String(), kind: ErrPartitionNotExist}
	}
	values := make([]string, len(t.PartitionCols))
	for i, col := range t.PartitionCols {
		text, err := row.AppendPartitionValue(nil, &t.Schema.Columns[col].Type, &v[col])
		if err != nil {
			return 0, false, err
		}
		values[i] = string(text)
	}
	if err := row.CheckAutoPartition(t, values); err != nil {
		return 0, false, &plan.ValueError{Table: t.Path.String(), Column: strings.Join(t.PartitionKeys, ", "), Err: err}
	}
	if err := c.c.client.CreatePartition(ctx, t, values, true); err != nil {
		return 0, false, err
	}
	return c.c.client.Partition(ctx, t, name)
}
