package plan

import (
	"slices"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/row"
)

// takePartition binds a scan to the partitions that WHERE leaves. Where it fixes all partition columns these are named;
// every other conjunct on nothing but partition columns and _partition is put to each partition, not to each row: all
// rows of a partition have the same values.
func (c *selectCompiler) takePartition() error {
	t := c.scope.table
	if !t.IsPartitioned() {
		return nil
	}
	c.out.Partition = c.where.keys(t, t.PartitionCols)
	var of []dialect.Expr
	var fixed []int
	for i, e := range c.where.exprs {
		yes, err := c.ofPartition(e)
		if err != nil {
			return err
		}
		if yes {
			of, fixed = append(of, e), append(fixed, i)
		}
	}
	c.where.take(fixed)
	var rest []dialect.Expr
	for _, e := range c.where.rest {
		yes, err := c.ofPartition(e)
		if err != nil {
			return err
		}
		if yes {
			of = append(of, e)
		} else {
			rest = append(rest, e)
		}
	}
	c.where.rest = rest
	var err error
	c.out.PartitionFilter, err = newFilter(&c.scope, of, c.opts)
	return err
}

// ofPartition reports whether a conjunct looks at partition columns or _partition and at nothing else.
func (c *selectCompiler) ofPartition(e dialect.Expr) (bool, error) {
	f, err := newFilter(&c.scope, []dialect.Expr{e}, c.opts)
	if err != nil || len(f.Columns) == 0 {
		return false, err
	}
	for _, col := range f.Columns {
		if col != c.scope.width()+pseudoPartition && !slices.Contains(c.scope.table.PartitionCols, col) {
			return false, nil
		}
	}
	return true, nil
}

// FillPartition sets _partition, for PartitionFilter.
func (s *Select) FillPartition(v []row.Datum, name []byte) {
	v[len(s.Table.Schema.Columns)+pseudoPartition] = row.Datum{B: name}
}
