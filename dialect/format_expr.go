package dialect

import "strings"

// Levels of binding, as in the grammar above expr.
const (
	orLevel = iota + 1
	andLevel
	notLevel
	comparisonLevel
	sumLevel
	productLevel
	signLevel
	primaryLevel
)

var binaryLevels = map[string]int{"OR": orLevel, "AND": andLevel, "+": sumLevel, "-": sumLevel,
	"*": productLevel, "/": productLevel, "%": productLevel}

func level(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		if l := binaryLevels[e.Op]; l != 0 {
			return l
		}
		return comparisonLevel
	case *Unary:
		if e.Op == "NOT" {
			return notLevel
		}
		return signLevel
	case *In, *Between, *Like, *IsNull:
		return comparisonLevel
	}
	return primaryLevel
}

// expr prints e, in parentheses if it binds more loosely than least.
func (f *formatter) expr(e Expr, least int) {
	if level(e) < least {
		f.add("(")
		defer f.add(")")
	}
	switch e := e.(type) {
	case *Operand:
		f.operand(e)
	case *ColumnRef:
		f.qualifier(e.Qualifier)
		f.name(e.Name)
	case *Star:
		f.qualifier(e.Qualifier)
		f.add("*")
	case *Unary:
		f.add(e.Op, " ")
		f.expr(e.X, level(e))
	case *Binary:
		l := level(e)
		left := l
		if l == comparisonLevel { // comparisons do not chain
			left = sumLevel
		}
		f.expr(e.L, left)
		f.add(" ", e.Op, " ")
		f.expr(e.R, max(left, l+1))
	case *Tuple:
		f.exprs(e.List)
	case *Func:
		f.call(e)
	case *Exists:
		f.add("EXISTS (")
		f.selectStatement(e.Select)
		f.add(")")
	default:
		f.predicate(e)
	}
}

func (f *formatter) qualifier(q string) {
	if q != "" {
		f.name(q)
		f.add(".")
	}
}

// exprs prints (a, b, ...).
func (f *formatter) exprs(list []Expr) {
	f.add("(")
	f.list(len(list), func(i int) { f.expr(list[i], orLevel) })
	f.add(")")
}

func (f *formatter) call(e *Func) {
	f.add(e.Name)
	if strings.HasPrefix(e.Name, "@@") {
		return
	}
	f.add("(")
	f.when(e.Distinct, "DISTINCT ")
	f.list(len(e.Args), func(i int) { f.expr(e.Args[i], orLevel) })
	f.add(")")
}

func (f *formatter) predicate(e Expr) {
	switch e := e.(type) {
	case *In:
		f.expr(e.X, sumLevel)
		f.when(e.Not, " NOT")
		f.add(" IN ")
		f.exprs(e.List)
	case *Between:
		f.expr(e.X, sumLevel)
		f.when(e.Not, " NOT")
		f.add(" BETWEEN ")
		f.expr(e.Lo, sumLevel)
		f.add(" AND ")
		f.expr(e.Hi, sumLevel)
	case *Like:
		f.expr(e.X, sumLevel)
		f.when(e.Not, " NOT")
		f.add(" LIKE ")
		f.expr(e.Pattern, sumLevel)
		if e.Escape != nil {
			f.add(" ESCAPE ")
			f.expr(e.Escape, sumLevel)
		}
	case *IsNull:
		f.expr(e.X, sumLevel)
		f.add(" IS ")
		f.when(e.Not, "NOT ")
		f.add("NULL")
	}
}
