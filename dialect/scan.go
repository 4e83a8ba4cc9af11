package dialect

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner cuts a statement into tokens. Its error is sticky: after the first one every token is endOfText, so
// that a parser need not look after each step. It is a value: a copy looks ahead without moving the original.
type scanner struct {
	sql     string
	off     int
	ansi    bool
	inHint  bool // between /*+ and */
	started bool // a token was seen
	err     error
}

// fail records a syntax error at pos unless there is an error already.
func (s *scanner) fail(pos int, format string, args ...any) {
	if s.err == nil {
		s.err = newSyntaxError(s.sql, pos, fmt.Sprintf(format, args...))
	}
}

// refuse records that the thing at pos is not supported unless there is an error already.
func (s *scanner) refuse(pos int, feature, reason, hint string) {
	if s.err == nil {
		s.err = &UnsupportedError{Feature: feature, Reason: reason, Hint: hint, Pos: Pos(pos)}
	}
}

// next returns the next token.
func (s *scanner) next() token {
	s.skip()
	if s.err != nil || s.off >= len(s.sql) {
		return token{pos: min(s.off, len(s.sql)), end: min(s.off, len(s.sql))}
	}
	s.started = true
	t := s.token()
	if s.err != nil {
		return token{pos: t.pos, end: t.pos}
	}
	return t
}

// peek is byte i from here, 0 beyond the end.
func (s *scanner) peek(i int) byte {
	if s.off+i < len(s.sql) {
		return s.sql[s.off+i]
	}
	return 0
}

// token reads the token that starts here.
func (s *scanner) token() token {
	c := s.sql[s.off]
	switch {
	case (c == 'x' || c == 'X') && s.peek(1) == '\'':
		return s.hexString()
	case c == '\'' || c == '"' && !s.ansi:
		return s.quoted(text, c)
	case c == '`' || c == '"':
		return s.quoted(name, c)
	case '0' <= c && c <= '9' || c == '.' && isDigit(s.peek(1)):
		return s.number()
	case c == ':':
		return s.namedParameter()
	case c == '@':
		return s.variable()
	case c == '$':
		s.fail(s.off, "unexpected '$': parameters are written ? or :name, and names that start with '$' in backticks")
		return token{pos: s.off}
	case isWordByte(c) || c >= utf8.RuneSelf:
		return s.word()
	}
	return s.mark()
}

// word reads a bare name: letters of any script, digits, '_' and '$'.
func (s *scanner) word() token {
	start := s.off
	for s.off < len(s.sql) {
		c := s.sql[s.off]
		if isWordByte(c) || c == '$' {
			s.off++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(s.sql[s.off:])
		if r == utf8.RuneError && n == 1 {
			s.fail(s.off, "byte 0x%02X is not UTF-8", c)
			return token{pos: s.off}
		}
		if !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) {
			s.fail(s.off, "unexpected character %q (U+%04X)", r, r)
			return token{pos: s.off}
		}
		s.off += n
	}
	return token{kind: word, pos: start, end: s.off, text: s.sql[start:s.off]}
}

// marks of more than one character, longest first.
var marks = [...]struct {
	text string
	kind kind
}{
	{"<=>", nullSafeEqual}, {"->>", arrow}, {"<>", notEqual}, {"!=", notEqual}, {"<=", lessEqual},
	{">=", greaterEqual}, {"=>", fatArrow}, {"||", barBar}, {"&&", ampAmp}, {"->", arrow},
}

// mark reads an operator or a punctuation mark.
func (s *scanner) mark() token {
	start, c := s.off, s.sql[s.off]
	switch {
	case c == '?':
		s.off++
		return token{kind: question, pos: start, end: s.off}
	case c == '/' && strings.HasPrefix(s.sql[start:], "/*+"): // other comments were skipped
		if s.inHint {
			s.fail(start, "a hint inside a hint")
		}
		s.off += 3
		return token{kind: hintOpen, pos: start, end: s.off}
	case s.inHint && c == '*' && s.peek(1) == '/':
		s.off += 2
		return token{kind: hintClose, pos: start, end: s.off}
	case strings.IndexByte("(),;.*+/%[]", c) >= 0 || (c == '-' || c == '=') && s.peek(1) != '>':
		s.off++
		return token{kind: kind(c), pos: start, end: s.off}
	}
	for i := range marks {
		if strings.HasPrefix(s.sql[start:], marks[i].text) {
			s.off += len(marks[i].text)
			return token{kind: marks[i].kind, pos: start, end: s.off}
		}
	}
	if strings.IndexByte("<>!|&^~{}\\", c) < 0 {
		s.fail(start, "unexpected character %q", rune(c))
	}
	s.off++
	return token{kind: kind(c), pos: start, end: s.off}
}

// namedParameter reads :name.
func (s *scanner) namedParameter() token {
	start := s.off
	if s.peek(1) == ':' {
		s.off += 2
		return token{kind: doubleColon, pos: start, end: s.off}
	}
	s.off++
	if c := s.peek(0); !isWordByte(c) || isDigit(c) {
		s.fail(start, "unexpected ':': a named parameter is a colon and a name that starts with a letter")
		return token{pos: start}
	}
	for isWordByte(s.peek(0)) {
		s.off++
	}
	return token{kind: named, pos: start, end: s.off, text: s.sql[start+1 : s.off]}
}

// variable reads @@name or @@scope.name.
func (s *scanner) variable() token {
	start := s.off
	if s.peek(1) != '@' {
		s.refuse(start, "a user variable (@name)", "there is no session state", "pass a parameter, written ? or :name")
		return token{pos: start}
	}
	s.off += 2
	for isWordByte(s.peek(0)) || s.peek(0) == '.' && isWordByte(s.peek(1)) {
		s.off++
	}
	if s.off == start+2 {
		s.fail(s.off, "expected the name of a variable after @@")
	}
	return token{kind: variable, pos: start, end: s.off, text: upper(s.sql[start:s.off])}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isWordByte reports whether c may stand in a bare ASCII name. '$' may, too, but not in front.
func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_'
}

// cutRunes returns at most n bytes of s, not cutting a character.
func cutRunes(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
