package infoschema

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
)

// expr is a compiled expression. Values are nil, int64, float64 and string; a truth value is 1, 0 or nil, as in MySQL.
type expr struct {
	typ  *catalog.Type
	eval func(r []any) any
}

// filter is a conjunct of WHERE and the columns that it looks at.
type filter struct {
	expr
	needs []bool
}

func constant(v any) expr {
	t := &text
	switch v.(type) {
	case int64:
		t = &integer
	case float64:
		t = &double
	}
	return expr{typ: t, eval: func([]any) any { return v }}
}

func (c *compiler) expr(e dialect.Expr) (expr, error) {
	switch e := e.(type) {
	case *dialect.Operand:
		return c.operand(e)
	case *dialect.ColumnRef:
		return c.column(e)
	case *dialect.Unary:
		return c.unary(e)
	case *dialect.Binary:
		return c.binary(e)
	case *dialect.In:
		return c.in(e)
	case *dialect.Between:
		lo := &dialect.Binary{Op: ">=", L: e.X, R: e.Lo, Pos: e.Pos}
		hi := &dialect.Binary{Op: "<=", L: e.X, R: e.Hi, Pos: e.Pos}
		x, err := c.binary(&dialect.Binary{Op: "AND", L: lo, R: hi, Pos: e.Pos})
		return negatedIf(e.Not, x), err
	case *dialect.Like:
		return c.like(e)
	case *dialect.IsNull:
		x, err := c.expr(e.X)
		return logic(func(r []any) any { return truth((x.eval(r) == nil) != e.Not) }), err
	case *dialect.Func:
		return c.function(e)
	}
	return expr{}, refuse(e)
}

func refuse(e dialect.Expr) error {
	what := strings.TrimPrefix(fmt.Sprintf("%T", e), "*dialect.")
	return &dialect.UnsupportedError{Feature: "this expression (" + what + ") on information_schema", Hint: "compute it in Go"}
}

func (c *compiler) operand(op *dialect.Operand) (expr, error) {
	switch op.Kind {
	case dialect.Param:
		v, err := c.argument(op.Index)
		return constant(v), err
	case dialect.Null:
		return constant(nil), nil
	case dialect.Bool:
		return constant(truth(op.Text == "true")), nil
	case dialect.Number:
		return constant(number(op.Text)), nil
	case dialect.String, dialect.HexBytes, dialect.DateLit, dialect.TimeLit, dialect.TimestampLit:
		return constant(op.Text), nil
	}
	return expr{}, &dialect.UnsupportedError{Feature: "this literal on information_schema"}
}

// number is an integer where it can be.
func number(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	return f
}

func (c *compiler) argument(i int) (any, error) {
	if i >= len(c.args) {
		return nil, fmt.Errorf("there is no argument for parameter %d", i+1)
	}
	v, err := value(c.args[i].Value)
	if err != nil {
		return nil, fmt.Errorf("parameter %d: %w", i+1, err)
	}
	return v, nil
}

func value(v any) (any, error) {
	d, err := driver.DefaultParameterConverter.ConvertValue(v)
	switch x := d.(type) {
	case bool:
		return truth(x), err
	case []byte:
		return string(x), err
	case time.Time:
		return x.UTC().Format(timeLayout), err
	}
	return d, err
}

// logic is an expression whose value is a truth value.
func logic(f func(r []any) any) expr { return expr{typ: &integer, eval: f} }

func truth(b bool) any {
	if b {
		return int64(1)
	}
	return int64(0)
}

// isTrue is false for NULL as well; known tells them apart.
func isTrue(v any) (yes, known bool) {
	switch v := v.(type) {
	case nil:
		return false, false
	case int64:
		return v != 0, true
	case float64:
		return v != 0, true
	case string:
		f, _ := strconv.ParseFloat(v, 64)
		return f != 0, true
	}
	return false, true
}

func not(v any) any {
	yes, known := isTrue(v)
	if !known {
		return nil
	}
	return truth(!yes)
}

func negatedIf(b bool, x expr) expr {
	if !b {
		return x
	}
	return logic(func(r []any) any { return not(x.eval(r)) })
}

func (c *compiler) unary(e *dialect.Unary) (expr, error) {
	if e.Op != "NOT" {
		return expr{}, refuse(e)
	}
	x, err := c.expr(e.X)
	return negatedIf(true, x), err
}

func (c *compiler) binary(e *dialect.Binary) (expr, error) {
	l, err := c.expr(e.L)
	if err != nil {
		return expr{}, err
	}
	r, err := c.expr(e.R)
	if err != nil {
		return expr{}, err
	}
	switch e.Op {
	case "AND", "OR":
		return junction(e.Op == "OR", l, r), nil
	}
	holds, ok := comparisons[e.Op]
	if !ok {
		return expr{}, &dialect.UnsupportedError{Feature: "the operator " + e.Op + " on information_schema", Hint: "compute it in Go"}
	}
	return logic(func(row []any) any { return compared(l.eval(row), r.eval(row), holds) }), nil
}

// junction is AND, or OR: the side that decides wins, then NULL.
func junction(decisive bool, l, r expr) expr {
	return logic(func(row []any) any {
		a, knownA := isTrue(l.eval(row))
		if knownA && a == decisive {
			return truth(decisive)
		}
		b, knownB := isTrue(r.eval(row))
		if knownB && b == decisive {
			return truth(decisive)
		}
		if !knownA || !knownB {
			return nil
		}
		return truth(!decisive)
	})
}

func (c *compiler) in(e *dialect.In) (expr, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return expr{}, err
	}
	found := constant(truth(false))
	for _, item := range e.List {
		list, err := c.listItem(item)
		if err != nil {
			return expr{}, err
		}
		for _, v := range list {
			equal := logic(func(r []any) any { return compared(x.eval(r), v.eval(r), comparisons["="]) })
			found = junction(true, found, equal)
		}
	}
	return negatedIf(e.Not, found), nil
}

// listItem is one element of an IN list, or several where a parameter is a slice.
func (c *compiler) listItem(e dialect.Expr) ([]expr, error) {
	if op, ok := e.(*dialect.Operand); ok && op.Kind == dialect.Param && op.Index < len(c.args) {
		v := reflect.ValueOf(c.args[op.Index].Value)
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 {
			var list []expr
			for i := range v.Len() {
				one, err := value(v.Index(i).Interface())
				if err != nil {
					return nil, fmt.Errorf("parameter %d: %w", op.Index+1, err)
				}
				list = append(list, constant(one))
			}
			return list, nil
		}
	}
	x, err := c.expr(e)
	return []expr{x}, err
}

func (c *compiler) like(e *dialect.Like) (expr, error) {
	if e.Escape != nil {
		return expr{}, &dialect.UnsupportedError{Feature: "ESCAPE on information_schema", Hint: "escape by a backslash"}
	}
	x, err := c.expr(e.X)
	if err != nil {
		return expr{}, err
	}
	pattern, err := c.expr(e.Pattern)
	return negatedIf(e.Not, logic(func(r []any) any {
		s, p := x.eval(r), pattern.eval(r)
		if s == nil || p == nil {
			return nil
		}
		return truth(plan.LikeMatch(fmt.Sprint(s), fmt.Sprint(p)))
	})), err
}
