package row

import (
	"encoding/base64"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gofluss/fluss/internal/catalog"
)

var errBase64 error = reason("not standard base64")

// scalar reads a number, a boolean or a string as a value of t.
func (r *jsonReader) scalar(d *Datum, t *catalog.Type) error {
	switch c := r.peek(); {
	case c == '"':
		s, err := r.text()
		if err != nil {
			return err
		}
		return setJSONText(d, t, s, r.o)
	case c == 't' && r.word("true"):
		return bindBool(d, t, true)
	case c == 'f' && r.word("false"):
		return bindBool(d, t, false)
	case c == '-' || c >= '0' && c <= '9':
		s, ok := r.number()
		if !ok {
			return r.fault("not a number")
		}
		return bindNumberText(d, t, s, r.o)
	case c == '[' || c == '{':
		return r.fault("expected a " + t.Kind.Word())
	case c == 0:
		return r.fault("it ends too early")
	}
	return r.fault("not a value")
}

// setJSONText binds the content of a JSON string: base64 for bytes, otherwise what Bind takes as a string.
func setJSONText(d *Datum, t *catalog.Type, s string, o *BindOptions) error {
	*d = Datum{}
	switch t.Kind {
	case catalog.Binary, catalog.Bytes:
		b, err := base64.StdEncoding.Strict().DecodeString(s)
		if err != nil {
			return errBase64
		}
		return bindBytes(d, t, b, o)
	}
	return bindString(d, t, s, o)
}

// number reads -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
func (r *jsonReader) number() (s string, ok bool) {
	start := r.pos
	r.skip('-')
	if !r.skip('0') && r.digits() == 0 {
		return "", false
	}
	if r.skip('.') && r.digits() == 0 {
		return "", false
	}
	if r.skip('e') || r.skip('E') {
		if !r.skip('+') {
			r.skip('-')
		}
		if r.digits() == 0 {
			return "", false
		}
	}
	return r.s[start:r.pos], true
}

// skip reads c if it is the very next byte.
func (r *jsonReader) skip(c byte) bool {
	if r.pos < len(r.s) && r.s[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

func (r *jsonReader) digits() (n int) {
	for ; r.pos < len(r.s) && r.s[r.pos] >= '0' && r.s[r.pos] <= '9'; n++ {
		r.pos++
	}
	return n
}

// text reads a string. It aliases the input when nothing in it is escaped.
func (r *jsonReader) text() (string, error) {
	r.pos++ // the quote
	start := r.pos
	var b []byte
	for r.pos < len(r.s) {
		switch c := r.s[r.pos]; {
		case c == '"':
			s := r.s[start:r.pos]
			r.pos++
			if b != nil {
				s = string(append(b, s...))
			}
			return s, nil
		case c == '\\':
			b = append(b, r.s[start:r.pos]...)
			x, ok := r.escape()
			if !ok {
				return "", r.fault("not an escape")
			}
			b = utf8.AppendRune(b, x)
			start = r.pos
		case c < 0x20:
			return "", r.fault("control character in a string")
		default:
			r.pos++
		}
	}
	return "", r.fault("string without an end")
}

// escape reads what a backslash begins. Half a surrogate pair stands for no character and is refused.
func (r *jsonReader) escape() (rune, bool) {
	if r.pos+1 >= len(r.s) {
		return 0, false
	}
	c := r.s[r.pos+1]
	r.pos += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'u':
		return r.unicode()
	}
	return 0, false
}

func (r *jsonReader) unicode() (rune, bool) {
	x, ok := r.hex4()
	if !ok || !utf16.IsSurrogate(x) {
		return x, ok
	}
	if !r.skip('\\') || !r.skip('u') {
		return 0, false
	}
	y, ok := r.hex4()
	x = utf16.DecodeRune(x, y)
	return x, ok && x != utf8.RuneError
}

func (r *jsonReader) hex4() (rune, bool) {
	if len(r.s)-r.pos < 4 {
		return 0, false
	}
	x, err := strconv.ParseUint(r.s[r.pos:r.pos+4], 16, 16)
	r.pos += 4
	return rune(x), err == nil
}
