package row

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/gofluss/fluss/internal/catalog"
)

// AppendJSON appends a value as JSON, the form in which ARRAY, MAP and ROW leave and enter the driver:
//
//	BOOLEAN              true, false
//	integers, DECIMAL    numbers, all digits: 2.00
//	FLOAT, DOUBLE        numbers, the shortest that read back the same; "NaN", "Infinity", "-Infinity"
//	CHAR, STRING         strings; bytes that are not UTF-8 become U+FFFD
//	BINARY, BYTES        strings, standard base64
//	DATE                 "2006-01-02"
//	TIME                 "15:04:05.000"
//	TIMESTAMP            "2006-01-02 15:04:05.000000"
//	TIMESTAMP_LTZ        "2006-01-02T15:04:05.000000Z", RFC 3339 in loc (nil means UTC)
//	ARRAY                [...]
//	MAP                  an object if the key is a CHAR or STRING, otherwise [[key, value], ...]
//	ROW                  an object by field name, in the order of the fields
//	NULL                 null
//
// There is no white space between tokens.
func AppendJSON(dst []byte, d *Datum, t *catalog.Type, loc *time.Location) []byte {
	if d.Null {
		return append(dst, "null"...)
	}
	switch t.Kind {
	case catalog.Char, catalog.String:
		return appendJSONString(dst, d.B)
	case catalog.Binary, catalog.Bytes:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, d.B)
		return append(dst, '"')
	case catalog.Float, catalog.Double, catalog.Decimal:
		return appendJSONNumber(dst, d, t)
	case catalog.Date, catalog.Time, catalog.Timestamp, catalog.TimestampLTZ:
		dst = append(dst, '"')
		dst = appendScalar(dst, d, t, loc)
		return append(dst, '"')
	case catalog.Array:
		dst = append(dst, '[')
		for i := range d.L {
			dst = AppendJSON(appendComma(dst, i), &d.L[i], t.Elem, loc)
		}
		return append(dst, ']')
	case catalog.Map:
		return appendJSONMap(dst, d, t, loc)
	case catalog.Row:
		dst = append(dst, '{')
		for i := range d.L {
			dst = appendJSONString(appendComma(dst, i), stringBytes(t.Fields[i].Name))
			dst = AppendJSON(append(dst, ':'), &d.L[i], &t.Fields[i].Type, loc)
		}
		return append(dst, '}')
	}
	return appendScalar(dst, d, t, loc)
}

func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}

func appendJSONMap(dst []byte, d *Datum, t *catalog.Type, loc *time.Location) []byte {
	object := hasStringKeys(d, t)
	start, end := byte('['), byte(']')
	if object {
		start, end = '{', '}'
	}
	dst = append(dst, start)
	for i := 0; i+1 < len(d.L); i += 2 {
		dst = appendComma(dst, i)
		if object {
			dst = append(appendJSONString(dst, d.L[i].B), ':')
			dst = AppendJSON(dst, &d.L[i+1], t.Elem, loc)
			continue
		}
		dst = AppendJSON(append(dst, '['), &d.L[i], t.Key, loc)
		dst = AppendJSON(append(dst, ','), &d.L[i+1], t.Elem, loc)
		dst = append(dst, ']')
	}
	return append(dst, end)
}

// hasStringKeys reports whether an object can hold the MAP. A NULL key, which another client may have stored,
// has no place there.
func hasStringKeys(d *Datum, t *catalog.Type) bool {
	if t.Key.Kind != catalog.String && t.Key.Kind != catalog.Char {
		return false
	}
	for i := 0; i < len(d.L); i += 2 {
		if d.L[i].Null {
			return false
		}
	}
	return true
}

// appendJSONNumber quotes what is no number.
func appendJSONNumber(dst []byte, d *Datum, t *catalog.Type) []byte {
	var finite bool
	switch t.Kind {
	case catalog.Float:
		finite = uint32(d.I)>>23&0xff != 0xff
	case catalog.Double:
		finite = uint64(d.I)>>52&0x7ff != 0x7ff
	default:
		finite = !isAbsurd(d, t)
	}
	if finite {
		return appendScalar(dst, d, t, nil)
	}
	dst = append(dst, '"')
	dst = appendScalar(dst, d, t, nil)
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

// appendJSONString quotes s, escaping what JSON requires and no more.
func appendJSONString(dst, s []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
			dst = append(append(dst, s[start:i]...), "\ufffd"...)
		} else {
			dst = appendEscape(append(dst, s[start:i]...), c)
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
