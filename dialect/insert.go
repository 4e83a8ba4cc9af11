package dialect

import (
	"slices"
	"strings"
)

// insert reads INSERT, UPSERT or REPLACE, whose verb is the current token.
func (p *parser) insert(v Verb) *Insert {
	s := &Insert{Verb: v}
	verb := upper(p.take().text)
	if v == InsertVerb {
		s.Ignore = p.acceptWord("IGNORE")
		p.refuseInsertMode()
	}
	p.acceptWord("INTO")
	s.Table = p.tableName()
	p.insertColumns(s)
	p.valuesKeyword(s, verb)
	p.rows(s)
	if p.is("AS") {
		p.refuseAt(p.tok.pos, "an alias for the new row", "", "write VALUES(column)")
	}
	if p.is("ON") {
		p.onDuplicate(s, verb)
	}
	if p.acceptWord("RETURNING") {
		p.returning(s)
	}
	return s
}

func (p *parser) refuseInsertMode() {
	switch at := p.tok.pos; {
	case p.is("OVERWRITE"):
		p.refuseAt(at, "INSERT OVERWRITE", "Fluss does not replace a table's content at once",
			"an INSERT into a key table replaces the rows of the same key; see also /*+ MERGE_MODE('OVERWRITE') */")
	case p.is("LOW_PRIORITY"), p.is("DELAYED"), p.is("HIGH_PRIORITY"):
		p.refuseAt(at, "INSERT "+upper(p.tok.text), "", "leave it out")
	}
}

// insertColumns reads [(a, b, ...)].
func (p *parser) insertColumns(s *Insert) {
	if p.is("PARTITION") {
		p.refuseAt(p.tok.pos, "INSERT with PARTITION", "", "write the partition columns like any others")
	}
	if p.tok.kind != '(' {
		return
	}
	switch next := p.following(); {
	case next.is("SELECT") || next.is("WITH"):
		p.refuseInsertSelect("INSERT")
	case next.kind == ')':
		p.refuseAt(p.tok.pos, "an empty list of columns", noDefaults, "write INSERT INTO t (a, b) VALUES (1, 2)")
	default:
		s.Columns = p.columnNames()
	}
}

func (p *parser) refuseInsertSelect(verb string) {
	p.refuseAt(p.tok.pos, verb+" ... SELECT", queryPlans, "read the rows and write them from Go, or use Flink")
}

// valuesKeyword reads VALUES and refuses the other sources of rows.
func (p *parser) valuesKeyword(s *Insert, verb string) {
	if p.acceptWord("VALUES") || p.acceptWord("VALUE") {
		return
	}
	switch next := p.following(); {
	case p.is("SELECT"), p.is("WITH"), p.is("TABLE"), p.tok.kind == '(' && next.is("SELECT"):
		p.refuseInsertSelect(verb)
	case p.is("SET"):
		p.refuseAt(p.tok.pos, verb+" ... SET", "", "write "+verb+" INTO t (a, b) VALUES (1, 2)")
	case p.is("DEFAULT"):
		p.refuseAt(p.tok.pos, "DEFAULT VALUES", noDefaults, "write "+verb+" INTO t (a, b) VALUES (1, 2)")
	case s.Columns == nil:
		p.unexpected("a list of columns or VALUES")
	default:
		p.unexpected("VALUES")
	}
}

// rows reads (a, b), (c, d), ... into s.Values. All rows have the width of the first, or of the column list.
func (p *parser) rows(s *Insert) {
	s.Width = len(s.Columns)
	u := uniformRows{on: true}
	for p.err == nil {
		at, before := p.tok.pos, len(s.Values)
		if p.is("ROW") {
			p.refuseAt(at, "VALUES ROW(...)", "", "write VALUES (1, 2), (3, 4)")
		}
		p.expect('(', "'(' and the values of a row")
		p.row(s)
		width := len(s.Values) - before
		if s.Width == 0 {
			s.Width = width
		}
		if p.err == nil && width != s.Width {
			p.failAt(at, "row %d has %s, expected %d", s.Rows+1, plural(width, "value"), s.Width)
		}
		if s.Rows++; s.Rows == 1 {
			s.Values = grow(s.Values, p.tok.end-at, len(p.sql)-p.tok.end)
		}
		u.row(p, s, at)
		if !p.accept(',') {
			break
		}
	}
	s.Uniform = u.on && s.Rows > 1
}

// uniformRows follows the rows of a VALUES list for as long as each is made of '?' alone. It keeps the first only, and
// passes over rows that are written exactly as the one before without taking them apart.
type uniformRows struct {
	on         bool
	start, end int // the last row in the text
}

// row looks at the row just read, which starts at byte at.
func (u *uniformRows) row(p *parser, s *Insert, at int) {
	if !u.on || p.err != nil {
		return
	}
	last := s.Values[len(s.Values)-s.Width:]
	for i := range last {
		if last[i].Kind != Param || p.params.Names != nil {
			u.expand(s)
			return
		}
	}
	if s.Rows > 1 {
		s.Values = s.Values[:s.Width]
		u.repeat(p, s, at)
	}
	u.start, u.end = at, p.prevEnd
}

// repeat passes over the rows that follow the one at byte at and look as it does, with what stands before it.
func (u *uniformRows) repeat(p *parser, s *Insert, at int) {
	end := p.prevEnd
	unit := p.sql[u.end:end]
	if p.sql[u.start:u.end] != p.sql[at:end] || strings.Contains(unit, "/*") {
		return
	}
	n := 0
	for rest := p.sql[end:]; strings.HasPrefix(rest, unit); rest = rest[len(unit):] {
		n++
	}
	if n == 0 {
		return
	}
	s.Rows += n
	p.params.Count += n * s.Width
	p.off = end + n*len(unit)
	p.tok.end = p.off
	p.advance()
}

// expand writes out the rows that were left out, now that one is of another kind. It stands last in Values.
func (u *uniformRows) expand(s *Insert) {
	u.on = false
	if s.Rows <= 2 {
		return
	}
	odd := slices.Clone(s.Values[s.Width:])
	first := s.Values[:s.Width]
	for r := 1; r < s.Rows-1; r++ {
		for i := range s.Width {
			o := first[i]
			o.Index += r * s.Width
			s.Values = append(s.Values[:r*s.Width+i], o)
		}
	}
	s.Values = append(s.Values, odd...)
}

// row reads the values of one row and the closing parenthesis.
func (p *parser) row(s *Insert) {
	for p.err == nil {
		if p.is("DEFAULT") {
			s.Values = append(s.Values, Operand{Kind: Default, Pos: Pos(p.tok.pos)})
			p.advance()
		} else {
			s.Values = append(s.Values, p.operand())
		}
		if !p.accept(',') {
			break
		}
	}
	switch p.tok.kind {
	case '+', '-', '*', '/', '%', barBar:
		p.refuseAt(p.tok.pos, "an expression in VALUES", "values are literals and parameters", "compute it in Go and pass it as a parameter")
	}
	p.expect(')', "',' or ')'")
}

// grow makes room for as many rows as the rest of the text can hold if they are as long as the first, within
// bounds, so that a long list is not copied over and over.
func grow(first []Operand, rowBytes, restBytes int) []Operand {
	const most = 1 << 16
	n := min(len(first)*(1+restBytes/max(rowBytes, 1)), most)
	if n <= cap(first) {
		return first
	}
	return append(make([]Operand, 0, n), first...)
}

// onDuplicate reads ON DUPLICATE KEY UPDATE c = expr, ...
func (p *parser) onDuplicate(s *Insert, verb string) {
	at := p.take().pos
	if p.is("CONFLICT") {
		p.refuseAt(at, "ON CONFLICT", "", "an INSERT into a key table replaces the row of the same key; ON DUPLICATE KEY UPDATE c = VALUES(c) says which columns")
	}
	if s.Verb != InsertVerb {
		p.failAt(at, "ON DUPLICATE KEY UPDATE belongs to INSERT, not to %s", verb)
	}
	p.expectWords("DUPLICATE", "KEY", "UPDATE")
	p.inDuplicate = true
	s.OnDuplicate = p.assignments(&s.Table, "")
	p.inDuplicate = false
}

func (p *parser) returning(s *Insert) {
	for p.err == nil {
		if p.tok.kind == '*' {
			p.refuseAt(p.tok.pos, "RETURNING *", "Fluss returns no rows of a write", "RETURNING knows _bucket and _log_offset")
		}
		s.Returning = append(s.Returning, p.columnName())
		if !p.accept(',') {
			break
		}
	}
	switch p.tok.kind {
	case '(', '.', '+', '-', '*', '/':
		p.refuseAt(p.tok.pos, "RETURNING of an expression", "Fluss returns no rows of a write", "RETURNING knows _bucket and _log_offset")
	}
}
