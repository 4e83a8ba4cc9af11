package dialect

import (
	"strconv"
	"strings"
)

// integerBits are the widths of the integer types.
var integerBits = map[string]int{"TINYINT": 8, "SMALLINT": 16, "INT": 32, "BIGINT": 64}

// cast reads CAST(literal AS type) behind the word w. Only casts that change nothing but the literal's kind are
// taken, so that no value is ever computed here: NULL to anything, a string to STRING, DATE, TIME or a timestamp
// that keeps all its digits, a whole number to an integer type it fits into.
func (p *parser) cast(w *token) Operand {
	p.advance()
	if k := p.tok.kind; k != text && k != number && k != '-' && !p.is("NULL") {
		p.refuseCast(w.pos)
		return Operand{}
	}
	o := p.operand()
	o.Pos = Pos(w.pos)
	p.expectWords("AS")
	t := p.typeSpec()
	bare := p.err == nil && !strings.Contains(p.sql[t.Pos:p.prevEnd], "(")
	p.expect(')', "')'")
	switch {
	case p.err != nil || o.Kind == Null:
	case o.Kind == String && t.Name == "STRING" && bare:
	case o.Kind == String && (t.P < 0 || fractionDigits(o.Text) <= t.P) && castKinds[t.Name] != 0:
		o.Kind = castKinds[t.Name]
	case o.Kind == Number && fits(o.Text, integerBits[t.Name]):
	default:
		p.refuseCast(w.pos)
	}
	return o
}

// castKinds are the types that a string literal can be cast to, as kinds of literal.
var castKinds = map[string]OperandKind{
	"DATE": DateLit, "TIME": TimeLit, "TIMESTAMP": TimestampLit, "TIMESTAMP_LTZ": TimestampLit,
}

// fits reports whether number is a whole number of that many bits; none is of 0 bits.
func fits(number string, bits int) bool {
	if bits == 0 {
		return false
	}
	_, err := strconv.ParseInt(number, 10, bits)
	return err == nil
}

func fractionDigits(s string) int {
	_, fraction, _ := strings.Cut(s, ".")
	return len(fraction)
}

func (p *parser) refuseCast(pos int) {
	p.refuseAt(pos, "CAST", "only a literal can be cast, to a type that keeps it as it is",
		"leave the CAST out: the column's type decides, or convert in Go")
}
