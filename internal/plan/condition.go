package plan

import (
	"bytes"
	"database/sql/driver"
	"fmt"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// junction is AND, disjunction is OR.
type (
	junction    []condition
	disjunction []condition
	negation    struct{ x condition }
)

func bindAll(list []condition, args []driver.NamedValue, o *row.BindOptions) ([]predicate, error) {
	out := make([]predicate, len(list))
	for i, c := range list {
		var err error
		if out[i], err = c.bind(args, o); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (j junction) bind(args []driver.NamedValue, o *row.BindOptions) (predicate, error) {
	list, err := bindAll(j, args, o)
	return func(v []row.Datum) tri {
		result := yes
		for _, p := range list {
			if result = min(result, p(v)); result == no {
				break
			}
		}
		return result
	}, err
}

func (d disjunction) bind(args []driver.NamedValue, o *row.BindOptions) (predicate, error) {
	list, err := bindAll(d, args, o)
	return func(v []row.Datum) tri {
		result := no
		for _, p := range list {
			if result = max(result, p(v)); result == yes {
				break
			}
		}
		return result
	}, err
}

func (n negation) bind(args []driver.NamedValue, o *row.BindOptions) (predicate, error) {
	x, err := n.x.bind(args, o)
	return func(v []row.Datum) tri { return yes - x(v) }, err
}

type isNull struct {
	col int
	not bool
}

func (c isNull) bind([]driver.NamedValue, *row.BindOptions) (predicate, error) {
	return func(v []row.Datum) tri { return truth(v[c.col].Null != c.not) }, nil
}

type isTrue int

func (c isTrue) bind([]driver.NamedValue, *row.BindOptions) (predicate, error) {
	return func(v []row.Datum) tri {
		if v[c].Null {
			return unknown
		}
		return truth(v[c].I != 0)
	}, nil
}

type always tri

func (c always) bind([]driver.NamedValue, *row.BindOptions) (predicate, error) {
	return func([]row.Datum) tri { return tri(c) }, nil
}

// constant is a literal that stands as a condition: TRUE, FALSE, NULL, 0, 1.
func constant(op *dialect.Operand) (condition, error) {
	switch {
	case op.Kind == dialect.Null:
		return always(unknown), nil
	case op.Kind == dialect.Bool:
		return always(truth(op.Text == "true")), nil
	case op.Kind == dialect.Number:
		d, err := decimal.NewFromString(op.Text)
		return always(truth(!d.IsZero())), err
	}
	return nil, fmt.Errorf("a value cannot stand as a condition by itself")
}

// comparison says for which orders of two values it holds.
type comparison struct{ less, equal, greater bool }

var comparisons = map[string]comparison{
	"=":  {equal: true},
	"<>": {less: true, greater: true},
	"<":  {less: true},
	"<=": {less: true, equal: true},
	">":  {greater: true},
	">=": {equal: true, greater: true},
}

func (c comparison) flipped() comparison { return comparison{c.greater, c.equal, c.less} }

func (c comparison) holds(order int) tri {
	switch {
	case order < 0:
		return truth(c.less)
	case order > 0:
		return truth(c.greater)
	}
	return truth(c.equal)
}

// compareConstants compares two literals, as in WHERE 1 = 0.
func compareConstants(l, r *dialect.Operand, test comparison) (condition, error) {
	if l.Kind == dialect.Null || r.Kind == dialect.Null {
		return always(unknown), nil
	}
	if l.Kind == dialect.String && r.Kind == dialect.String {
		return always(test.holds(bytes.Compare([]byte(l.Text), []byte(r.Text)))), nil
	}
	if l.Kind == dialect.Number && r.Kind == dialect.Number {
		a, err := decimal.NewFromString(l.Text)
		if err != nil {
			return nil, err
		}
		b, err := decimal.NewFromString(r.Text)
		return always(test.holds(a.Cmp(b))), err
	}
	return nil, fmt.Errorf("a comparison needs a column on one side")
}

type compareColumns struct {
	a, b int
	typ  *catalog.Type
	test comparison
}

func (c compareColumns) bind([]driver.NamedValue, *row.BindOptions) (predicate, error) {
	return func(v []row.Datum) tri {
		if v[c.a].Null || v[c.b].Null {
			return unknown
		}
		return c.test.holds(row.Compare(&v[c.a], &v[c.b], c.typ))
	}, nil
}

// operand is the value side of a comparison. exact is set for a number that the column's type cannot hold, such as
// 10.555 beside a DECIMAL(15,2): rows are then compared with it as decimals.
type operand struct {
	table, column string
	typ           *catalog.Type
	src           Source
	exact         *decimal.Decimal
}

func newOperand(table, column string, t *catalog.Type, op *dialect.Operand, o *row.BindOptions) (operand, error) {
	v := operand{table: table, column: column, typ: t}
	var err error
	if v.src, err = newSource(op, t, o); err != nil {
		if exact, ok := exactNumber(t, op.Text); ok && op.Kind == dialect.Number {
			v.exact = &exact
			return v, nil
		}
		return v, &ValueError{Table: table, Column: column, Err: err}
	}
	return v, nil
}

func exactNumber(t *catalog.Type, text string) (decimal.Decimal, bool) {
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Decimal:
		d, err := decimal.NewFromString(text)
		return d, err == nil && len(text) < 80
	}
	return decimal.Decimal{}, false
}

// compare binds the value and returns how a datum of the column compares with it.
func (v operand) compare(args []driver.NamedValue, o *row.BindOptions) (func(d *row.Datum) (order int, null bool), error) {
	exact := v.exact
	var want row.Datum
	if exact == nil {
		if err := v.src.Bind(&want, args, o); err != nil {
			number, ok := exactNumber(v.typ, fmt.Sprint(args[v.src.Param].Value))
			if !ok {
				return nil, &ValueError{Table: v.table, Column: v.column, Err: err}
			}
			exact = &number
		}
	}
	if exact != nil {
		return func(d *row.Datum) (int, bool) {
			if d.Null {
				return 0, true
			}
			have, err := decimal.NewFromString(string(row.Text(nil, d, v.typ, nil)))
			if err != nil {
				return 0, true
			}
			return have.Cmp(*exact), false
		}, nil
	}
	return func(d *row.Datum) (int, bool) {
		if d.Null || want.Null {
			return 0, true
		}
		return row.Compare(d, &want, v.typ), false
	}, nil
}

type compareValue struct {
	col  int
	val  operand
	test comparison
}

func (c compareValue) bind(args []driver.NamedValue, o *row.BindOptions) (predicate, error) {
	compare, err := c.val.compare(args, o)
	return func(v []row.Datum) tri {
		order, null := compare(&v[c.col])
		if null {
			return unknown
		}
		return c.test.holds(order)
	}, err
}

// inList is the lone element of an IN list, whose argument may be a slice.
type inList struct{ compareValue }

func (c inList) bind(args []driver.NamedValue, o *row.BindOptions) (predicate, error) {
	p := c.val.src.Param
	if c.val.exact != nil || p < 0 || p >= len(args) {
		return c.compareValue.bind(args, o)
	}
	list, ok := expandList(args[p].Value)
	if !ok {
		return c.compareValue.bind(args, o)
	}
	var any disjunction
	for i := range list {
		one := c.compareValue
		one.val.src.Param = i
		any = append(any, one)
	}
	elements := make([]driver.NamedValue, len(list))
	for i, v := range list {
		elements[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return any.bind(elements, o)
}

type like struct {
	col    int
	val    operand
	escape byte
	not    bool
}

func (c like) bind(args []driver.NamedValue, o *row.BindOptions) (predicate, error) {
	var want row.Datum
	if err := c.val.src.Bind(&want, args, o); err != nil {
		return nil, &ValueError{Table: c.val.table, Column: c.val.column, Err: err}
	}
	return func(v []row.Datum) tri {
		if want.Null || v[c.col].Null {
			return unknown
		}
		return truth(likeMatch(v[c.col].B, want.B, c.escape) != c.not)
	}, nil
}

// likeMatch matches s against a LIKE pattern: % is any text, _ one character. It backtracks to the last % only, so
// it takes at most len(s)*len(p) steps.
func likeMatch(s, p []byte, escape byte) bool {
	var backP, backS []byte
	for {
		switch {
		case len(p) > 0 && p[0] == '%':
			p = p[1:]
			backP, backS = p, s
			continue
		case len(s) == 0:
			return len(p) == 0
		case len(p) > 0 && p[0] == '_':
			_, n := utf8.DecodeRune(s)
			s, p = s[n:], p[1:]
			continue
		case len(p) > 0:
			lit := p
			if p[0] == escape && len(p) > 1 {
				lit = p[1:]
			}
			if lit[0] == s[0] {
				s, p = s[1:], lit[1:]
				continue
			}
		}
		if backP == nil {
			return false
		}
		_, n := utf8.DecodeRune(backS)
		backS = backS[n:]
		s, p = backS, backP
	}
}
