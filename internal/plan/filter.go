package plan

import (
	"database/sql/driver"
	"fmt"
	"sort"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// tri is a truth value of SQL. The order is that of AND: the smaller wins.
type tri int8

const (
	no tri = iota
	unknown
	yes
)

func truth(b bool) tri {
	if b {
		return yes
	}
	return no
}

// predicate tells the truth about one virtual row.
type predicate func(v []row.Datum) tri

// condition is a compiled WHERE term. bind makes it a predicate for one run, with the arguments in it.
type condition interface {
	bind(args []driver.NamedValue, o *row.BindOptions) (predicate, error)
}

// Filter is the part of a WHERE clause that Fluss cannot apply: it is applied to decoded rows.
type Filter struct {
	Columns []int // positions in the virtual row that it looks at, ascending
	root    condition
}

// Bind prepares the filter for one run.
func (f *Filter) Bind(args []driver.NamedValue, o *row.BindOptions) (func(v []row.Datum) bool, error) {
	p, err := f.root.bind(args, o)
	if err != nil {
		return nil, err
	}
	return func(v []row.Datum) bool { return p(v) == yes }, nil
}

// OwnColumns are those of Columns that a table of that many columns has: not the pseudo columns.
func (f *Filter) OwnColumns(width int) []int {
	return f.Columns[:sort.SearchInts(f.Columns, width)]
}

// newFilter compiles the conjuncts, or returns nil when there are none.
func newFilter(s *scope, conjuncts []dialect.Expr, o *row.BindOptions) (*Filter, error) {
	if len(conjuncts) == 0 {
		return nil, nil
	}
	c := filterCompiler{scope: s, opts: o}
	all := make(junction, 0, len(conjuncts))
	for _, e := range conjuncts {
		cond, err := c.compile(e)
		if err != nil {
			return nil, err
		}
		all = append(all, cond)
	}
	return &Filter{Columns: sortedUnique(c.columns), root: all}, nil
}

type filterCompiler struct {
	scope   *scope
	opts    *row.BindOptions
	columns []int
}

func (c *filterCompiler) compile(e dialect.Expr) (condition, error) {
	switch e := e.(type) {
	case *dialect.Binary:
		return c.binary(e)
	case *dialect.Unary:
		if e.Op == "NOT" {
			x, err := c.compile(e.X)
			return negation{x}, err
		}
	case *dialect.In:
		return c.in(e)
	case *dialect.Between:
		return c.between(e)
	case *dialect.Like:
		return c.like(e)
	case *dialect.IsNull:
		return c.isNull(e)
	case *dialect.ColumnRef:
		col, err := c.column(e)
		if err != nil {
			return nil, err
		}
		if c.scope.column(col).Type.Kind != catalog.Boolean {
			return nil, fmt.Errorf("column %s is %s and cannot stand as a condition by itself", e.Name, c.scope.column(col).Type.Name())
		}
		return isTrue(col), nil
	case *dialect.Operand:
		return constant(e)
	}
	return nil, refuseExpr(e)
}

func refuseExpr(e dialect.Expr) error {
	what := "this expression"
	switch e := e.(type) {
	case *dialect.Func:
		what = e.Name + "(...)"
	case *dialect.Exists:
		what = "EXISTS"
	case *dialect.Binary:
		what = "the operator " + e.Op
	}
	return &dialect.UnsupportedError{Feature: what + " in WHERE",
		Reason: "rows can be compared with values, column by column",
		Hint:   "use = <> < <= > >= BETWEEN IN LIKE IS NULL AND OR NOT between a column and a literal or parameter"}
}

// isNull is the one thing that can be said of nested values.
func (c *filterCompiler) isNull(e *dialect.IsNull) (condition, error) {
	ref, ok := e.X.(*dialect.ColumnRef)
	if !ok {
		return nil, refuseExpr(e.X)
	}
	i, err := c.scope.resolve(ref.Qualifier, ref.Name)
	c.columns = append(c.columns, i)
	return isNull{i, e.Not}, err
}

// column resolves a column reference and notes that the filter needs it.
func (c *filterCompiler) column(e dialect.Expr) (int, error) {
	ref, ok := e.(*dialect.ColumnRef)
	if !ok {
		return 0, refuseExpr(e)
	}
	i, err := c.scope.resolve(ref.Qualifier, ref.Name)
	if err != nil {
		return 0, err
	}
	if t := &c.scope.column(i).Type; t.IsNested() {
		return i, c.nestedAllowed(ref, t)
	}
	c.columns = append(c.columns, i)
	return i, nil
}

func (c *filterCompiler) nestedAllowed(ref *dialect.ColumnRef, t *catalog.Type) error {
	return &dialect.UnsupportedError{Feature: "a condition on " + ref.Name + " " + t.Name(),
		Reason: "nested values are not compared", Hint: "read the rows and compare in Go"}
}

func (c *filterCompiler) binary(e *dialect.Binary) (condition, error) {
	switch e.Op {
	case "AND", "OR":
		l, err := c.compile(e.L)
		if err != nil {
			return nil, err
		}
		r, err := c.compile(e.R)
		if e.Op == "AND" {
			return junction{l, r}, err
		}
		return disjunction{l, r}, err
	}
	test, ok := comparisons[e.Op]
	if !ok {
		return nil, refuseExpr(e)
	}
	if lt, ok := e.L.(*dialect.Tuple); ok {
		return c.tupleEqual(e, lt)
	}
	return c.compare(e.L, e.R, test)
}

// compare handles column-value, value-column, column-column and value-value.
func (c *filterCompiler) compare(l, r dialect.Expr, test comparison) (condition, error) {
	lo, lIsValue := l.(*dialect.Operand)
	ro, rIsValue := r.(*dialect.Operand)
	switch {
	case lIsValue && rIsValue:
		return compareConstants(lo, ro, test)
	case lIsValue:
		return c.compareValue(r, lo, test.flipped())
	case rIsValue:
		return c.compareValue(l, ro, test)
	}
	a, err := c.column(l)
	if err != nil {
		return nil, err
	}
	b, err := c.column(r)
	if err != nil {
		return nil, err
	}
	ta, tb := c.scope.column(a).Type, c.scope.column(b).Type
	ta.NotNull, tb.NotNull = false, false
	if ta.Name() != tb.Name() {
		return nil, fmt.Errorf("cannot compare %s %s with %s %s", c.scope.column(a).Name, ta.Name(), c.scope.column(b).Name, tb.Name())
	}
	return compareColumns{a, b, &ta, test}, nil
}

func (c *filterCompiler) compareValue(col dialect.Expr, op *dialect.Operand, test comparison) (condition, error) {
	i, err := c.column(col)
	if err != nil {
		return nil, err
	}
	v, err := c.value(i, op)
	return compareValue{i, v, test}, err
}

func (c *filterCompiler) value(col int, op *dialect.Operand) (operand, error) {
	column := c.scope.column(col)
	t := *nullable(&column.Type)
	if t.Kind == catalog.Timestamp || t.Kind == catalog.TimestampLTZ { // more digits than the column has are compared, not refused
		t.Precision = 9
	}
	return newOperand(c.scope.table.Path.String(), column.Name, &t, op, c.opts)
}

func (c *filterCompiler) tupleEqual(e *dialect.Binary, l *dialect.Tuple) (condition, error) {
	r, ok := e.R.(*dialect.Tuple)
	if e.Op != "=" || !ok || len(l.List) != len(r.List) {
		return nil, refuseExpr(e)
	}
	var all junction
	for i := range l.List {
		cond, err := c.compare(l.List[i], r.List[i], comparisons["="])
		if err != nil {
			return nil, err
		}
		all = append(all, cond)
	}
	return all, nil
}

func (c *filterCompiler) in(e *dialect.In) (condition, error) {
	var any disjunction
	for _, item := range e.List {
		cond, err := c.binary(&dialect.Binary{Op: "=", L: e.X, R: item, Pos: e.Pos})
		if err != nil {
			return nil, err
		}
		if cv, ok := cond.(compareValue); ok && len(e.List) == 1 {
			cond = inList{cv}
		}
		any = append(any, cond)
	}
	if e.Not {
		return negation{any}, nil
	}
	return any, nil
}

func (c *filterCompiler) between(e *dialect.Between) (condition, error) {
	lo, err := c.compare(e.X, e.Lo, comparisons[">="])
	if err != nil {
		return nil, err
	}
	hi, err := c.compare(e.X, e.Hi, comparisons["<="])
	if err != nil {
		return nil, err
	}
	if e.Not {
		return negation{junction{lo, hi}}, nil
	}
	return junction{lo, hi}, nil
}

func (c *filterCompiler) like(e *dialect.Like) (condition, error) {
	col, err := c.column(e.X)
	if err != nil {
		return nil, err
	}
	if k := c.scope.column(col).Type.Kind; k != catalog.String && k != catalog.Char {
		return nil, fmt.Errorf("LIKE needs a STRING or CHAR column, %s is %s", c.scope.column(col).Name, c.scope.column(col).Type.Name())
	}
	pattern, ok := e.Pattern.(*dialect.Operand)
	if !ok {
		return nil, refuseExpr(e.Pattern)
	}
	escape := byte('\\')
	if e.Escape != nil {
		op, ok := e.Escape.(*dialect.Operand)
		if !ok || op.Kind != dialect.String || len(op.Text) != 1 {
			return nil, fmt.Errorf("ESCAPE needs a string of one character")
		}
		escape = op.Text[0]
	}
	text := catalog.Type{Kind: catalog.String}
	v, err := newOperand(c.scope.table.Path.String(), c.scope.column(col).Name, &text, pattern, c.opts)
	return like{col, v, escape, e.Not}, err
}
