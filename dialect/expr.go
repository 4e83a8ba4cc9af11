package dialect

// The grammar, loosest first. Comparisons do not chain: a = b = c is an error, as in standard SQL.
//
//	expr       = and { OR and }
//	and        = not { AND not }
//	not        = NOT not | comparison
//	comparison = sum [ op sum | IS [NOT] NULL | [NOT] IN (...) | [NOT] BETWEEN sum AND sum | [NOT] LIKE sum [ESCAPE sum] ]
//	sum        = product { (+|-) product }
//	product    = signed { (*|/|%) signed }
//	signed     = (+|-) signed | primary

// expr reads an expression. After a failure it may be nil.
func (p *parser) expr() Expr {
	e := p.and()
	for p.is("OR") {
		at := p.take().pos
		e = &Binary{Op: "OR", L: e, R: p.and(), Pos: start(e, at)}
	}
	return e
}

func (p *parser) and() Expr {
	e := p.not()
	for p.is("AND") {
		at := p.take().pos
		e = &Binary{Op: "AND", L: e, R: p.not(), Pos: start(e, at)}
	}
	return e
}

func (p *parser) not() Expr {
	if !p.is("NOT") {
		return p.comparison()
	}
	at := p.take().pos
	if !p.enter() {
		return nil
	}
	defer p.leave()
	return &Unary{Op: "NOT", X: p.not(), Pos: Pos(at)}
}

// start is where e starts; e is nil only after a failure.
func start(e Expr, at int) Pos {
	if e == nil {
		return Pos(at)
	}
	return e.Position()
}

// comparisonOp is the operator of a comparison as the tree has it, "" for other tokens.
func (t *token) comparisonOp() string {
	switch t.kind {
	case '=':
		return "="
	case notEqual:
		return "<>"
	case '<':
		return "<"
	case lessEqual:
		return "<="
	case '>':
		return ">"
	case greaterEqual:
		return ">="
	}
	return ""
}

// beginsPredicate reports whether t goes on with a comparison.
func (t *token) beginsPredicate() bool {
	return t.comparisonOp() != "" || t.is("IS") || t.is("NOT") || t.is("IN") || t.is("BETWEEN") || t.is("LIKE")
}

func (p *parser) comparison() Expr {
	e := p.sum()
	if !p.tok.beginsPredicate() {
		p.refuseOperator()
		return e
	}
	e = p.predicate(e)
	if p.tok.beginsPredicate() {
		p.failAt(p.tok.pos, "comparisons do not chain: join them by AND, or put one in parentheses")
	}
	p.refuseOperator()
	return e
}

// predicate reads what follows the left side of a comparison.
func (p *parser) predicate(x Expr) Expr {
	at := start(x, p.tok.pos)
	if op := p.tok.comparisonOp(); op != "" {
		p.advance()
		return &Binary{Op: op, L: x, R: p.comparand(), Pos: at}
	}
	if p.acceptWord("IS") {
		not := p.acceptWord("NOT")
		if p.is("TRUE") || p.is("FALSE") || p.is("UNKNOWN") || p.is("DISTINCT") {
			p.refuseAt(p.tok.pos, "IS "+upper(p.tok.text), "", "write = or IS NULL")
		}
		p.expectWords("NULL")
		return &IsNull{X: x, Not: not, Pos: at}
	}
	not := p.acceptWord("NOT")
	switch {
	case p.acceptWord("IN"):
		return &In{X: x, List: p.inList(), Not: not, Pos: at}
	case p.acceptWord("BETWEEN"):
		b := &Between{X: x, Lo: p.sum(), Not: not, Pos: at}
		p.expectWords("AND")
		b.Hi = p.sum()
		return b
	case p.acceptWord("LIKE"):
		l := &Like{X: x, Pattern: p.sum(), Not: not, Pos: at}
		if p.acceptWord("ESCAPE") {
			l.Escape = p.sum()
		}
		return l
	}
	p.refuseOperator()
	p.unexpected("IN, BETWEEN or LIKE after NOT")
	return nil
}

// comparand reads the right side of a comparison, which elsewhere may be ANY or ALL of a subquery.
func (p *parser) comparand() Expr {
	if p.is("ANY") || p.is("ALL") || p.is("SOME") {
		if next := p.following(); next.kind == '(' {
			p.refuseAt(p.tok.pos, upper(p.tok.text)+" (...)", queryPlans, "use IN with a list")
		}
	}
	return p.sum()
}

// inList reads (a, b, ...), an empty list included.
func (p *parser) inList() []Expr {
	if p.tok.kind != '(' {
		p.unexpected("a list in parentheses, as in IN (?, ?)")
		return nil
	}
	p.advance()
	list := []Expr{}
	if p.accept(')') || !p.enter() {
		return list
	}
	defer p.leave()
	p.refuseSubquery()
	return p.exprList(list)
}

// exprList appends to list what is left of (a, b, ...) and consumes the closing parenthesis.
func (p *parser) exprList(list []Expr) []Expr {
	for p.err == nil {
		list = append(list, p.expr())
		if !p.accept(',') {
			break
		}
	}
	p.expect(')', "',' or ')'")
	return list
}

func (p *parser) sum() Expr {
	e := p.product()
	for p.tok.kind == '+' || p.tok.kind == '-' {
		op := p.take()
		e = &Binary{Op: string(rune(op.kind)), L: e, R: p.product(), Pos: start(e, op.pos)}
	}
	return e
}

func (p *parser) product() Expr {
	e := p.sign()
	for p.tok.kind == '*' || p.tok.kind == '/' || p.tok.kind == '%' {
		op := p.take()
		e = &Binary{Op: string(rune(op.kind)), L: e, R: p.sign(), Pos: start(e, op.pos)}
	}
	return e
}

// sign reads -x and +x. The sign of a number becomes part of its text.
func (p *parser) sign() Expr {
	if p.tok.kind != '-' && p.tok.kind != '+' {
		return p.primary()
	}
	op := p.take()
	if !p.enter() {
		return nil
	}
	defer p.leave()
	x := p.sign()
	if op.kind == '+' {
		return x
	}
	if o, ok := x.(*Operand); ok && o.Kind == Number && o.Text[0] != '-' {
		o.Text, o.Pos = p.negative(&op, int(o.Pos), o.Text), Pos(op.pos)
		return o
	}
	return &Unary{Op: "-", X: x, Pos: Pos(op.pos)}
}
