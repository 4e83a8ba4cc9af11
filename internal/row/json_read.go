package row

import (
	"fmt"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// jsonReader reads JSON text into Fluss values. The type leads: nothing is read that has no place to go, so
// the text cannot nest deeper than the type. The first error stops it.
type jsonReader struct {
	s   string
	pos int
	o   *BindOptions
}

// maxNesting bounds the depth of a type, and with it the recursion.
const maxNesting = 64

// setJSON reads what AppendJSON writes, and beyond that: white space, the fields of a ROW in any order, NULL
// fields left out, a MAP of any scalar key as an object, a MAP of strings as pairs, and numbers in strings.
// A key twice, an unknown field, or text behind the value is an error.
func setJSON(d *Datum, t *catalog.Type, s string, o *BindOptions) error {
	r := jsonReader{s: s, o: o}
	if err := r.value(d, t, 0); err != nil {
		return err
	}
	if r.space(); r.pos < len(s) {
		return r.fault("more text behind the value")
	}
	return nil
}

// jsonFault is text that is not the JSON of the type. It says where by itself.
type jsonFault string

func (f jsonFault) Error() string { return string(f) }

func (r *jsonReader) fault(what string) error {
	return jsonFault(fmt.Sprintf("not its JSON: byte %d: %s", r.pos, what))
}

func (r *jsonReader) space() {
	for r.pos < len(r.s) {
		switch r.s[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// peek is the next byte that is not white space, or 0 at the end.
func (r *jsonReader) peek() byte {
	if r.space(); r.pos < len(r.s) {
		return r.s[r.pos]
	}
	return 0
}

// take reads c if it comes next.
func (r *jsonReader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.pos++
	return true
}

// word reads a keyword if it comes next.
func (r *jsonReader) word(w string) bool {
	if !strings.HasPrefix(r.s[r.pos:], w) {
		return false
	}
	r.pos += len(w)
	return true
}

// value reads a value of type t.
func (r *jsonReader) value(d *Datum, t *catalog.Type, depth int) error {
	if depth > maxNesting {
		return r.fault("nested too deep")
	}
	*d = Datum{}
	if r.peek() == 'n' && r.word("null") {
		return bindNull(d, t)
	}
	switch t.Kind {
	case catalog.Array:
		return r.array(d, t, depth+1)
	case catalog.Map:
		return r.entries(d, t, depth+1)
	case catalog.Row:
		return r.fields(d, t, depth+1)
	}
	return r.scalar(d, t)
}

// part reads a value inside another one and says in an error where it was.
func (r *jsonReader) part(where string, index int, d *Datum, t *catalog.Type, depth int) error {
	r.space()
	start := r.pos
	err := r.value(d, t, depth)
	if err == nil {
		return nil
	}
	if _, ok := err.(jsonFault); ok {
		return err
	}
	if where == "" {
		where = fmt.Sprintf("element %d", index)
	}
	return within(where, t, quoted(r.s[start:r.pos])+" (JSON)", err)
}

// list reads [item, item, ...]. Each item is read by the given function.
func (r *jsonReader) list(item func(i int) error) error {
	if !r.take('[') {
		return r.fault("expected [")
	}
	if r.take(']') {
		return nil
	}
	for i := 0; ; i++ {
		if err := item(i); err != nil {
			return err
		}
		if r.take(']') {
			return nil
		}
		if !r.take(',') {
			return r.fault("expected , or ]")
		}
	}
}

// members reads {"name": ..., ...}. Each value is read by the given function.
func (r *jsonReader) members(value func(name string) error) error {
	if !r.take('{') {
		return r.fault("expected {")
	}
	if r.take('}') {
		return nil
	}
	for {
		if r.peek() != '"' {
			return r.fault("expected a name in double quotes")
		}
		name, err := r.text()
		if err != nil {
			return err
		}
		if !r.take(':') {
			return r.fault("expected :")
		}
		if err := value(name); err != nil {
			return err
		}
		if r.take('}') {
			return nil
		}
		if !r.take(',') {
			return r.fault("expected , or }")
		}
	}
}
