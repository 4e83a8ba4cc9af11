package dialect

import "strings"

// operand reads a literal or a parameter: what INSERT takes as a value.
func (p *parser) operand() Operand {
	t := p.tok
	if t.kind == word {
		p.advance()
		o, ok := p.wordOperand(&t)
		if !ok {
			p.notALiteral(&t)
		}
		return o
	}
	if t.kind == '-' || t.kind == '+' {
		return p.signedNumber()
	}
	o, ok := p.plainOperand()
	if !ok {
		p.unexpected("a literal or a parameter")
	}
	return o
}

// plainOperand reads a parameter or a literal that is one token. ok is false, and nothing consumed, if there is none.
func (p *parser) plainOperand() (o Operand, ok bool) {
	o.Pos, o.Text = Pos(p.tok.pos), p.tok.text
	switch p.tok.kind {
	case number:
		o.Kind = Number
	case text:
		o.Kind = String
	case hexBytes:
		o.Kind = HexBytes
	case question, named:
		o.Kind, o.Index, o.Text = Param, p.param(), ""
	default:
		return Operand{}, false
	}
	p.advance()
	return o, true
}

// param numbers the parameter that is the current token. The two styles do not mix.
func (p *parser) param() int {
	if p.tok.kind == question {
		p.params.Count++
		if p.names != nil {
			p.refuseAt(p.tok.pos, "'?' mixed with ':name' in a statement", "", "use one style")
		}
		return p.params.Count - 1
	}
	if p.params.Count > 0 {
		p.refuseAt(p.tok.pos, "'?' mixed with ':name' in a statement", "", "use one style")
	}
	if p.names == nil {
		p.names = map[string]int{}
	}
	i, ok := p.names[p.tok.text]
	if !ok {
		i = len(p.params.Names)
		p.names[p.tok.text] = i
		p.params.Names = append(p.params.Names, p.tok.text)
	}
	return i
}

// signedNumber reads -1 or +1. The text keeps a minus sign and drops a plus sign.
func (p *parser) signedNumber() Operand {
	sign := p.take()
	if p.tok.kind != number {
		p.unexpected("a number after the sign")
		return Operand{}
	}
	n := p.take()
	o := Operand{Kind: Number, Text: n.text, Pos: Pos(sign.pos)}
	if sign.kind == '-' {
		o.Text = p.negative(&sign, n.pos, n.text)
	}
	return o
}

// negative is the text of the number at pos with its minus sign in front.
func (p *parser) negative(sign *token, pos int, number string) string {
	if sign.end == pos && strings.HasPrefix(p.sql[pos:], number) { // CAST(1 AS INT) starts before its number
		return p.sql[sign.pos : pos+len(number)]
	}
	return "-" + number
}

// wordOperand reads the literal that the word w, just consumed, begins. ok is false, and nothing consumed, if it
// begins none: DATE may also be a column.
func (p *parser) wordOperand(w *token) (Operand, bool) {
	o := Operand{Pos: Pos(w.pos)}
	switch {
	case w.is("NULL"):
		o.Kind = Null
	case w.is("TRUE"):
		o.Kind, o.Text = Bool, "true"
	case w.is("FALSE"):
		o.Kind, o.Text = Bool, "false"
	case p.tok.kind == text:
		if o.Kind = temporal(w); o.Kind == 0 {
			return o, false
		}
		o.Text = p.take().text
	case p.tok.kind == '[' && w.is("ARRAY"):
		o.Kind, o.Args = ArrayLit, p.operands(']')
	case p.tok.kind == '[' && w.is("MAP"):
		o.Kind, o.Args = MapLit, p.operands(']')
		if len(o.Args)%2 != 0 {
			p.failAt(w.pos, "MAP[...] takes keys and values in turn: MAP['a', 1, 'b', 2]")
		}
	case p.tok.kind == '(' && w.is("ROW"):
		o.Kind, o.Args = RowLit, p.operands(')')
	case p.tok.kind == '(' && w.is("CAST"):
		return p.cast(w), true
	default:
		return o, false
	}
	return o, true
}

// temporal is the kind of literal that the word in front of a string makes, 0 for other words.
func temporal(w *token) OperandKind {
	switch {
	case w.is("DATE"):
		return DateLit
	case w.is("TIME"):
		return TimeLit
	case w.is("TIMESTAMP"), w.is("TIMESTAMP_LTZ"):
		return TimestampLit
	}
	return 0
}

// operands reads [a, b, ...] or (a, b, ...) up to the closing mark, an empty list included.
func (p *parser) operands(closing kind) []Operand {
	args := []Operand{}
	if p.enter() {
		p.advance()
	}
	for p.err == nil && p.tok.kind != closing {
		args = append(args, p.operand())
		if p.tok.kind != closing {
			p.expect(',', "',' or '"+string(rune(closing))+"'")
			if p.tok.kind == closing {
				p.unexpected("a literal or a parameter")
			}
		}
	}
	p.expect(closing, "'"+string(rune(closing))+"'")
	p.leave()
	return args
}

// notALiteral says why the word w cannot be a value.
func (p *parser) notALiteral(w *token) {
	const hint = "compute it in Go and pass it as a parameter"
	switch {
	case p.err != nil:
	case w.is("INTERVAL"):
		p.refuseAt(w.pos, "INTERVAL", "", hint)
	case p.tok.kind == '(', w.inSet(bareFunctions):
		p.refuseAt(w.pos, "the function "+upper(w.text)+" as a value", "values are literals and parameters", hint)
	default:
		p.unexpectedToken(w, "a literal or a parameter")
	}
}
