package dialect

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xwb1989/sqlparser"
)

// converter turns trees of github.com/xwb1989/sqlparser, which knows the same expression grammar, into ours,
// without positions. It panics with notOurs at what our grammar refuses.
type converter struct{ names []string }

type notOurs string

func (c *converter) statement(s sqlparser.Statement) Statement {
	switch s := s.(type) {
	case *sqlparser.Select:
		return c.selectStatement(s)
	case *sqlparser.Update:
		t, alias := c.table(s.TableExprs)
		u := &Update{Table: t, Alias: alias, Where: c.where(s.Where)}
		for _, e := range s.Exprs {
			u.Set = append(u.Set, Assignment{ColumnName{Name: e.Name.Name.String()}, c.expr(e.Expr)})
		}
		c.no(len(s.OrderBy) > 0 || s.Limit != nil, "LIMIT")
		return u
	case *sqlparser.Delete:
		t, alias := c.table(s.TableExprs)
		c.no(len(s.OrderBy) > 0 || s.Limit != nil || s.Targets != nil || s.Partitions != nil, "LIMIT")
		return &Delete{Table: t, Alias: alias, Where: c.where(s.Where)}
	}
	panic(notOurs(fmt.Sprintf("%T", s)))
}

func (c *converter) no(bad bool, what string) {
	if bad {
		panic(notOurs(what))
	}
}

func (c *converter) selectStatement(s *sqlparser.Select) *Select {
	c.no(s.Distinct != "" || s.GroupBy != nil || s.Having != nil || s.Lock != "" || s.Hints != "" || s.Cache != "", "clause")
	out := &Select{Where: c.where(s.Where)}
	for _, e := range s.SelectExprs {
		switch e := e.(type) {
		case *sqlparser.StarExpr:
			out.Items = append(out.Items, SelectItem{Expr: &Star{Qualifier: e.TableName.Name.String()}})
		case *sqlparser.AliasedExpr:
			out.Items = append(out.Items, SelectItem{Expr: c.expr(e.Expr), Alias: e.As.String()})
		default:
			c.no(true, "item")
		}
	}
	if t, alias := c.table(s.From); t.Table != "dual" { // what it puts where FROM is missing
		out.From, out.Alias = &t, alias
	}
	for _, o := range s.OrderBy {
		out.OrderBy = append(out.OrderBy, Order{c.expr(o.Expr), o.Direction == "desc"})
	}
	if s.Limit != nil {
		out.Limit, _ = c.expr(s.Limit.Rowcount).(*Operand)
		if s.Limit.Offset != nil {
			out.Offset, _ = c.expr(s.Limit.Offset).(*Operand)
		}
	}
	return out
}

func (c *converter) table(list sqlparser.TableExprs) (TableName, string) {
	c.no(len(list) != 1, "tables")
	e, ok := list[0].(*sqlparser.AliasedTableExpr)
	c.no(!ok || e.Hints != nil || e.Partitions != nil, "table")
	n, ok := e.Expr.(sqlparser.TableName)
	c.no(!ok, "subquery")
	t := TableName{Database: n.Qualifier.String(), Table: n.Name.String()}
	for _, s := range suffixes {
		if before, ok := strings.CutSuffix(t.Table, "$"+s); ok && before != "" {
			t.Table, t.Suffix = before, s
		}
	}
	return t, e.As.String()
}

func (c *converter) where(w *sqlparser.Where) Expr {
	if w == nil {
		return nil
	}
	return c.expr(w.Expr)
}

func (c *converter) exprs(list sqlparser.Exprs) []Expr {
	out := []Expr{}
	for _, e := range list {
		out = append(out, c.expr(e))
	}
	return out
}

func (c *converter) expr(e sqlparser.Expr) Expr {
	switch e := e.(type) {
	case *sqlparser.AndExpr:
		return &Binary{Op: "AND", L: c.expr(e.Left), R: c.expr(e.Right)}
	case *sqlparser.OrExpr:
		return &Binary{Op: "OR", L: c.expr(e.Left), R: c.expr(e.Right)}
	case *sqlparser.NotExpr:
		return &Unary{Op: "NOT", X: c.expr(e.Expr)}
	case *sqlparser.ParenExpr:
		return c.expr(e.Expr)
	case *sqlparser.ComparisonExpr:
		return c.comparison(e)
	case *sqlparser.RangeCond:
		return &Between{X: c.comparand(e.Left), Lo: c.expr(e.From), Hi: c.expr(e.To), Not: e.Operator == sqlparser.NotBetweenStr}
	case *sqlparser.IsExpr:
		c.no(e.Operator != sqlparser.IsNullStr && e.Operator != sqlparser.IsNotNullStr, "IS TRUE")
		return &IsNull{X: c.comparand(e.Expr), Not: e.Operator == sqlparser.IsNotNullStr}
	case *sqlparser.ExistsExpr:
		s, ok := e.Subquery.Select.(*sqlparser.Select)
		c.no(!ok, "UNION")
		return &Exists{Select: c.selectStatement(s)}
	case *sqlparser.SQLVal:
		return c.value(e)
	case *sqlparser.NullVal:
		return &Operand{Kind: Null}
	case sqlparser.BoolVal:
		return &Operand{Kind: Bool, Text: strconv.FormatBool(bool(e))}
	case *sqlparser.ColName:
		return &ColumnRef{Qualifier: e.Qualifier.Name.String(), Name: e.Name.String()}
	case sqlparser.ValTuple:
		return &Tuple{List: c.exprs(sqlparser.Exprs(e))}
	case *sqlparser.BinaryExpr:
		c.no(!strings.Contains("+-*/%", e.Operator), e.Operator)
		return &Binary{Op: e.Operator, L: c.expr(e.Left), R: c.expr(e.Right)}
	case *sqlparser.UnaryExpr:
		return c.unary(e)
	case *sqlparser.FuncExpr:
		return c.function(e)
	}
	panic(notOurs(fmt.Sprintf("%T", e)))
}

// comparand refuses what we refuse as a side of a comparison: another comparison without parentheses.
func (c *converter) comparand(e sqlparser.Expr) Expr {
	switch e.(type) {
	case *sqlparser.ComparisonExpr, *sqlparser.RangeCond, *sqlparser.IsExpr, *sqlparser.NotExpr, *sqlparser.AndExpr, *sqlparser.OrExpr:
		panic(notOurs("a chain of comparisons"))
	}
	return c.expr(e)
}

func (c *converter) comparison(e *sqlparser.ComparisonExpr) Expr {
	x := c.comparand(e.Left)
	switch e.Operator {
	case sqlparser.InStr, sqlparser.NotInStr:
		list, ok := e.Right.(sqlparser.ValTuple)
		c.no(!ok, "IN")
		return &In{X: x, List: c.exprs(sqlparser.Exprs(list)), Not: e.Operator == sqlparser.NotInStr}
	case sqlparser.LikeStr, sqlparser.NotLikeStr:
		l := &Like{X: x, Pattern: c.expr(e.Right), Not: e.Operator == sqlparser.NotLikeStr}
		if e.Escape != nil {
			l.Escape = c.expr(e.Escape)
		}
		return l
	case sqlparser.NotEqualStr:
		return &Binary{Op: "<>", L: x, R: c.comparand(e.Right)}
	case "=", "<", ">", "<=", ">=":
		return &Binary{Op: e.Operator, L: x, R: c.comparand(e.Right)}
	}
	panic(notOurs(e.Operator))
}

func (c *converter) unary(e *sqlparser.UnaryExpr) Expr {
	x := c.expr(e.Expr)
	o, _ := x.(*Operand)
	switch {
	case e.Operator == sqlparser.UPlusStr:
		return x
	case e.Operator != sqlparser.UMinusStr:
		panic(notOurs(e.Operator))
	case o != nil && o.Kind == Number && o.Text[0] != '-':
		return &Operand{Kind: Number, Text: "-" + o.Text}
	}
	return &Unary{Op: "-", X: x}
}

func (c *converter) function(e *sqlparser.FuncExpr) Expr {
	f := &Func{Name: upper(e.Name.String()), Distinct: e.Distinct}
	c.no(!e.Qualifier.IsEmpty(), "qualified function")
	for _, a := range e.Exprs {
		switch a := a.(type) {
		case *sqlparser.StarExpr:
			f.Args = append(f.Args, &Star{})
		case *sqlparser.AliasedExpr:
			c.no(!a.As.IsEmpty(), "alias")
			f.Args = append(f.Args, c.expr(a.Expr))
		}
	}
	if stamp := timestampLTZ(f); stamp != nil {
		return stamp
	}
	return f
}

func (c *converter) value(v *sqlparser.SQLVal) Expr {
	s := string(v.Val)
	switch v.Type {
	case sqlparser.StrVal:
		return &Operand{Kind: String, Text: s}
	case sqlparser.IntVal, sqlparser.FloatVal:
		return &Operand{Kind: Number, Text: s}
	case sqlparser.HexVal, sqlparser.HexNum:
		raw, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
		c.no(err != nil, "hex")
		return &Operand{Kind: HexBytes, Text: string(raw)}
	case sqlparser.ValArg:
		if i := slices.Index(c.names, s[1:]); i >= 0 {
			return &Operand{Kind: Param, Index: i}
		}
		n, err := strconv.Atoi(strings.TrimPrefix(s, ":v"))
		c.no(err != nil, "parameter")
		return &Operand{Kind: Param, Index: n - 1}
	}
	panic(notOurs("value"))
}
