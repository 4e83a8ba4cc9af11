package dialect

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/xwb1989/sqlparser"
)

// oracle reads sql with sqlparser. ok is false for what that one cannot read, or our grammar refuses.
func oracle(sql string, names []string) (tree string, ok bool, why string) {
	defer func() {
		if r := recover(); r != nil {
			tree, ok, why = "", false, fmt.Sprint(r)
		}
	}()
	s, err := sqlparser.ParseStrictDDL(sql)
	if err != nil {
		return "", false, err.Error()
	}
	c := converter{names: names}
	return dump(c.statement(s)), true, ""
}

// withoutExtras returns the statement's tree without the parts that sqlparser loses: hints and parameters.
func withoutExtras(s Statement) (tree string, names []string) {
	v := reflect.ValueOf(s).Elem()
	p := v.FieldByName("Params").Interface().(Params)
	v.FieldByName("Params").SetZero()
	v.FieldByName("Hints").SetZero()
	return dump(s), p.Names
}

// What both parsers accept, both read in the same way.
func TestOracleStatements(t *testing.T) {
	same, skipped := 0, 0
	for _, file := range goldenFiles {
		for _, g := range readGolden(t, file) {
			s, err := Parse(g.sql, Options{})
			if err != nil {
				t.Fatal(err)
			}
			switch s.(type) {
			case *Select, *Update, *Delete:
			default:
				continue
			}
			got, names := withoutExtras(s)
			want, ok, _ := oracle(strings.TrimSuffix(g.sql, ";"), names)
			if !ok || misread(g.sql) {
				skipped++
				continue
			}
			if same++; got != want {
				t.Errorf("%s\nours      %s\nsqlparser %s", g.sql, got, want)
			}
		}
	}
	t.Logf("%d statements read alike, %d that sqlparser cannot read", same, skipped)
}

// misread reports whether sqlparser is known to take sql for something else: DATE 'x' for a column and its
// alias, '- -1' for 1, '\%' for '%', CAST and functions without parentheses for its own nodes; and it
// loses hints.
func misread(sql string) bool {
	for _, w := range []string{"DATE '", "TIME '", "TIMESTAMP '", "- -", "- 3", `\%`, "CAST(", "@@", "/*+"} {
		if strings.Contains(sql, w) {
			return true
		}
	}
	for w := range bareFunctions {
		if strings.Contains(sql, w) {
			return true
		}
	}
	return false
}

// Random expressions: both accept and agree, or we refuse. What we accept and sqlparser does not is a failure.
func TestOracleExpressions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	same, refused := 0, 0
	for range 20_000 {
		g := generator{r: r}
		g.expr(4)
		sql := "select a from t where " + g.b.String()
		s, err := Parse(sql, Options{})
		if err != nil {
			if want, ok, _ := oracle(sql, nil); ok {
				t.Fatalf("%s\nours      %v\nsqlparser %s", sql, err, want)
			}
			refused++
			continue
		}
		got, _ := withoutExtras(s)
		want, ok, why := oracle(sql, nil)
		if !ok || got != want {
			t.Fatalf("%s\nours      %s\nsqlparser %s %s", sql, got, want, why)
		}
		same++
	}
	t.Logf("%d expressions read alike, %d refused by both", same, refused)
}

// generator writes random expressions with parentheses at random, so that precedence is left to the parser.
type generator struct {
	r *rand.Rand
	b strings.Builder
}

func (g *generator) pick(list ...string) { g.b.WriteString(list[g.r.IntN(len(list))]) }

func (g *generator) expr(depth int) {
	if depth == 0 || g.r.IntN(5) == 0 {
		g.pick("a", "t.b", "`c d`", "1", "2.5", ".5", "1e3", "'x'", "'it''s'", "?", "null", "true", "x'0a'", "f(a, 1)", "count(*)", "(a, b)")
		return
	}
	switch g.r.IntN(12) {
	case 0:
		g.b.WriteString("(")
		g.expr(depth - 1)
		g.b.WriteString(")")
	case 1:
		g.b.WriteString("not ")
		g.expr(depth - 1)
	case 2:
		g.pick("-a", "+a", "-(a)", "-1", "+1", "-f(1)")
	case 3:
		g.expr(depth - 1)
		g.pick(" is null", " is not null")
	case 4:
		g.expr(depth - 1)
		g.pick(" in (1, 'x')", " not in (?)", " in ((1, 2), (3, 4))")
	case 5:
		g.expr(depth - 1)
		g.pick(" between ", " not between ")
		g.expr(depth - 1)
		g.b.WriteString(" and ")
		g.expr(depth - 1)
	case 6:
		g.expr(depth - 1)
		g.pick(" like ", " not like ")
		g.expr(depth - 1)
	default:
		g.expr(depth - 1)
		g.pick(" and ", " or ", " + ", " - ", " * ", " / ", " % ", " = ", " <> ", " < ", " >= ", " != ")
		g.expr(depth - 1)
	}
}

// sqlparser panics on this text; ours refuses it.
func TestPanicOfSQLParser(t *testing.T) {
	_, err := Parse("/*!*/", Options{})
	if !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v", err)
	}
}
