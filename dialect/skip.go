package dialect

import "strings"

// skip passes over blanks and comments. It stops in front of a hint, which is no comment.
func (s *scanner) skip() {
	for s.err == nil && s.off < len(s.sql) {
		switch c := s.sql[s.off]; {
		case isBlank(c):
			s.off++
		case c == '#':
			s.skipLine()
		case c == '-' && s.peek(1) == '-':
			s.dashes()
		case c == '/' && s.peek(1) == '*':
			if s.peek(2) == '+' {
				return
			}
			s.skipComment()
		default:
			return
		}
	}
}

func isBlank(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}

func (s *scanner) skipLine() {
	if i := strings.IndexByte(s.sql[s.off:], '\n'); i >= 0 {
		s.off += i + 1
		return
	}
	s.off = len(s.sql)
}

// dashes passes over a "-- " comment. Without the blank MySQL reads two minus signs and Flink a comment, so
// that form is only taken where it cannot be an operator: in front of the statement.
func (s *scanner) dashes() {
	if c := s.peek(2); s.started && c != 0 && !isBlank(c) {
		s.fail(s.off, "'--' needs a blank behind it to start a comment; two minus signs are written '- -'")
		return
	}
	s.skipLine()
}

// skipComment passes over /* ... */. MySQL executes what stands in /*! ... */, so that is no comment either.
func (s *scanner) skipComment() {
	rest := s.sql[s.off+2:]
	if strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "M!") {
		s.refuse(s.off, "an executable comment (/*! ... */)", "", "write its content as plain SQL or leave it out")
		return
	}
	i := strings.Index(rest, "*/")
	if i < 0 {
		s.fail(s.off, "this comment does not end: expected */")
		return
	}
	s.off += 2 + i + 2
}
