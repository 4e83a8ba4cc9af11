package dialect

// bareFunctions are functions that SQL calls without parentheses.
var bareFunctions = wordSet(`CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCALTIME LOCALTIMESTAMP CURRENT_USER
	SESSION_USER CURRENT_DATABASE CURRENT_CATALOG CURRENT_SCHEMA`)

// primary reads a literal, a parameter, a column, a function call, EXISTS or something in parentheses.
func (p *parser) primary() Expr {
	switch p.tok.kind {
	case '(':
		return p.parenthesis()
	case word:
		return p.wordExpr()
	case name:
		t := p.take()
		return p.column(&t)
	case variable:
		t := p.take()
		return &Func{Name: t.text, Pos: Pos(t.pos)}
	case '!', '~':
		p.refuseAt(p.tok.pos, "the operator "+string(rune(p.tok.kind)), "", "write NOT for a negation")
	}
	o, ok := p.plainOperand()
	if !ok {
		p.unexpected("an expression")
		return nil
	}
	return &o
}

// parenthesis reads (a) and (a, b).
func (p *parser) parenthesis() Expr {
	at := p.tok.pos
	if !p.enter() {
		return nil
	}
	defer p.leave()
	p.advance()
	p.refuseSubquery()
	first := p.expr()
	if p.tok.kind != ',' {
		p.expect(')', "')'")
		return first
	}
	p.advance()
	return &Tuple{List: p.exprList([]Expr{first}), Pos: Pos(at)}
}

// wordExpr reads what a bare word begins.
func (p *parser) wordExpr() Expr {
	t := p.take()
	if o, ok := p.wordOperand(&t); ok {
		return &o
	}
	switch {
	case t.is("EXISTS"):
		return p.exists(&t)
	case t.is("CASE"):
		p.refuseAt(t.pos, "CASE", queryPlans, "compute it in Go")
	case t.is("INTERVAL") && (p.tok.kind == text || p.tok.kind == number || p.tok.kind == question):
		p.refuseAt(t.pos, "INTERVAL", "", "compute the bound in Go and pass it as a parameter")
	case t.is("DEFAULT"):
		p.refuseAt(t.pos, "DEFAULT in an expression", noDefaults, "write NULL or a value")
	case t.is("SELECT"):
		p.refuseAt(t.pos, "a subquery", queryPlans, "run it first and pass its result as a parameter")
	case t.inSet(reserved):
		p.failAt(t.pos, "unexpected %s, expected an expression; a reserved word as a name is written `%s`", t.text, t.text)
	case p.tok.kind == '(':
		return p.call(&t)
	case t.inSet(bareFunctions) && p.tok.kind != '.':
		return &Func{Name: upper(t.text), Pos: Pos(t.pos)}
	}
	return p.column(&t)
}

// column reads [.name] behind the name t.
func (p *parser) column(t *token) Expr {
	c := &ColumnRef{Name: t.text, Pos: Pos(t.pos)}
	if p.accept('.') {
		c.Qualifier, c.Name = c.Name, p.partName("a column name")
	}
	if p.tok.kind == '.' {
		p.refuseAt(t.pos, "a name of three parts", "", "name the column by its table's name or alias alone: t.c")
	}
	if p.tok.kind == '(' {
		p.unexpected("no '(' behind a column")
	}
	return c
}

// call reads the arguments of the function t.
func (p *parser) call(t *token) Expr {
	f := &Func{Name: upper(t.text), Pos: Pos(t.pos)}
	if f.Name == "VALUES" {
		return p.valuesOf(t)
	}
	if !p.enter() {
		return nil
	}
	defer p.leave()
	p.advance()
	switch {
	case p.accept(')'):
	case p.tok.kind == '*' && f.Name == "COUNT":
		f.Args = []Expr{&Star{Pos: Pos(p.take().pos)}}
		p.expect(')', "')'")
	default:
		p.refuseSubquery()
		f.Distinct = p.acceptWord("DISTINCT")
		f.Args = p.exprList(nil)
	}
	if p.is("OVER") || p.is("FILTER") || p.is("WITHIN") {
		p.refuseAt(p.tok.pos, "a window function ("+upper(p.tok.text)+")", queryPlans, computeElsewhere)
	}
	if stamp := timestampLTZ(f); stamp != nil {
		return stamp
	}
	return f
}

// valuesOf reads (column) behind VALUES: the value that the row at hand brings.
func (p *parser) valuesOf(t *token) Expr {
	if !p.inDuplicate {
		p.failAt(t.pos, "VALUES(column) stands only in ON DUPLICATE KEY UPDATE; a column named values is written `values`")
		return nil
	}
	p.advance()
	o := &Operand{Kind: ValuesOf, Text: p.columnName().Name, Pos: Pos(t.pos)}
	p.expect(')', "')'")
	return o
}

// exists reads (SELECT ...) behind EXISTS. Hints inside belong to the inner SELECT.
func (p *parser) exists(t *token) Expr {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	outer := p.hints
	p.hints = nil
	p.expect('(', "'('")
	if !p.is("SELECT") {
		p.unexpected("SELECT")
		return nil
	}
	e := &Exists{Pos: Pos(t.pos), Select: p.selectStatement()}
	e.Select.Hints, p.hints = p.hints, outer
	if p.tok.kind != ')' {
		p.refuseClause()
	}
	p.expect(')', "')'")
	return e
}
