package dialect

import (
	"encoding/hex"
	"strings"
)

// quoted reads a string or a quoted name that starts here with quote. A doubled quote stands for one. In strings
// a backslash escapes, see unescape. The text aliases the statement when there was nothing to undo.
func (s *scanner) quoted(k kind, quote byte) token {
	start := s.off
	body, end, plain := s.sql[start+1:], -1, true
	for i := 0; i < len(body); i++ {
		if body[i] == quote {
			if i+1 == len(body) || body[i+1] != quote {
				end = i
				break
			}
			i, plain = i+1, false
		} else if body[i] == '\\' && k == text {
			i, plain = i+1, false
		}
	}
	if end < 0 {
		what := "string"
		if k == name {
			what = "quoted name"
		}
		s.fail(start, "this %s does not end: expected %c", what, quote)
		return token{pos: start}
	}
	t := token{kind: k, pos: start, end: start + 1 + end + 1, text: body[:end]}
	s.off = t.end
	switch {
	case k == name && end == 0:
		s.fail(start, "a name cannot be empty")
	case plain:
	case k == name:
		q := string(quote)
		t.text = strings.ReplaceAll(t.text, q+q, q)
	default:
		t.text = s.unescape(start+1, t.text, quote)
	}
	return t
}

// unescape undoes doubled quotes and the backslash escapes of MySQL. \% and \_ keep their backslash, for LIKE.
// MySQL drops the backslash in front of any other character and Flink keeps it, so that is an error here.
func (s *scanner) unescape(pos int, body string, quote byte) string {
	b := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == quote {
			i++
		} else if c == '\\' {
			i++
			switch e := body[i]; e {
			case '\\', '\'', '"', '`':
				c = e
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case 'b':
				c = '\b'
			case '0':
				c = 0
			case 'Z':
				c = 26
			case '%', '_':
				b = append(b, '\\')
				c = e
			default:
				s.fail(pos+i-1, `unknown escape in a string: a backslash itself is written \\`)
				return ""
			}
		}
		b = append(b, c)
	}
	return string(b)
}

// number reads an unsigned number, or 0x and hex digits.
func (s *scanner) number() token {
	start := s.off
	if s.sql[start] == '0' && s.peek(1) == 'x' {
		s.off += 2
		for isWordByte(s.peek(0)) {
			s.off++
		}
		return s.hex(start, s.sql[start+2:s.off])
	}
	s.digits()
	if s.peek(0) == '.' {
		s.off++
		if !isDigit(s.peek(0)) {
			s.fail(s.off, "expected a digit after the decimal point")
		}
		s.digits()
	}
	if c := s.peek(0); c == 'e' || c == 'E' {
		s.off++
		if c := s.peek(0); c == '+' || c == '-' {
			s.off++
		}
		if !isDigit(s.peek(0)) {
			s.fail(start, "malformed number: expected digits in the exponent")
		}
		s.digits()
	}
	if c := s.peek(0); isWordByte(c) || c == '$' || c >= 0x80 {
		s.fail(start, "malformed number; a name that starts with a digit is written in backticks")
	}
	return token{kind: number, pos: start, end: s.off, text: s.sql[start:s.off]}
}

func (s *scanner) digits() {
	for isDigit(s.peek(0)) {
		s.off++
	}
}

// hexString reads X'..'.
func (s *scanner) hexString() token {
	start := s.off
	i := strings.IndexByte(s.sql[start+2:], '\'')
	if i < 0 {
		s.fail(start, "this hex string does not end: expected '")
		return token{pos: start}
	}
	s.off = start + 2 + i + 1
	return s.hex(start, s.sql[start+2:start+2+i])
}

func (s *scanner) hex(start int, digits string) token {
	raw, err := hex.DecodeString(digits)
	if err != nil || digits == "" && s.sql[start] == '0' {
		s.fail(start, "hex bytes are written with two digits 0-9, A-F each")
	}
	return token{kind: hexBytes, pos: start, end: s.off, text: string(raw)}
}
