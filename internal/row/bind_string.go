package row

import (
	"fmt"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/gofluss/fluss/internal/catalog"
)

var (
	errUTF8     error = reason("not valid UTF-8")
	errNotBoolS error = reason("not a BOOLEAN: true, false, 1 or 0")
)

// empty is the B of an empty value. It is never nil, so that a length of 0 is not taken for absence.
var empty = make([]byte, 0)

// stringBytes is s as bytes without a copy; they must not be written to.
func stringBytes(s string) []byte {
	if s == "" {
		return empty
	}
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// aliasBytes is b as a string without a copy, valid until b is written to.
func aliasBytes(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bindString binds text by the column's type. Text becomes a number, a date and so on where it is one.
func bindString(d *Datum, t *catalog.Type, s string, o *BindOptions) error {
	switch t.Kind {
	case catalog.String:
		if !utf8.ValidString(s) {
			return errUTF8
		}
		d.B = stringBytes(s)
		return nil
	case catalog.Char:
		return setChar(d, t, s)
	case catalog.Bytes, catalog.Binary:
		return setBinary(d, t, stringBytes(s))
	case catalog.Boolean:
		x, err := strconv.ParseBool(s)
		if err != nil {
			return errNotBoolS
		}
		return bindBool(d, t, x)
	case catalog.Date:
		return setDateText(d, s)
	case catalog.Time:
		return setTimeText(d, t, s, o)
	case catalog.Timestamp:
		return setTimestampText(d, t, s, o)
	case catalog.TimestampLTZ:
		return setInstantText(d, t, s, o)
	case catalog.Array, catalog.Map, catalog.Row:
		return setJSON(d, t, s, o)
	}
	return bindNumberText(d, t, s, o)
}

// bindBytes binds bytes as they are to BINARY and BYTES, and as text to everything else.
func bindBytes(d *Datum, t *catalog.Type, b []byte, o *BindOptions) error {
	if t.Kind == catalog.Bytes || t.Kind == catalog.Binary {
		if len(b) == 0 {
			b = empty
		}
		return setBinary(d, t, b)
	}
	return bindString(d, t, aliasBytes(b), o)
}

func setChar(d *Datum, t *catalog.Type, s string) error {
	if !utf8.ValidString(s) {
		return errUTF8
	}
	if len(s) > t.Length {
		if n := utf8.RuneCountInString(s); n > t.Length {
			return reason(fmt.Sprintf("it has %d characters, at most %d fit", n, t.Length))
		}
	}
	d.B = stringBytes(s)
	return nil
}

func setBinary(d *Datum, t *catalog.Type, b []byte) error {
	if t.Kind == catalog.Binary && len(b) > t.Length {
		return reason(fmt.Sprintf("it has %d bytes, at most %d fit", len(b), t.Length))
	}
	d.B = b[:len(b):len(b)]
	return nil
}
