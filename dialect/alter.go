package dialect

// drop reads what follows DROP.
func (p *parser) drop() Statement {
	switch {
	case p.acceptWord("DATABASE"), p.acceptWord("SCHEMA"):
		s := &DropDatabase{IfExists: p.ifExists(), Name: p.database()}
		if !p.acceptWord("RESTRICT") {
			s.Cascade = p.acceptWord("CASCADE")
		}
		return s
	case p.acceptWord("TABLE"):
		s := &DropTable{IfExists: p.ifExists(), Table: p.tableName()}
		if p.tok.kind == ',' {
			p.refuseAt(p.tok.pos, "DROP TABLE of several tables", "", "drop them one by one")
		}
		if !p.acceptWord("RESTRICT") { // nothing depends on a table, so both words mean the same
			p.acceptWord("CASCADE")
		}
		return s
	}
	p.refuseObject("DROP")
	p.unexpected("DATABASE or TABLE")
	return nil
}

// alter reads what follows ALTER.
func (p *parser) alter() Statement {
	if !p.is("TABLE") {
		p.refuseObject("ALTER")
		p.unexpected("TABLE")
		return nil
	}
	p.advance()
	s := &AlterTable{Table: p.tableName()}
	switch {
	case p.acceptWord("ADD"):
		p.alterAdd(s)
	case p.acceptWord("SET"):
		s.Set = p.options()
	case p.acceptWord("RESET"):
		p.commaList(func() { s.Reset = append(s.Reset, p.string("an option's key in quotes")) })
	case p.is("DROP"):
		at := p.tok.pos
		p.advance()
		s.IfExists = p.ifExists()
		if !p.is("PARTITION") {
			p.refuseAlter(at, "DROP")
			return s
		}
		p.advance()
		s.DropPartition = p.partitionSpec()
	case p.tok.kind == word:
		verb := p.take()
		p.refuseAlter(verb.pos, upper(verb.text))
	default:
		p.unexpected("ADD, DROP, SET or RESET")
	}
	if p.tok.kind == ',' {
		p.refuseAt(p.tok.pos, "several changes in one ALTER TABLE", "", "send them one by one")
	}
	return s
}

// alterAdd reads PARTITION (...) or columns: [COLUMN] c TYPE, or several in parentheses, or ADD COLUMN repeated.
func (p *parser) alterAdd(s *AlterTable) {
	at, next := p.tok.pos, p.following()
	if p.is("IF") || p.is("PARTITION") && next.kind == '(' {
		s.IfNotExists = p.ifNotExists()
		p.expectWords("PARTITION")
		s.AddPartition = p.partitionSpec()
		return
	}
	if p.tok.kind == word && !next.isType() && p.refuseAdded(at) {
		return
	}
	for p.err == nil {
		if next := p.following(); p.is("COLUMN") && !next.isType() || p.is("COLUMNS") && next.kind == '(' {
			p.advance()
		}
		if p.tok.kind == '(' {
			p.commaList(func() { p.addColumn(s) })
		} else {
			p.addColumn(s)
		}
		if next := p.following(); p.tok.kind != ',' || !next.is("ADD") {
			return
		}
		p.advance()
		p.advance()
	}
}

func (p *parser) addColumn(s *AlterTable) {
	c := p.columnDef()
	if c.PrimaryKey {
		p.refuseAt(int(c.Pos), "ADD COLUMN with PRIMARY KEY", onlyAppends, "")
	}
	s.AddColumns = append(s.AddColumns, c)
}

// refuseAdded refuses what can be added to tables elsewhere and is no column.
func (p *parser) refuseAdded(at int) bool {
	for _, w := range []string{"PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "CONSTRAINT", "INDEX", "KEY", "FULLTEXT"} {
		if p.is(w) {
			p.refuseAt(at, "ALTER TABLE ADD "+w, onlyPrimaryKey, "")
			return true
		}
	}
	if p.is("WATERMARK") {
		p.refuseAt(at, "WATERMARK", "watermarks belong to Flink's tables", "")
		return true
	}
	return false
}

// refuseAlter refuses every other change. The current token is behind the verb.
func (p *parser) refuseAlter(at int, verb string) {
	what, reason := verb, onlyAppends
	switch {
	case verb == "RENAME" && !p.is("COLUMN"):
		reason = "Fluss 0.9.1 cannot rename a table"
	case verb == "DROP" && (p.is("INDEX") || p.is("KEY") || p.is("PRIMARY") || p.is("FOREIGN") || p.is("CONSTRAINT") || p.is("WATERMARK")):
		reason = onlyPrimaryKey
		what += " " + upper(p.tok.text)
	case verb == "DROP" || verb == "RENAME" || verb == "ALTER":
		what += " COLUMN"
	case verb == "MODIFY" || verb == "CHANGE":
	default:
		reason = ""
	}
	p.refuseAt(at, "ALTER TABLE "+what, reason, "the changes are ADD COLUMN, SET, RESET, ADD PARTITION and DROP PARTITION")
}

// partitionSpec reads (column = value, ...). A value is a string, a number, TRUE, FALSE or a date.
func (p *parser) partitionSpec() []Option {
	var list []Option
	p.commaList(func() {
		o := Option{Pos: Pos(p.tok.pos)}
		if p.tok.kind == text { // Flink quotes neither, people quote both
			o.Key = p.take().text
		} else {
			o.Key, _ = p.name("a partition column")
		}
		p.expect('=', "'='")
		at := p.tok.pos
		switch v := p.operand(); v.Kind {
		case String, Number, Bool, DateLit, TimeLit, TimestampLit:
			o.Value = v.Text
		default:
			p.failAt(at, "expected the partition's value as a literal, as in PARTITION (dt = '2026-08-01')")
		}
		list = append(list, o)
	})
	return list
}
