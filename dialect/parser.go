package dialect

// maxDepth bounds how deep parentheses, NOT, signs, array literals and nested types may nest.
const maxDepth = 200

// parser reads statements from a scanner, one token ahead. After the first error the current token is
// endOfText for good, so every loop ends; whoever consumes nothing must not loop.
type parser struct {
	scanner
	tok         token // the current token, not consumed yet
	prevEnd     int   // where the token before it ended
	depth       int
	params      Params
	names       map[string]int // positions in params.Names
	hints       []Hint         // of the statement that is being read, wherever they stood
	inDuplicate bool           // in ON DUPLICATE KEY UPDATE, where VALUES(c) has a meaning
}

// advance consumes the current token. Hints may stand between any two tokens and are collected here.
func (p *parser) advance() {
	p.prevEnd = p.tok.end
	p.tok = p.next()
	for p.tok.kind == hintOpen {
		p.hint()
		p.tok = p.next()
	}
}

// take consumes the current token and returns it.
func (p *parser) take() token {
	t := p.tok
	p.advance()
	return t
}

// stop makes the current token endOfText. It follows a failure.
func (p *parser) stop() {
	p.tok = token{pos: len(p.sql), end: len(p.sql)}
}

// unexpected fails at the current token.
func (p *parser) unexpected(want string) { p.unexpectedToken(&p.tok, want) }

func (p *parser) unexpectedToken(t *token, want string) {
	p.fail(t.pos, "unexpected %s, expected %s", p.describe(t), want)
	p.stop()
}

// failAt fails at pos.
func (p *parser) failAt(pos int, format string, args ...any) {
	p.fail(pos, format, args...)
	p.stop()
}

// refuseAt refuses the thing at pos.
func (p *parser) refuseAt(pos int, feature, reason, hint string) {
	p.refuse(pos, feature, reason, hint)
	p.stop()
}

// accept consumes the current token if it is of kind k.
func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

// expect consumes a token of kind k, which want names, or fails.
func (p *parser) expect(k kind, want string) {
	if !p.accept(k) {
		p.unexpected(want)
	}
}

// is reports whether the current token is the bare word w, in upper case.
func (p *parser) is(w string) bool { return p.tok.is(w) }

// acceptWord consumes the current token if it is the bare word w.
func (p *parser) acceptWord(w string) bool {
	if !p.tok.is(w) {
		return false
	}
	p.advance()
	return true
}

// expectWords consumes these bare words or fails.
func (p *parser) expectWords(words ...string) {
	for _, w := range words {
		if !p.acceptWord(w) {
			p.unexpected(w)
			return
		}
	}
}

// following returns the token behind the current one without consuming anything.
func (p *parser) following() token {
	ahead := p.scanner
	return ahead.next()
}

// enter counts a level of nesting and reports whether it is allowed. Each call is paired with leave.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.failAt(p.tok.pos, "nested deeper than %d levels", maxDepth)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// commaList calls one for each item of a list in parentheses, the first of which is consumed here.
func (p *parser) commaList(one func()) {
	p.expect('(', "'('")
	for p.err == nil {
		one()
		if !p.accept(',') {
			break
		}
	}
	p.expect(')', "',' or ')'")
}

// end checks that nothing but one ';' is left.
func (p *parser) end() {
	if p.tok.kind == ';' {
		semicolon := p.tok.pos
		p.advance()
		if p.tok.kind != endOfText {
			p.refuseAt(semicolon, "more than one statement in a call", "", "send them one by one")
		}
		return
	}
	if p.tok.kind != endOfText {
		p.refuseClause()
		p.unexpected("end of statement")
	}
}
