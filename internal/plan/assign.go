package plan

import (
	"database/sql/driver"
	"fmt"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// Assignment is one column = value of an UPDATE. The value is a literal or a parameter, or computed from the row as it
// was before the statement: the same one for all assignments.
type Assignment struct {
	Column int
	src    Source
	calc   number // nil: src
	copied int    // a column whose value is taken as it is; -1: none
	float  bool   // computed as DOUBLE, since a FLOAT or DOUBLE takes part; else exactly, as decimals
	typ    *catalog.Type
}

// Reads reports whether the value depends on the row.
func (a *Assignment) Reads() bool { return a.calc != nil || a.copied >= 0 }

// Bind puts the new value into d. old is the row as it was, of the table's width.
func (a *Assignment) Bind(d *row.Datum, old []row.Datum, args []driver.NamedValue, o *row.BindOptions) error {
	switch {
	case a.copied >= 0:
		if old[a.copied].Null {
			return row.Bind(d, a.typ, nil, o)
		}
		*d = old[a.copied]
		return nil
	case a.calc == nil:
		return a.src.Bind(d, args, o)
	}
	x, err := a.calc.value(&calculation{old, args, a.float, o})
	switch {
	case err != nil:
		return err
	case x.null:
		return row.Bind(d, a.typ, nil, o)
	case a.float:
		if math.IsInf(x.f, 0) {
			return fmt.Errorf("the result is out of range")
		}
		return row.Bind(d, a.typ, x.f, o)
	}
	return row.Bind(d, a.typ, x.d, o)
}

// number is a part of an expression.
type number interface {
	value(c *calculation) (result, error)
}

type result struct {
	null bool
	f    float64         // of a calculation in floats
	d    decimal.Decimal // of an exact one
}

// calculation is one row's.
type calculation struct {
	old   []row.Datum
	args  []driver.NamedValue
	float bool
	opts  *row.BindOptions
}

type (
	columnNumber struct {
		col int
		typ *catalog.Type
	}
	paramNumber   struct{ at, scale int }
	literalNumber struct {
		null bool
		d    decimal.Decimal
	}
	negated    struct{ x number }
	arithmetic struct {
		op   string
		l, r number
	}
)

func (n columnNumber) value(c *calculation) (result, error) {
	d := &c.old[n.col]
	if d.Null {
		return result{null: true}, nil
	}
	switch v := row.Value(d, n.typ, nil).(type) {
	case int64:
		if c.float {
			return result{f: float64(v)}, nil
		}
		return result{d: decimal.NewFromInt(v)}, nil
	case float64:
		return result{f: v}, nil
	case string:
		return c.number(decimal.NewFromString(v))
	}
	return result{}, fmt.Errorf("a %s cannot be computed with", n.typ.Name())
}

func (c *calculation) number(d decimal.Decimal, err error) (result, error) {
	if c.float {
		return result{f: d.InexactFloat64()}, err
	}
	return result{d: d}, err
}

// value binds the argument exactly: what the calculation makes of it must fit the column, not the argument.
func (n paramNumber) value(c *calculation) (result, error) {
	if n.at >= len(c.args) {
		return result{}, fmt.Errorf("there is no argument for parameter %d", n.at+1)
	}
	v := c.args[n.at].Value
	var d row.Datum
	if c.float {
		t := catalog.Type{Kind: catalog.Double}
		if err := row.Bind(&d, &t, v, c.opts); err != nil || d.Null {
			return result{null: true}, err
		}
		return result{f: math.Float64frombits(uint64(d.I))}, nil
	}
	var err error
	for _, scale := range []int{18, n.scale, 0} { // whole and fraction digits share the 38 that there are
		t := catalog.Type{Kind: catalog.Decimal, Precision: 38, Scale: scale}
		failed := row.Bind(&d, &t, v, &row.BindOptions{})
		if failed == nil {
			if d.Null {
				return result{null: true}, nil
			}
			return c.number(decimal.NewFromString(string(row.Text(nil, &d, &t, nil))))
		}
		if err == nil {
			err = failed
		}
		d = row.Datum{}
	}
	return result{}, err
}

func (n literalNumber) value(c *calculation) (result, error) {
	if n.null {
		return result{null: true}, nil
	}
	return c.number(n.d, nil)
}

func (n negated) value(c *calculation) (result, error) {
	x, err := n.x.value(c)
	x.f, x.d = -x.f, x.d.Neg()
	return x, err
}

func (n arithmetic) value(c *calculation) (result, error) {
	l, err := n.l.value(c)
	if err != nil {
		return l, err
	}
	r, err := n.r.value(c)
	if err != nil || l.null || r.null {
		return result{null: true}, err
	}
	switch n.op {
	case "+":
		return result{f: l.f + r.f, d: l.d.Add(r.d)}, nil
	case "-":
		return result{f: l.f - r.f, d: l.d.Sub(r.d)}, nil
	}
	return result{f: l.f * r.f, d: l.d.Mul(r.d)}, nil
}

// newAssignment compiles the value of column i.
func newAssignment(i int, e dialect.Expr, sc *scope, o *row.BindOptions) (Assignment, error) {
	a := Assignment{Column: i, copied: -1, typ: &sc.table.Schema.Columns[i].Type}
	switch e := e.(type) {
	case *dialect.Operand:
		var err error
		a.src, err = newSource(e, a.typ, o)
		return a, err
	case *dialect.ColumnRef:
		from, err := a.column(e, sc)
		if err != nil {
			return a, err
		}
		if t := &sc.table.Schema.Columns[from].Type; nullable(t).Name() == nullable(a.typ).Name() {
			a.copied = from
			return a, nil
		} else if !isNumber(t) || !isNumber(a.typ) {
			return a, fmt.Errorf("it is %s, and %s is %s", nullable(a.typ).Name(), e.Name, nullable(t).Name())
		}
	}
	if !isNumber(a.typ) {
		return a, &dialect.UnsupportedError{Feature: "SET " + sc.table.Schema.Columns[i].Name + " = an expression", Reason: "the column is " + a.typ.Name() + ", and only numbers are computed", Hint: "read the row, compute in Go, and write the result"}
	}
	a.float = isFloat(a.typ)
	var err error
	a.calc, err = a.compile(e, sc)
	return a, err
}

func isFloat(t *catalog.Type) bool { return t.Kind == catalog.Float || t.Kind == catalog.Double }

func isNumber(t *catalog.Type) bool {
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt, catalog.Decimal:
		return true
	}
	return isFloat(t)
}

// column resolves a column of the row.
func (a *Assignment) column(e *dialect.ColumnRef, sc *scope) (int, error) {
	if _, err := sc.resolve(e.Qualifier, e.Name); err != nil {
		return 0, err
	}
	return sc.real(e.Name)
}

func (a *Assignment) compile(e dialect.Expr, sc *scope) (number, error) {
	switch e := e.(type) {
	case *dialect.ColumnRef:
		i, err := a.column(e, sc)
		if err != nil {
			return nil, err
		}
		t := &sc.table.Schema.Columns[i].Type
		if !isNumber(t) {
			return nil, fmt.Errorf("column %s is %s and cannot be computed with", e.Name, t.Name())
		}
		a.float = a.float || isFloat(t)
		return columnNumber{i, t}, nil
	case *dialect.Operand:
		return a.operand(e)
	case *dialect.Unary:
		if e.Op == "-" {
			x, err := a.compile(e.X, sc)
			return negated{x}, err
		}
	case *dialect.Binary:
		if !slices.Contains([]string{"+", "-", "*"}, e.Op) {
			return nil, refuseCalc("the operator " + e.Op)
		}
		l, err := a.compile(e.L, sc)
		if err != nil {
			return nil, err
		}
		r, err := a.compile(e.R, sc)
		return arithmetic{e.Op, l, r}, err
	case *dialect.Func:
		return nil, refuseCalc(e.Name + "(...)")
	}
	return nil, refuseCalc("this expression")
}

func refuseCalc(what string) error {
	return &dialect.UnsupportedError{Feature: what + " in SET", Reason: "columns, numbers and parameters can be joined by + - and *", Hint: "read the row, compute in Go, and write the result"}
}

func (a *Assignment) operand(op *dialect.Operand) (number, error) {
	switch op.Kind {
	case dialect.Param:
		return paramNumber{op.Index, a.typ.Scale}, nil
	case dialect.Null:
		return literalNumber{null: true}, nil
	case dialect.Number, dialect.String:
		// Through DOUBLE first, which refuses what is no number, and exponents that would take gigabytes of digits.
		var d row.Datum
		if err := row.BindText(&d, &catalog.Type{Kind: catalog.Double}, row.LiteralNumber, op.Text, nil); err != nil {
			return nil, err
		}
		x, err := decimal.NewFromString(op.Text)
		if err == nil && (x.Exponent() > 400 || x.Exponent() < -400) {
			err = fmt.Errorf("%s has too many digits", op.Text)
		}
		return literalNumber{d: x}, err
	}
	return nil, refuseCalc("this value")
}
