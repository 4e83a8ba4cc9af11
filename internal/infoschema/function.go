package infoschema

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/dialect"
)

// timeLayout is how times are written.
const timeLayout = "2006-01-02 15:04:05"

func (c *compiler) function(f *dialect.Func) (expr, error) {
	args := make([]expr, len(f.Args))
	for i := range f.Args {
		var err error
		if args[i], err = c.expr(f.Args[i]); err != nil {
			return expr{}, err
		}
	}
	switch n := len(args); {
	case n == 0 && (f.Name == "DATABASE" || f.Name == "SCHEMA" || f.Name == "CURRENT_DATABASE" || f.Name == "CURRENT_SCHEMA"):
		return constant(c.session.Database), nil
	case n == 0 && (f.Name == "VERSION" || f.Name == "@@VERSION"):
		return constant(c.session.Version), nil
	case n > 0 && f.Name == "COALESCE", n == 2 && f.Name == "IFNULL":
		return coalesce(args), nil
	case n == 1 && (f.Name == "LOWER" || f.Name == "LCASE"):
		return onText(strings.ToLower, args[0]), nil
	case n == 1 && (f.Name == "UPPER" || f.Name == "UCASE"):
		return onText(strings.ToUpper, args[0]), nil
	case n > 0 && f.Name == "CONCAT":
		return concat(args), nil
	case f.Name == "COUNT":
		return expr{}, &dialect.UnsupportedError{Feature: "COUNT inside an expression", Hint: "use it as an item of the select list"}
	}
	return expr{}, &dialect.UnsupportedError{Feature: f.Name + " on information_schema", Reason: "DATABASE, VERSION, COALESCE, IFNULL, LOWER, UPPER, CONCAT and COUNT are known", Hint: "compute it in Go"}
}

// coalesce has the type of its arguments where they agree, and is text where they do not.
func coalesce(args []expr) expr {
	t := args[0].typ
	for _, a := range args[1:] {
		if a.typ.Kind != t.Kind {
			t = &text
		}
	}
	nullable := *t
	nullable.NotNull = false
	asText := t.Kind == text.Kind
	return expr{typ: &nullable, eval: func(r []any) any {
		for _, a := range args {
			if v := a.eval(r); v != nil {
				if asText {
					return fmt.Sprint(v)
				}
				return v
			}
		}
		return nil
	}}
}

func onText(f func(string) string, x expr) expr {
	return expr{typ: &text, eval: func(r []any) any {
		v := x.eval(r)
		if v == nil {
			return nil
		}
		return f(fmt.Sprint(v))
	}}
}

func concat(args []expr) expr {
	return expr{typ: &text, eval: func(r []any) any {
		var b strings.Builder
		for _, a := range args {
			v := a.eval(r)
			if v == nil {
				return nil
			}
			fmt.Fprint(&b, v)
		}
		return b.String()
	}}
}

// comparisons say for which order of two values an operator holds.
var comparisons = map[string]func(order int) bool{
	"=":  func(o int) bool { return o == 0 },
	"<>": func(o int) bool { return o != 0 },
	"<":  func(o int) bool { return o < 0 },
	"<=": func(o int) bool { return o <= 0 },
	">":  func(o int) bool { return o > 0 },
	">=": func(o int) bool { return o >= 0 },
}

func compared(a, b any, holds func(int) bool) any {
	if a == nil || b == nil {
		return nil
	}
	return truth(holds(compare(a, b)))
}

// compare orders two values that are not NULL: as numbers if both read as numbers and one is one, else as text.
func compare(a, b any) int {
	x, textA := a.(string)
	y, textB := b.(string)
	if textA && textB {
		return strings.Compare(x, y)
	}
	i, intA := a.(int64)
	j, intB := b.(int64)
	if intA && intB {
		return cmp.Compare(i, j)
	}
	f, errA := strconv.ParseFloat(fmt.Sprint(a), 64)
	g, errB := strconv.ParseFloat(fmt.Sprint(b), 64)
	if errA == nil && errB == nil {
		return cmp.Compare(f, g)
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func compareNullsFirst(a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return compare(a, b)
}
