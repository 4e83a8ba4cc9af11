package plan

import (
	"database/sql/driver"
	"slices"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// maxKeys bounds the keys of one statement, the cross product of several IN lists included.
const maxKeys = 1 << 20

// candidates says that the columns, taken together, must equal one of the rows.
type candidates struct {
	cols []int
	rows [][]Source
}

// Keys are the rows that a WHERE clause fixes for a list of columns: the cross product of its groups.
type Keys struct {
	Columns []int // the columns fixed, in key order
	table   *catalog.Table
	groups  []candidates
}

// Each binds the arguments and calls f once for each key, with the key columns of scratch set. scratch has the width
// of the table's row and is otherwise left alone. A key with a NULL in it equals no row and is passed over. Keys come
// in the order of the list, that of the first column changing slowest.
func (k *Keys) Each(scratch []row.Datum, args []driver.NamedValue, o *row.BindOptions, f func() error) error {
	return k.each(0, 0, scratch, args, o, f)
}

// BindOne binds the arguments of a point lookup, for which One is true, and sets the key columns of scratch as Each
// does. It reports false when a NULL is among them.
func (k *Keys) BindOne(scratch []row.Datum, args []driver.NamedValue, o *row.BindOptions) (bool, error) {
	for g := range k.groups {
		group := &k.groups[g]
		for i, c := range group.cols {
			if err := group.rows[0][i].Bind(&scratch[c], args, o); err != nil {
				return false, k.valueError(c, err)
			}
		}
		for _, c := range group.cols {
			if scratch[c].Null {
				return false, nil
			}
		}
	}
	return true, nil
}

// Count is how many keys there are at most, a list in a parameter counted as one value.
func (k *Keys) Count() int {
	n := 1
	for g := range k.groups {
		n *= len(k.groups[g].rows)
	}
	return n
}

func (k *Keys) each(g, count int, scratch []row.Datum, args []driver.NamedValue, o *row.BindOptions, f func() error) error {
	if g == len(k.groups) {
		return f()
	}
	group := &k.groups[g]
	next := func() error {
		for _, c := range group.cols {
			if scratch[c].Null {
				return nil
			}
		}
		return k.each(g+1, count, scratch, args, o, f)
	}
	for _, sources := range group.rows {
		if list, ok := k.slice(sources, args); ok {
			for _, v := range list {
				if err := row.Bind(&scratch[group.cols[0]], sources[0].typ, v, o); err != nil {
					return k.valueError(group.cols[0], err)
				}
				if err := next(); err != nil {
					return err
				}
			}
			continue
		}
		for i, c := range group.cols {
			if err := sources[i].Bind(&scratch[c], args, o); err != nil {
				return k.valueError(c, err)
			}
		}
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}

// slice returns the elements where a lone parameter stands for a list, as in IN (?).
func (k *Keys) slice(sources []Source, args []driver.NamedValue) ([]any, bool) {
	if len(sources) != 1 || sources[0].Param < 0 || sources[0].Param >= len(args) {
		return nil, false
	}
	return expandList(args[sources[0].Param].Value)
}

func (k *Keys) valueError(col int, err error) error {
	return &ValueError{Table: k.table.Path.String(), Column: k.table.Schema.Columns[col].Name, Err: err}
}

// One reports whether there is exactly one key: a point lookup. args may be nil where they are not known yet: a
// parameter then counts as one value, though it may turn out to be a list.
func (k *Keys) One(args []driver.NamedValue) bool {
	for _, g := range k.groups {
		if len(g.rows) != 1 {
			return false
		}
		if _, list := k.slice(g.rows[0], args); list {
			return false
		}
	}
	return true
}

// conditions is a WHERE clause taken apart into its conjuncts.
type conditions struct {
	fixed []candidates   // col = x, col IN (...), (a,b) IN (...)
	exprs []dialect.Expr // the expression behind each of fixed
	rest  []dialect.Expr // everything else
}

// nullable returns t with NULL allowed: a comparison with NULL is unknown, not an error.
func nullable(t *catalog.Type) *catalog.Type {
	if !t.NotNull {
		return t
	}
	c := *t
	c.NotNull = false
	return &c
}

func takeApart(s *scope, where dialect.Expr, o *row.BindOptions) (*conditions, error) {
	c := &conditions{}
	return c, c.add(s, where, o)
}

func (c *conditions) add(s *scope, e dialect.Expr, o *row.BindOptions) error {
	if e == nil {
		return nil
	}
	if b, ok := e.(*dialect.Binary); ok && b.Op == "AND" {
		if err := c.add(s, b.L, o); err != nil {
			return err
		}
		return c.add(s, b.R, o)
	}
	cand, err := asCandidates(s, e, o)
	if err != nil {
		return err
	}
	if cand == nil {
		c.rest = append(c.rest, e)
		return nil
	}
	c.fixed = append(c.fixed, *cand)
	c.exprs = append(c.exprs, e)
	return nil
}

// asCandidates returns nil when e is not of one of the forms that fix columns.
func asCandidates(s *scope, e dialect.Expr, o *row.BindOptions) (*candidates, error) {
	switch e := e.(type) {
	case *dialect.Binary:
		if e.Op != "=" {
			return nil, nil
		}
		if _, ok := e.L.(*dialect.Operand); ok {
			return fixedBy(s, e.R, []dialect.Expr{e.L}, o)
		}
		return fixedBy(s, e.L, []dialect.Expr{e.R}, o)
	case *dialect.In:
		if e.Not {
			return nil, nil
		}
		return fixedBy(s, e.X, e.List, o)
	}
	return nil, nil
}

func fixedBy(s *scope, x dialect.Expr, list []dialect.Expr, o *row.BindOptions) (*candidates, error) {
	cols, err := columnsOf(s, x)
	if cols == nil || err != nil {
		return nil, err
	}
	c := &candidates{cols: cols}
	for _, e := range list {
		operands := operandsOf(e, len(cols))
		if operands == nil {
			return nil, nil
		}
		sources := make([]Source, len(cols))
		for i, op := range operands {
			if sources[i], err = newSource(op, nullable(&s.column(cols[i]).Type), o); err != nil {
				return nil, &ValueError{Table: s.table.Path.String(), Column: s.column(cols[i]).Name, Err: err}
			}
		}
		c.rows = append(c.rows, sources)
	}
	return c, nil
}

// columnsOf returns the positions of a column or of a tuple of columns, nil when x is something else.
func columnsOf(s *scope, x dialect.Expr) ([]int, error) {
	list := []dialect.Expr{x}
	if t, ok := x.(*dialect.Tuple); ok {
		list = t.List
	}
	var cols []int
	for _, e := range list {
		ref, ok := e.(*dialect.ColumnRef)
		if !ok {
			return nil, nil
		}
		i, err := s.resolve(ref.Qualifier, ref.Name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(cols, i) {
			return nil, nil
		}
		cols = append(cols, i)
	}
	return cols, nil
}

// operandsOf returns the n operands of e, nil when it is something else.
func operandsOf(e dialect.Expr, n int) []*dialect.Operand {
	list := []dialect.Expr{e}
	if t, ok := e.(*dialect.Tuple); ok {
		list = t.List
	}
	if len(list) != n {
		return nil
	}
	ops := make([]*dialect.Operand, n)
	for i, e := range list {
		op, ok := e.(*dialect.Operand)
		if !ok {
			return nil
		}
		ops[i] = op
	}
	return ops
}

// keys takes out of c the conditions that fix exactly the columns of key, or returns nil and takes nothing. A second
// condition on a column stays behind, as a filter.
func (c *conditions) keys(table *catalog.Table, key []int) *Keys {
	k := &Keys{Columns: key, table: table}
	var taken []int
	var have []int
	for _, col := range key {
		if slices.Contains(have, col) {
			continue
		}
		i := slices.IndexFunc(c.fixed, func(f candidates) bool {
			return slices.Contains(f.cols, col) && !slices.ContainsFunc(f.cols, func(x int) bool {
				return !slices.Contains(key, x) || slices.Contains(have, x)
			})
		})
		if i < 0 {
			return nil
		}
		k.groups = append(k.groups, c.fixed[i])
		have = append(have, c.fixed[i].cols...)
		taken = append(taken, i)
	}
	total := 1
	for _, g := range k.groups {
		if total *= max(len(g.rows), 1); total > maxKeys {
			return nil
		}
	}
	c.take(taken)
	return k
}

// take removes the fixed conditions at the given positions.
func (c *conditions) take(at []int) {
	var fixed []candidates
	var exprs []dialect.Expr
	for i := range c.fixed {
		if !slices.Contains(at, i) {
			fixed, exprs = append(fixed, c.fixed[i]), append(exprs, c.exprs[i])
		}
	}
	c.fixed, c.exprs = fixed, exprs
}

// missing returns the columns of key that no condition fixes.
func (c *conditions) missing(key []int) []int {
	var out []int
	for _, col := range key {
		if !slices.ContainsFunc(c.fixed, func(f candidates) bool { return slices.Contains(f.cols, col) }) {
			out = append(out, col)
		}
	}
	return out
}

// residual returns everything that was not taken out, as one list of conjuncts.
func (c *conditions) residual() []dialect.Expr {
	return append(slices.Clone(c.exprs), c.rest...)
}
