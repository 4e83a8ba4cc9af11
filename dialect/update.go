package dialect

import "strconv"

// update reads an UPDATE whose verb is the current token.
func (p *parser) update() *Update {
	s := &Update{}
	p.advance()
	if next := p.following(); (p.is("IGNORE") || p.is("LOW_PRIORITY")) && next.isName() && !next.is("SET") {
		p.refuseAt(p.tok.pos, "UPDATE "+upper(p.tok.text), "", "leave it out")
	}
	s.Table = p.tableName()
	s.Alias = p.alias()
	if p.tok.kind == ',' {
		p.refuseAt(p.tok.pos, "JOIN", queryPlans, joinElsewhere)
	}
	if !p.acceptWord("SET") {
		p.refuseClause()
		p.unexpected("SET")
	}
	s.Set = p.assignments(&s.Table, s.Alias)
	if p.acceptWord("WHERE") {
		s.Where = p.expr()
	}
	p.refuseOrderLimit("UPDATE")
	return s
}

// delete reads a DELETE whose verb is the current token.
func (p *parser) delete() *Delete {
	s := &Delete{}
	p.advance()
	if p.tok.isName() {
		if next := p.following(); next.is("FROM") || next.kind == ',' || next.kind == '.' {
			p.refuseAt(p.tok.pos, "JOIN", queryPlans, "write DELETE FROM t WHERE ...")
		}
	}
	p.expectWords("FROM")
	s.Table = p.tableName()
	if p.is("USING") || p.tok.kind == ',' {
		p.refuseAt(p.tok.pos, "JOIN", queryPlans, joinElsewhere)
	}
	s.Alias = p.alias()
	if p.acceptWord("WHERE") {
		s.Where = p.expr()
	}
	p.refuseOrderLimit("DELETE")
	return s
}

func (p *parser) refuseOrderLimit(verb string) {
	switch at := p.tok.pos; {
	case p.is("LIMIT"), p.is("ORDER"):
		p.refuseAt(at, upper(p.tok.text)+" in "+verb, "rows are found by their whole key", "write "+verb+" with WHERE key = ? or key IN (...)")
	case p.is("RETURNING"):
		p.refuseAt(at, "RETURNING in "+verb, "Fluss returns no rows of a write", "SELECT the rows first")
	}
}

// assignments reads [t.]c = expr, ... A qualifier must be the table's name or alias.
func (p *parser) assignments(t *TableName, alias string) []Assignment {
	var list []Assignment
	for p.err == nil {
		a := Assignment{Column: p.columnName()}
		if p.tok.kind == '.' {
			if q := a.Column.Name; q != t.Table && q != alias {
				p.failAt(int(a.Column.Pos), "%s is neither the table nor its alias", q)
			}
			p.advance()
			a.Column.Name = p.partName("a column name")
		}
		p.expect('=', "'='")
		a.Value = p.expr()
		list = append(list, a)
		if !p.accept(',') {
			break
		}
	}
	return list
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
