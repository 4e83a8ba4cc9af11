package row

import (
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// LiteralKind says how a literal was written in SQL.
type LiteralKind uint8

// The kinds of literal, and the text that BindText expects for each.
const (
	LiteralNumber    LiteralKind = iota + 1 // as written, with its sign
	LiteralString                           // without quotes and escapes
	LiteralBool                             // true or false
	LiteralBytes                            // the raw bytes
	LiteralDate                             // of DATE '...'
	LiteralTime                             // of TIME '...'
	LiteralTimestamp                        // of TIMESTAMP '...'
)

var literalNames = [...]string{"literal", "number", "string", "boolean", "bytes", "DATE", "TIME", "TIMESTAMP"}

// BindText turns a SQL literal into a Fluss value of type t. Numbers are read digit by digit, never by way of
// a float64 unless the type is a float. Strings become what the type is, as Bind has it: '12.5' a DECIMAL,
// '2026-08-01' a DATE, JSON text an ARRAY, MAP or ROW. 1 and 0 are BOOLEANs. Typed literals go to their own
// type, a DATE also to timestamps as its midnight, and a TIMESTAMP at midnight to a DATE.
//
// The error is always a *BindError. d aliases text.
func BindText(d *Datum, t *catalog.Type, k LiteralKind, text string, o *BindOptions) error {
	*d = Datum{}
	if err := bindLiteral(d, t, k, text, o); err != nil {
		return bindError(t, literalSummary(k, text), err)
	}
	return nil
}

func bindLiteral(d *Datum, t *catalog.Type, k LiteralKind, text string, o *BindOptions) error {
	switch k {
	case LiteralNumber:
		return bindNumberText(d, t, text, o)
	case LiteralString:
		return bindString(d, t, text, o)
	case LiteralBool:
		return bindBool(d, t, strings.EqualFold(text, "true"))
	case LiteralBytes:
		switch t.Kind {
		case catalog.Binary, catalog.Bytes, catalog.Char, catalog.String:
			return bindString(d, t, text, o)
		}
	case LiteralDate:
		switch t.Kind {
		case catalog.Date, catalog.Timestamp, catalog.TimestampLTZ:
			if len(text) != len("2006-01-02") {
				return errNotDate
			}
			return bindString(d, t, text, o)
		}
	case LiteralTime:
		if t.Kind == catalog.Time {
			return setTimeText(d, t, text, o)
		}
	case LiteralTimestamp:
		switch t.Kind {
		case catalog.Date, catalog.Timestamp, catalog.TimestampLTZ:
			return bindString(d, t, text, o)
		}
	}
	return wrongType(t)
}

func literalSummary(k LiteralKind, text string) string {
	if int(k) >= len(literalNames) {
		k = 0
	}
	switch k {
	case LiteralNumber, LiteralBool:
		q := quoted(text)
		if strings.HasSuffix(q, "...") {
			return q[1:len(q)-4] + "... (" + literalNames[k] + ")"
		}
		return q[1:len(q)-1] + " (" + literalNames[k] + ")"
	case LiteralBytes:
		return hexed([]byte(text)) + " (bytes)"
	}
	return quoted(text) + " (" + literalNames[k] + ")"
}
