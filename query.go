package fluss

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// query runs a SELECT on a table. It is withPlan without a function to call: the way of a point lookup is short.
func (c *conn) query(ctx context.Context, p *prepared, args []driver.NamedValue) (driver.Rows, error) {
	for try := 0; ; try++ {
		pl, err := c.compile(ctx, p)
		if err != nil {
			return nil, err
		}
		out, err := c.selectRows(ctx, pl, args)
		if err == nil {
			return out, nil
		}
		if _, changed := errors.AsType[*route.TableChangedError](err); changed && try < maxReplans {
			c.c.client.Invalidate(pl.table)
			continue
		}
		return nil, translate(err, p.table.String())
	}
}

// selection is one run of a planned SELECT.
type selection struct {
	*plan.Select
	conn   *conn
	layout *layout
	values *row.ValueReader // nil where rows go through Datums
	args   []driver.NamedValue
	ctx    context.Context
	cancel context.CancelFunc // nil, or of the hint TIMEOUT
	limit  int64              // rows wanted in all, OFFSET included; -1 without LIMIT
}

func (c *conn) selectRows(ctx context.Context, pl *compiled, args []driver.NamedValue) (driver.Rows, error) {
	r := c.lookup.take()
	r.home = c
	s := &r.run
	*s = selection{Select: pl.plan.(*plan.Select), conn: c, layout: pl.layout, values: pl.values, args: args, ctx: ctx}
	bind := &c.c.opts.Bind
	limit, err := s.Limit.Value(args, -1, bind)
	if err != nil {
		return nil, err
	}
	offset, err := s.Offset.Value(args, 0, bind)
	if err != nil {
		return nil, err
	}
	if s.limit = limit; limit >= 0 {
		s.limit = limit + min(offset, math.MaxInt64-limit)
	}
	if s.Timeout > 0 {
		s.ctx, s.cancel = context.WithTimeout(ctx, s.Timeout)
	}
	out, err := r.open(limit, offset)
	if err == nil && out == driver.Rows(r) {
		return r, nil
	}
	if s.cancel != nil {
		s.cancel()
	}
	c.lookup.keep(r)
	return out, err
}

// open starts the reading that the plan asks for.
func (r *rows) open(limit, offset int64) (driver.Rows, error) {
	s := &r.run
	if s.conn.tx != nil && s.Access != plan.Lookup {
		if err := s.conn.mayScan(s.ctx, s.Table); err != nil {
			return nil, err
		}
	}
	if s.Access == plan.CountRows {
		n, counted, err := s.count()
		if err != nil {
			return nil, err
		}
		if counted {
			return s.countRows(n), nil
		}
	}
	r.columns, r.skip, r.left, r.loc, r.err = s.Out, offset, limit, s.conn.c.cfg.Location, nil
	r.width(s.Width())
	s.FillLiterals(r.v)
	if s.Count {
		r.skip, r.left = 0, -1
	}
	if s.Filter != nil {
		var err error
		if r.filter, err = s.Filter.Bind(s.args, &s.conn.c.opts.Bind); err != nil {
			return nil, err
		}
	}
	var err error
	if limit == 0 {
		r.src = &sortedSource{}
	} else if r.src, err = r.source(); err != nil {
		return nil, err
	}
	if s.cancel != nil {
		r.src = &cancelSource{r.src, s.cancel}
	}
	switch {
	case s.Count:
		n, err := r.drain()
		if err != nil {
			return nil, err
		}
		return s.countRows(n), nil
	case s.OrderBy != nil:
		err = r.sorted(s.OrderBy, s.conn.c.cfg.MaxScanBytes)
	default:
		r.strips()
		r.stored, _ = r.src.(storedSource)
		if s.values == nil {
			r.stored = nil
		}
	}
	return r, err
}

func (r *rows) source() (source, error) {
	s := &r.run
	switch s.Access {
	case plan.Lookup:
		return s.lookup(&r.found)
	case plan.Prefix:
		return s.prefix()
	case plan.LogScan:
		return r.logScan()
	}
	return s.tableScan()
}
func (s *selection) countRows(n int64) driver.Rows {
	out := &staticRows{columns: s.Out, rows: [][]driver.Value{{n}}}
	if s.limit == 0 {
		out.rows = nil
	}
	return out
}

// pushLimit returns how many rows a bucket has to give at most: everything when rows are dropped or ordered afterwards.
func (s *selection) pushLimit() int64 {
	if s.Filter != nil || s.OrderBy != nil || s.Count {
		return -1
	}
	return s.limit
}

// buckets lists the buckets that the statement reads: of all partitions, or those that WHERE names.
func (s *selection) buckets() ([]catalog.Bucket, map[int64]string, error) {
	numbers, err := s.bucketNumbers()
	if err != nil {
		return nil, nil, err
	}
	partitions := []int64{catalog.NoPartition}
	var names map[int64]string
	if s.Table.IsPartitioned() {
		if partitions, names, err = s.partitions(); err != nil {
			return nil, nil, err
		}
	}
	out := make([]catalog.Bucket, 0, len(partitions)*len(numbers))
	for _, p := range partitions {
		for _, n := range numbers {
			out = append(out, catalog.Bucket{TableID: s.Table.ID, PartitionID: p, ID: n})
		}
	}
	return out, names, nil
}

func (s *selection) bucketNumbers() ([]int32, error) {
	count := int32(s.Table.BucketCount)
	want := make([]bool, count)
	for i := range want {
		want[i] = s.Buckets == nil || s.Buckets.Hint == nil
	}
	if s.Buckets != nil {
		for _, b := range s.Buckets.Hint {
			if b >= count {
				return nil, fmt.Errorf("hint BUCKET: %s has buckets 0 to %d, got %d", s.Table.Path, count-1, b)
			}
			want[b] = true
		}
		for _, list := range s.Buckets.Lists {
			if err := s.restrict(want, list); err != nil {
				return nil, err
			}
		}
	}
	var out []int32
	for i, w := range want {
		if w {
			out = append(out, int32(i))
		}
	}
	return out, nil
}

// restrict takes out of want what a predicate on _bucket does not name.
func (s *selection) restrict(want []bool, list []plan.Source) error {
	named := make([]bool, len(want))
	for i := range list {
		var d row.Datum
		if err := list[i].Bind(&d, s.args, &s.conn.c.opts.Bind); err != nil {
			return fmt.Errorf("_bucket: %w", err)
		}
		if !d.Null && d.I >= 0 && d.I < int64(len(named)) {
			named[d.I] = true
		}
	}
	for i := range want {
		want[i] = want[i] && named[i]
	}
	return nil
}

// cancelSource ends the context of a TIMEOUT hint with the rows.
type cancelSource struct {
	source
	cancel context.CancelFunc
}

func (s *cancelSource) close() {
	s.source.close()
	s.cancel()
}
