package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
)

// access chooses the way to the rows and takes the conditions that it answers out of the WHERE clause.
func (c *selectCompiler) access() error {
	t := c.scope.table
	c.out.Buckets = c.takeBuckets()
	if !t.IsKeyTable() || c.out.Changelog {
		c.out.Access = LogScan
		return c.logAccess()
	}
	if c.hints.startSet || c.hints.stop != nil || c.hints.offsets != nil || c.hints.follow {
		return &dialect.UnsupportedError{Feature: "reading " + t.Path.String() + " by offset", Reason: "a key table holds the newest row of each key",
			Hint: "select from " + t.Path.String() + "$changelog to read its log"}
	}
	if c.out.Buckets == nil {
		if c.out.Keys = c.where.keys(t, t.PrimaryKey); c.out.Keys != nil {
			c.out.Access = Lookup
			return nil
		}
		if t.PrefixLookup() {
			if c.out.Keys = c.where.keys(t, append(slices.Clone(t.BucketCols), t.PartitionCols...)); c.out.Keys != nil {
				c.out.Access = Prefix
				return nil
			}
		}
	}
	c.out.Access = TableScan
	c.out.partKey = slices.DeleteFunc(slices.Clone(t.PrimaryKey), func(i int) bool { return slices.Contains(c.where.missing(t.PrimaryKey), i) })
	return c.takePartition()
}

// WaysOut says what would spare the scan of a whole key table, beginning with what WHERE lacks.
func (s *Select) WaysOut() string {
	t := s.Table
	key := t.PrimaryKey
	kind := "lookup"
	if t.PrefixLookup() {
		key, kind = append(slices.Clone(t.BucketCols), t.PartitionCols...), "prefix lookup"
	}
	ways := fmt.Sprintf("add LIMIT, or the hint /*+ FULL_SCAN */, or name the full key (%s)", ColumnNames(t, t.PrimaryKey))
	if len(s.partKey) > 0 {
		ways = fmt.Sprintf("%s on %s needs all of (%s), got (%s); %s", kind, t.Path, ColumnNames(t, key), ColumnNames(t, s.partKey), ways)
	}
	return ways
}

func (c *selectCompiler) takeBuckets() *Buckets {
	var b Buckets
	b.Hint = c.hints.buckets
	col := c.scope.width() + pseudoBucket
	var taken []int
	for i, f := range c.where.fixed {
		if !slices.Equal(f.cols, []int{col}) {
			continue
		}
		var list []Source
		for _, r := range f.rows {
			list = append(list, r[0])
		}
		b.Lists = append(b.Lists, list)
		taken = append(taken, i)
	}
	c.where.take(taken)
	if b.Hint == nil && b.Lists == nil {
		return nil
	}
	return &b
}

func (c *selectCompiler) logAccess() error {
	h := c.hints
	log := &Log{Start: h.start, Stop: h.stop, Buckets: h.offsets, Follow: h.follow}
	c.out.Log = log
	if h.offsets != nil && (h.startSet || h.stop != nil || c.out.Buckets != nil) {
		return fmt.Errorf("hint OFFSETS names buckets, starts and stops: leave out OFFSET, STOP_OFFSET, LAST, BUCKET and _bucket")
	}
	if err := c.takeOffsets(log); err != nil {
		return err
	}
	if err := c.times(log); err != nil {
		return err
	}
	log.Discovery = c.discovery(log)
	return c.takePartition()
}

// defaultDiscovery is how often FOLLOW looks for new partitions, unless scan.partition.discovery.interval says so.
const defaultDiscovery = 10 * time.Second

// discovery is 0 where a scan does not follow new partitions: it names offsets, which those do not have, or ends at one.
func (c *selectCompiler) discovery(log *Log) time.Duration {
	ends := func(b Bound) bool { return b.Op == "=" || b.Op[0] == '<' }
	if !log.Follow || !c.scope.table.IsPartitioned() || c.hints.discovery < 0 || log.Start.Kind == FromOffset ||
		log.Stop != nil || log.Buckets != nil || slices.ContainsFunc(log.Bounds, ends) {
		return 0
	}
	return cmp.Or(c.hints.discovery, defaultDiscovery)
}

// times turns predicates on _commit_timestamp into bounds. They stay filters too: an offset found by timestamp is near
// the place, not at it, in tiered segments.
func (c *selectCompiler) times(log *Log) error {
	col := c.scope.width() + pseudoCommitTimestamp
	for _, e := range c.where.residual() {
		bounds, err := c.bounds(e, col, &exactStamp)
		if err != nil {
			return err
		}
		log.Times = append(log.Times, bounds...)
	}
	return nil
}

// exactStamp is the type of what _commit_timestamp is compared with: time.Now() has more digits than a column.
var exactStamp = catalog.Type{Kind: catalog.TimestampLTZ, Precision: 9}

// takeOffsets turns predicates on _log_offset into bounds.
func (c *selectCompiler) takeOffsets(log *Log) error {
	col := c.scope.width() + pseudoLogOffset
	var taken []int
	for i, f := range c.where.fixed {
		if slices.Equal(f.cols, []int{col}) && len(f.rows) == 1 {
			log.Bounds = append(log.Bounds, Bound{"=", f.rows[0][0]})
			taken = append(taken, i)
		}
	}
	c.where.take(taken)
	var rest []dialect.Expr
	for _, e := range c.where.rest {
		bounds, err := c.bounds(e, col, nullable(&bigint))
		if err != nil {
			return err
		}
		if bounds == nil {
			rest = append(rest, e)
		}
		log.Bounds = append(log.Bounds, bounds...)
	}
	c.where.rest = rest
	return nil
}

// bounds returns nil when e is not a plain comparison of the pseudo column at col with a value of type t.
func (c *selectCompiler) bounds(e dialect.Expr, col int, t *catalog.Type) ([]Bound, error) {
	bound := func(x dialect.Expr, op string, v dialect.Expr) ([]Bound, error) {
		cols, err := columnsOf(&c.scope, x)
		operand, ok := v.(*dialect.Operand)
		if err != nil || !ok || !slices.Equal(cols, []int{col}) {
			return nil, err
		}
		src, err := newSource(operand, t, c.opts)
		if err != nil {
			err = &ValueError{Table: c.scope.table.Path.String(), Column: c.scope.column(col).Name, Err: err}
		}
		return []Bound{{op, src}}, err
	}
	switch e := e.(type) {
	case *dialect.Binary:
		if _, ok := comparisons[e.Op]; !ok || e.Op == "<>" {
			return nil, nil
		}
		if _, ok := e.L.(*dialect.Operand); ok {
			return bound(e.R, flipped[e.Op], e.L)
		}
		return bound(e.L, e.Op, e.R)
	case *dialect.Between:
		if e.Not {
			return nil, nil
		}
		lo, err := bound(e.X, ">=", e.Lo)
		if lo == nil || err != nil {
			return nil, err
		}
		hi, err := bound(e.X, "<=", e.Hi)
		if hi == nil || err != nil {
			return nil, err
		}
		return append(lo, hi...), nil
	}
	return nil, nil
}

var flipped = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
