package dialect

import "strings"

// hintNames are the hints there are. What each one takes is checked by who plans the statement.
var hintNames = []string{"OPTIONS", "BUCKET", "OFFSET", "STOP_OFFSET", "LAST", "OFFSETS", "FOLLOW", "FULL_SCAN",
	"INSERT_IF_NOT_EXISTS", "MERGE_MODE", "BLIND", "TIMEOUT", "KEEP_MISSING", "EXACT"}

// hint reads NAME(args), NAME ... up to the end of the comment. The current token is the /*+. Commas between
// hints are optional.
func (p *parser) hint() {
	start, end := p.tok.pos, p.prevEnd
	p.inHint = true
	p.tok = p.next()
	for p.tok.kind != hintClose && p.tok.kind != endOfText {
		p.hints = append(p.hints, p.oneHint())
		if p.tok.kind == ',' {
			p.tok = p.next()
		}
	}
	if p.tok.kind != hintClose {
		p.failAt(start, "this hint does not end: expected */")
	}
	p.inHint, p.prevEnd = false, end
}

// oneHint reads one hint. Inside a hint next is called directly: advance would look for hints.
func (p *parser) oneHint() Hint {
	t := p.tok
	h := Hint{Name: upper(t.text), Pos: Pos(t.pos)}
	if t.kind != word || !known(h.Name) {
		p.failAt(t.pos, "unknown hint %s; the hints are %s", p.describe(&t), strings.Join(hintNames, ", "))
		return h
	}
	p.tok = p.next()
	switch {
	case p.tok.kind == '(' && h.Name == "OPTIONS":
		h.Options = p.options()
	case p.tok.kind == '(':
		h.Args = p.hintArgs()
	}
	return h
}

func known(hint string) bool {
	for _, n := range hintNames {
		if n == hint {
			return true
		}
	}
	return false
}

// hintArgs reads (arg, ...), an empty list included. A bare word counts as a string.
func (p *parser) hintArgs() []Operand {
	args := []Operand{}
	p.advance()
	for p.err == nil && p.tok.kind != ')' {
		switch t := p.tok; {
		case t.kind == word && p.following().kind != text:
			p.advance()
			args = append(args, Operand{Kind: String, Text: t.text, Pos: Pos(t.pos)})
		default:
			args = append(args, p.operand())
		}
		if p.tok.kind != ')' {
			p.expect(',', "',' or ')'")
		}
	}
	p.expect(')', "')'")
	return args
}
