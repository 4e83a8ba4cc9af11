package dialect

import "strings"

// selectStatement reads a SELECT whose verb is the current token.
func (p *parser) selectStatement() *Select {
	s := &Select{}
	p.advance()
	if p.is("DISTINCT") || p.is("DISTINCTROW") {
		p.refuseAt(p.tok.pos, "DISTINCT", queryPlans, computeElsewhere)
	}
	if next := p.following(); p.is("ALL") && next.kind != ',' && !next.is("FROM") {
		p.advance()
	}
	for p.err == nil {
		s.Items = append(s.Items, p.selectItem())
		if !p.accept(',') {
			break
		}
	}
	if !p.acceptWord("FROM") {
		p.limit(s)
		return s
	}
	p.from(s)
	if p.acceptWord("WHERE") {
		s.Where = p.expr()
	}
	if p.acceptWord("ORDER") {
		p.expectWords("BY")
		s.OrderBy = p.orderBy()
	}
	p.limit(s)
	return s
}

// selectItem reads *, t.* or expr [[AS] alias].
func (p *parser) selectItem() SelectItem {
	begin := p.tok.pos
	if star := p.star(); star != nil {
		return SelectItem{Expr: star, Text: p.sql[begin:p.prevEnd]}
	}
	item := SelectItem{Expr: p.expr()}
	if p.err != nil {
		return item
	}
	item.Text = p.sql[begin:p.prevEnd]
	item.Alias = p.alias()
	return item
}

// star reads * or t.*, nil if there is none.
func (p *parser) star() Expr {
	at := Pos(p.tok.pos)
	if p.accept('*') {
		return &Star{Pos: at}
	}
	if !p.tok.isName() {
		return nil
	}
	ahead := p.scanner
	if dot := ahead.next(); dot.kind != '.' {
		return nil
	}
	if mark := ahead.next(); mark.kind != '*' {
		return nil
	}
	t := p.take()
	p.advance()
	p.advance()
	return &Star{Qualifier: t.text, Pos: at}
}

// from reads the table behind FROM and its alias.
func (p *parser) from(s *Select) {
	switch next := p.following(); {
	case p.tok.kind == '(':
		p.refuseAt(p.tok.pos, "a subquery in FROM", queryPlans, computeElsewhere)
	case (p.is("TABLE") || p.is("LATERAL") || p.is("UNNEST")) && next.kind == '(', p.is("LATERAL"):
		p.refuseAt(p.tok.pos, "a table function", queryPlans, computeElsewhere)
	}
	t := p.tableName()
	s.From = &t
	if p.tok.kind == '(' {
		p.refuseAt(int(t.Pos), "a table function", queryPlans, computeElsewhere)
	}
	if p.is("FOR") {
		p.refuseClause()
	}
	s.Alias = p.alias()
	if p.tok.kind == ',' {
		p.refuseAt(p.tok.pos, "JOIN", queryPlans, joinElsewhere)
	}
}

func (p *parser) orderBy() []Order {
	var list []Order
	for p.err == nil {
		o := Order{Expr: p.expr()}
		if !p.acceptWord("ASC") {
			o.Desc = p.acceptWord("DESC")
		}
		if p.is("NULLS") {
			p.refuseAt(p.tok.pos, "NULLS FIRST or LAST", "", "leave it out: NULLs sort first, as in MySQL")
		}
		list = append(list, o)
		if !p.accept(',') {
			break
		}
	}
	return list
}

// limit reads [LIMIT n [OFFSET m] | LIMIT m, n].
func (p *parser) limit(s *Select) {
	if p.is("OFFSET") {
		p.unexpected("LIMIT in front of OFFSET: LIMIT n OFFSET m")
	}
	if !p.acceptWord("LIMIT") {
		return
	}
	s.Limit = p.count()
	if p.acceptWord("OFFSET") {
		s.Offset = p.count()
	} else if p.accept(',') {
		s.Offset, s.Limit = s.Limit, p.count()
	}
}

// count reads a number of rows: digits or a parameter.
func (p *parser) count() *Operand {
	if k := p.tok.kind; k != question && k != named && (k != number || strings.ContainsAny(p.tok.text, ".eE")) {
		p.unexpected("a whole number or a parameter")
		return nil
	}
	o, _ := p.plainOperand()
	return &o
}
