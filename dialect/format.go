package dialect

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// Format prints a statement in one canonical form: names in backticks, words in upper case, one line. What it
// prints parses again to the same statement, positions and SelectItem.Text apart. Hints stand right behind the
// verb, so '?' markers in hints that stood behind others change their order.
func Format(s Statement) string {
	f := formatter{}
	f.statement(s)
	return string(f.b)
}

// formatter appends to b. names are those of the named parameters, nil when parameters are '?'.
type formatter struct {
	b     []byte
	names []string
}

func (f *formatter) add(parts ...string) {
	for _, s := range parts {
		f.b = append(f.b, s...)
	}
}

// when adds s if ok.
func (f *formatter) when(ok bool, s string) {
	if ok {
		f.add(s)
	}
}

func (f *formatter) name(s string) {
	f.add("`", strings.ReplaceAll(s, "`", "``"), "`")
}

var stringEscapes = strings.NewReplacer(`\`, `\\`, `'`, `''`)

func (f *formatter) string(s string) {
	f.add("'", stringEscapes.Replace(s), "'")
}

func (f *formatter) table(t TableName) {
	if t.Database != "" {
		f.name(t.Database)
		f.add(".")
	}
	if t.Suffix != "" {
		t.Table += "$" + t.Suffix
	}
	f.name(t.Table)
}

// list calls one for 0 to n-1 with ", " in between.
func (f *formatter) list(n int, one func(i int)) {
	for i := range n {
		f.when(i > 0, ", ")
		one(i)
	}
}

func (f *formatter) columns(list []ColumnName) {
	f.add("(")
	f.list(len(list), func(i int) { f.name(list[i].Name) })
	f.add(")")
}

func (f *formatter) options(list []Option) {
	f.add("(")
	f.list(len(list), func(i int) {
		f.string(list[i].Key)
		f.add(" = ")
		f.string(list[i].Value)
	})
	f.add(")")
}

func (f *formatter) partition(list []Option) {
	f.add("PARTITION (")
	f.list(len(list), func(i int) {
		f.name(list[i].Key)
		f.add(" = ")
		f.string(list[i].Value)
	})
	f.add(")")
}

func (f *formatter) hints(list []Hint) {
	if len(list) == 0 {
		return
	}
	f.add("/*+ ")
	f.list(len(list), func(i int) {
		f.add(list[i].Name)
		if list[i].Options != nil {
			f.options(list[i].Options)
		}
		if list[i].Args != nil {
			f.operands("(", list[i].Args, ")")
		}
	})
	f.add(" */ ")
}

func (f *formatter) operands(open string, list []Operand, closing string) {
	f.add(open)
	f.list(len(list), func(i int) { f.operand(&list[i]) })
	f.add(closing)
}

func (f *formatter) operand(o *Operand) {
	switch o.Kind {
	case Param:
		if o.Index < len(f.names) {
			f.add(":", f.names[o.Index])
		} else {
			f.add("?")
		}
	case Null:
		f.add("NULL")
	case Bool:
		f.add(strings.ToUpper(o.Text))
	case Number:
		f.add(o.Text)
	case String:
		f.string(o.Text)
	case HexBytes:
		f.add("X'", hex.EncodeToString([]byte(o.Text)), "'")
	case DateLit:
		f.add("DATE ")
		f.string(o.Text)
	case TimeLit:
		f.add("TIME ")
		f.string(o.Text)
	case TimestampLit:
		f.add("TIMESTAMP ")
		f.string(o.Text)
	case Default:
		f.add("DEFAULT")
	case ArrayLit:
		f.operands("ARRAY[", o.Args, "]")
	case MapLit:
		f.operands("MAP[", o.Args, "]")
	case RowLit:
		f.operands("ROW(", o.Args, ")")
	case ValuesOf:
		f.add("VALUES(")
		f.name(o.Text)
		f.add(")")
	}
}

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

func (f *formatter) integer(n int) { f.b = strconv.AppendInt(f.b, int64(n), 10) }
