package infoschema

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
)

// compiler turns a SELECT on one table into closures over its rows.
type compiler struct {
	table   *tableDef
	alias   string
	session Session
	args    []driver.NamedValue
	used    []bool // columns that the statement looks at
	aliases map[string]int
	items   []expr
}

func (c *compiler) query(s *dialect.Select) (*query, error) {
	c.used = make([]bool, len(c.table.columns))
	q := &query{limit: -1}
	var err error
	for i := range s.Items {
		if err := c.item(q, &s.Items[i]); err != nil {
			return nil, err
		}
	}
	if q.counted && len(s.Items) != len(q.items) {
		return nil, &dialect.UnsupportedError{Feature: "COUNT(*) beside other columns", Reason: "there is no GROUP BY"}
	}
	for _, e := range conjuncts(s.Where, nil) {
		if err := c.filter(q, e); err != nil {
			return nil, err
		}
	}
	c.items = q.items
	for _, o := range s.OrderBy {
		x, err := c.orderKey(o.Expr, q)
		if err != nil {
			return nil, err
		}
		q.order = append(q.order, orderKey{x, o.Desc})
	}
	if q.limit, err = c.count(s.Limit, "LIMIT", -1); err != nil {
		return nil, err
	}
	q.offset, err = c.count(s.Offset, "OFFSET", 0)
	return q, err
}

// item adds an item of the select list.
func (c *compiler) item(q *query, item *dialect.SelectItem) error {
	if star, ok := item.Expr.(*dialect.Star); ok {
		return c.star(q, star)
	}
	name := item.Alias
	if name == "" {
		name = item.Text
	}
	f, ok := item.Expr.(*dialect.Func)
	counts := ok && f.Name == "COUNT"
	if counts != q.counted && len(q.items) > 0 {
		return &dialect.UnsupportedError{Feature: "COUNT(*) beside other columns", Reason: "there is no GROUP BY"}
	}
	var x expr
	var err error
	if counts {
		x, err = c.counted(f, item.Text)
		q.counted = true
	} else {
		x, err = c.expr(item.Expr)
		if ref, ok := item.Expr.(*dialect.ColumnRef); ok && item.Alias == "" {
			name = ref.Name
		}
	}
	c.add(q, name, x)
	return err
}

func (c *compiler) add(q *query, name string, x expr) {
	if c.aliases == nil {
		c.aliases = map[string]int{}
	}
	c.aliases[strings.ToLower(name)] = len(q.items)
	q.columns = append(q.columns, plan.Output{Name: name, Column: len(q.items), Type: x.typ})
	q.items = append(q.items, x)
}

func (c *compiler) star(q *query, star *dialect.Star) error {
	if err := c.qualifier(star.Qualifier, "*"); err != nil {
		return err
	}
	if q.counted {
		return &dialect.UnsupportedError{Feature: "COUNT(*) beside other columns", Reason: "there is no GROUP BY"}
	}
	for i := range c.table.columns {
		c.add(q, c.table.columns[i].name, c.columnAt(i))
	}
	return nil
}

// counted is what COUNT counts: values that are not NULL.
func (c *compiler) counted(f *dialect.Func, text string) (expr, error) {
	one := constant(int64(1))
	one.typ = &notNullInt
	if f.Distinct || len(f.Args) != 1 {
		return one, &dialect.UnsupportedError{Feature: text, Hint: "use COUNT(*)"}
	}
	if _, ok := f.Args[0].(*dialect.Star); ok {
		return one, nil
	}
	x, err := c.expr(f.Args[0])
	x.typ = &notNullInt
	return x, err
}

// orderKey resolves names of the select list and positions in it before columns.
func (c *compiler) orderKey(e dialect.Expr, q *query) (expr, error) {
	switch e := e.(type) {
	case *dialect.ColumnRef:
		if i, ok := c.aliases[strings.ToLower(e.Name)]; ok && e.Qualifier == "" {
			return c.items[i], nil
		}
	case *dialect.Operand:
		if e.Kind == dialect.Number {
			n, err := strconv.Atoi(e.Text)
			if err != nil || n < 1 || n > len(q.items) {
				return expr{}, fmt.Errorf("ORDER BY %s: the select list has %d columns", e.Text, len(q.items))
			}
			return c.items[n-1], nil
		}
	}
	return c.expr(e)
}

// filter adds a conjunct of WHERE, with the columns that it looks at.
func (c *compiler) filter(q *query, e dialect.Expr) error {
	all := c.used
	c.used = make([]bool, len(all))
	x, err := c.expr(e)
	q.where = append(q.where, filter{x, c.used})
	for i, used := range c.used {
		all[i] = all[i] || used
	}
	c.used = all
	return err
}

func conjuncts(e dialect.Expr, list []dialect.Expr) []dialect.Expr {
	if e == nil {
		return list
	}
	if b, ok := e.(*dialect.Binary); ok && b.Op == "AND" {
		return conjuncts(b.R, conjuncts(b.L, list))
	}
	return append(list, e)
}

func (c *compiler) count(op *dialect.Operand, what string, def int64) (int64, error) {
	if op == nil {
		return def, nil
	}
	x, err := c.operand(op)
	if err != nil {
		return 0, err
	}
	n, ok := x.eval(nil).(int64)
	if !ok || n < 0 {
		return 0, fmt.Errorf("%s must be a number that is not negative, got %v", what, x.eval(nil))
	}
	return n, nil
}

// column resolves a name.
func (c *compiler) column(ref *dialect.ColumnRef) (expr, error) {
	if err := c.qualifier(ref.Qualifier, ref.Name); err != nil {
		return expr{}, err
	}
	for i := range c.table.columns {
		if strings.EqualFold(c.table.columns[i].name, ref.Name) {
			return c.columnAt(i), nil
		}
	}
	return expr{}, &plan.ColumnError{Table: schemaName + "." + c.table.name, Column: ref.Name, Reason: "there is no such column"}
}

func (c *compiler) columnAt(i int) expr {
	c.used[i] = true
	return expr{typ: c.table.columns[i].typ, eval: func(r []any) any { return r[i] }}
}

func (c *compiler) qualifier(q, name string) error {
	switch {
	case q == "", q == c.alias, c.alias == "" && strings.EqualFold(q, c.table.name):
		return nil
	}
	return &plan.ColumnError{Table: schemaName + "." + c.table.name, Column: q + "." + name, Reason: "there is no table or alias " + q + " in this statement"}
}

var (
	notNullInt  = catalog.Type{Kind: catalog.BigInt, NotNull: true}
	notNullText = catalog.Type{Kind: catalog.String, NotNull: true}
	integer     = catalog.Type{Kind: catalog.BigInt}
	text        = catalog.Type{Kind: catalog.String}
	double      = catalog.Type{Kind: catalog.Double}
)
