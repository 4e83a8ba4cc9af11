package fluss

import (
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// partitions lists the ids and names of the partitions to read.
func (s *selection) partitions() ([]int64, map[int64]string, error) {
	names := map[int64]string{}
	var ids []int64
	keep, err := s.partitionFilter()
	if err != nil {
		return nil, nil, err
	}
	v := make([]row.Datum, s.Width())
	if s.Partition == nil {
		list, err := s.conn.c.client.Partitions(s.ctx, s.Table)
		if err != nil {
			return nil, nil, err
		}
		for i := range list {
			p := &list[i]
			if keep == nil || partitionRow(s.Table, p.Values, v) && keep(v, p.Name) {
				ids, names[p.ID] = append(ids, p.ID), p.Name
			}
		}
		return ids, names, nil
	}
	err = s.Partition.Each(v, s.args, &s.conn.c.opts.Bind, func() error {
		name, err := row.PartitionName(s.Table, v)
		if err != nil || keep != nil && !keep(v, name) {
			return err
		}
		id, ok, err := s.conn.c.client.Partition(s.ctx, s.Table, name)
		if _, seen := names[id]; ok && !seen {
			ids, names[id] = append(ids, id), name
		}
		return err
	})
	return ids, names, err
}

// partitionFilter returns nil when every partition passes. What it returns wants the partition columns in v.
func (s *selection) partitionFilter() (func(v []row.Datum, name string) bool, error) {
	if s.PartitionFilter == nil {
		return nil, nil
	}
	passes, err := s.PartitionFilter.Bind(s.args, &s.conn.c.opts.Bind)
	return func(v []row.Datum, name string) bool {
		s.FillPartition(v, []byte(name))
		return passes(v)
	}, err
}

// partitionText is the value of _partition in a bucket, nil where there are no partitions.
func (s *selection) partitionText(b *catalog.Bucket) []byte {
	if !s.Table.IsPartitioned() {
		return nil
	}
	return []byte(s.conn.c.client.PartitionName(s.Table, b.PartitionID))
}

// partitionRow sets the partition columns of a virtual row to a partition's values. It is false where the texts are no
// values of the columns' types: a partition that the coordinator made of a date, for a column that is none. Rows cannot
// be in it, since writers name the partition after the row.
func partitionRow(t *catalog.Table, values []string, v []row.Datum) bool {
	if len(values) != len(t.PartitionCols) {
		return false
	}
	for i, col := range t.PartitionCols {
		if row.ParsePartitionValue(&t.Schema.Columns[col].Type, values[i], &v[col]) != nil {
			return false
		}
	}
	return true
}
