package dialect

// kind is what a token is. A mark of one character is its own kind: kind('(').
type kind uint8

const (
	endOfText kind = iota
	word           // bare name or keyword; text as written
	name           // quoted name; text without the quotes
	text           // string; text without quotes and escapes
	number         // unsigned; text as written
	hexBytes       // X'..' or 0x..; text holds the raw bytes
	question       // ?
	named          // :name; text is the name
	variable       // @@name; text with the @@, in upper case

	notEqual kind = iota + 128 // <> or !=
	lessEqual
	greaterEqual
	nullSafeEqual // <=>
	barBar        // ||
	ampAmp        // &&
	arrow         // -> or ->>
	doubleColon   // ::
	fatArrow      // =>
	hintOpen      // /*+
	hintClose     // */ of a hint
)

// token is one token. Its text aliases the statement where no escape had to be undone.
type token struct {
	kind     kind
	pos, end int // bytes of the statement
	text     string
}

// is reports whether t is the bare word w. w is in upper case.
func (t *token) is(w string) bool {
	return t.kind == word && len(t.text) == len(w) && equalUpper(t.text, w)
}

// equalUpper compares a text, whatever its case in ASCII, with a text in upper case of the same length.
func equalUpper(s, upper string) bool {
	for i := 0; i < len(s); i++ {
		if upperByte(s[i]) != upper[i] {
			return false
		}
	}
	return true
}

func upperByte(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// upper returns s with ASCII letters in upper case.
func upper(s string) string {
	for i := 0; i < len(s); i++ {
		if upperByte(s[i]) != s[i] {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = upperByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

// describe names the token in a message.
func (s *scanner) describe(t *token) string {
	if t.kind == endOfText {
		return "end of statement"
	}
	const most = 40
	raw := s.sql[t.pos:t.end]
	if len(raw) > most {
		raw = cutRunes(raw, most) + "..."
	}
	switch t.kind {
	case text:
		return "string " + raw
	case number:
		return "number " + raw
	case word, name:
		return raw
	}
	return "'" + raw + "'"
}
