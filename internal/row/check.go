package row

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/gofluss/fluss/internal/catalog"
)

// Check reports why a value that was made without Bind, of the kind of t, is not one of t: NULL, UTF-8, length, precision,
// range, fraction digits, keys of a MAP. The error is a *BindError.
func Check(d *Datum, t *catalog.Type) error {
	if err := check(d, t); err != nil {
		value := "NULL"
		if !d.Null {
			value = quoted(string(Text(nil, d, t, nil)))
		}
		return bindError(t, value, err)
	}
	return nil
}

func check(d *Datum, t *catalog.Type) error {
	if d.Null {
		return bindNull(&Datum{}, t)
	}
	switch t.Kind {
	case catalog.Char:
		return setChar(&Datum{}, t, aliasBytes(d.B))
	case catalog.String:
		if !utf8.Valid(d.B) {
			return errUTF8
		}
	case catalog.Binary:
		return setBinary(&Datum{}, t, d.B)
	case catalog.Decimal:
		return checkDecimal(d, t)
	case catalog.Date:
		return setDay(&Datum{}, d.I)
	case catalog.Time:
		if d.I < 0 || d.I >= millisPerDay {
			return errDayLength
		}
		return setClock(&Datum{}, t, d.I/1000, d.I%1000*1e6+int64(d.N), false, nil)
	case catalog.Timestamp, catalog.TimestampLTZ:
		second, nanos := splitStamp(d)
		return setStamp(&Datum{}, t, second, nanos, false, nil)
	case catalog.Array, catalog.Map, catalog.Row:
		return checkParts(d, t)
	}
	return nil
}

func checkDecimal(d *Datum, t *catalog.Type) error {
	if t.IsCompactDecimal() {
		if d.I == math.MinInt64 || uint64(max(d.I, -d.I)) >= pow10[t.Precision] {
			return decimalRange(t)
		}
		return nil
	}
	if m, _, ok := parseUnscaled(d.B); !ok || !m.less(pow10Wide[t.Precision]) {
		return decimalRange(t)
	}
	return nil
}

func checkParts(d *Datum, t *catalog.Type) error {
	for i := range d.L {
		part, where := t.Elem, ""
		switch {
		case t.Kind == catalog.Row:
			part, where = &t.Fields[i].Type, "field "+t.Fields[i].Name
		case t.Kind == catalog.Map && i%2 == 0:
			part, where = t.Key, "key"
		default:
			where = "element " + strconv.Itoa(i)
		}
		if err := check(&d.L[i], part); err != nil {
			return within(where, part, "it", err)
		}
	}
	if t.Kind == catalog.Map {
		return CheckMap(d, t)
	}
	return nil
}
