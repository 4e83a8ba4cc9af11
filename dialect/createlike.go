package dialect

// createLike reads what follows CREATE TABLE t without columns: [clauses] LIKE [db.]source [(what to take)].
func (p *parser) createLike(s *CreateTable) {
	for p.err == nil && !p.is("LIKE") {
		if p.is("PARTITIONED") {
			p.refuseAt(p.tok.pos, "PARTITIONED BY with LIKE", "the table is partitioned as the other is", "write the columns out; SHOW CREATE TABLE prints them")
		}
		if !p.tableClause(s) {
			p.unexpected("'(' and the columns, or LIKE and a table")
		}
	}
	p.acceptWord("LIKE")
	t := p.tableName()
	s.Like = &t
	if !p.accept('(') {
		return
	}
	for p.err == nil && p.tok.kind != ')' {
		p.likeOption(s)
	}
	p.expect(')', "')'")
}

// likeOption reads one of Flink's likeOptions. What a Fluss table does not have can be left out of it, too.
func (p *parser) likeOption(s *CreateTable) {
	verb := p.take()
	if !verb.is("INCLUDING") && !verb.is("EXCLUDING") && !verb.is("OVERWRITING") {
		p.unexpectedToken(&verb, "INCLUDING, EXCLUDING or OVERWRITING")
		return
	}
	what := p.take()
	switch {
	case what.is("OPTIONS"):
		s.ExcludeOptions = verb.is("EXCLUDING")
	case what.is("GENERATED"), what.is("METADATA"), what.is("WATERMARKS"):
	case what.is("ALL"), what.is("CONSTRAINTS"), what.is("PARTITIONS"), what.is("DISTRIBUTION"):
		if !verb.is("INCLUDING") {
			p.refuseAt(verb.pos, upper(verb.text)+" "+upper(what.text), "only OPTIONS can be left out", "write the columns out; SHOW CREATE TABLE prints them")
		}
	default:
		p.unexpectedToken(&what, "OPTIONS, CONSTRAINTS, PARTITIONS or ALL")
	}
}
