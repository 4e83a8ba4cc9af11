package row

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"time"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/catalog"
)

// BindOptions changes how Go values and literals become Fluss values. A nil *BindOptions means the zero value.
type BindOptions struct {
	Location     *time.Location // reads zone-less text into TIMESTAMP_LTZ; nil means UTC
	RoundDecimal bool           // round surplus fraction digits of a DECIMAL half up, away from zero, instead of refusing them
	TruncateTime bool           // cut surplus fraction digits of times instead of refusing them
}

func (o *BindOptions) location() *time.Location {
	if o == nil || o.Location == nil {
		return time.UTC
	}
	return o.Location
}

func (o *BindOptions) roundDecimal() bool { return o != nil && o.RoundDecimal }
func (o *BindOptions) truncateTime() bool { return o != nil && o.TruncateTime }

// BindError says why a value does not become a value of a column's type. The column's name is the caller's
// to add.
type BindError struct {
	Type   string // "DECIMAL(15,2)", with " NOT NULL" when that is what was violated
	Value  string // the value, cut to 60 characters, and its Go type: `"abc" (string)`
	Reason string // "not a number"
	Err    error  // what a driver.Valuer returned; nil otherwise
}

func (e *BindError) Error() string {
	return "cannot use " + e.Value + " as " + e.Type + ": " + e.Reason
}

func (e *BindError) Unwrap() error { return e.Err }

// reason is a refusal without the value and the type it is about. Making one allocates, so it is only made
// when a value is refused.
type reason string

func (r reason) Error() string { return string(r) }

var errNull error = reason("it cannot be NULL")

// Bind turns a Go value into a Fluss value of type t, checking all that the server does not: range, length,
// precision, UTF-8, NULL. On an error, which is always a *BindError, d is undefined.
//
// The TypeInfo table names the Go types that each Fluss type takes. Beyond these a pointer stands for what it
// points at, a nil pointer, nil slice or nil map for NULL, a driver.Valuer for what it returns, and a type
// derived from a basic one for that one.
//
//   - Integers take floats and texts that are exactly integral ("7", 2.0); nothing wraps.
//   - FLOAT and DOUBLE round to the nearest value; what would become infinite is refused.
//   - DECIMAL keeps every digit. A float64 counts as its shortest decimal text, so 0.1 is 0.1; what then has
//     more fraction digits than the scale is refused (or rounded, with RoundDecimal).
//   - CHAR(n) takes up to n characters, BINARY(n) up to n bytes; neither is padded. (INDEXED rows keep a CHAR(n)
//     in n bytes: see Codec.Check.)
//   - DATE takes the calendar day that a time.Time shows in its own location, and text that is a day, or a day
//     at midnight.
//   - TIME keeps milliseconds whatever its precision says; finer digits are surplus.
//   - TIMESTAMP takes the wall clock that a time.Time shows, without conversion, and text without a zone, or
//     with "Z". TIMESTAMP_LTZ takes the instant; text without a zone is read in Location.
//   - Years run from 0001 to 9999.
//   - ARRAY, MAP and ROW take slices, maps and structs, or JSON text as AppendJSON writes it.
//
// Strings and bytes are not copied: d aliases v.
func Bind(d *Datum, t *catalog.Type, v any, o *BindOptions) error {
	if err := bind(d, t, v, o, 0); err != nil {
		return bindError(t, summary(v), err)
	}
	return nil
}

// bindError wraps a reason. A *BindError passes: it is about a value that was inside the given one.
func bindError(t *catalog.Type, value string, err error) error {
	e := &BindError{Type: t.Name(), Value: value, Reason: err.Error()}
	switch r := err.(type) {
	case *BindError:
		return r
	case reason:
		if err == errNull {
			e.Type = t.String()
		}
	case *locatedError:
		e.Err = r.Unwrap()
	case jsonFault:
	default:
		e.Err = err
	}
	return e
}

// maxHops bounds how many pointers, interfaces and Valuers are followed from one value to the next.
const maxHops = 16

func bind(d *Datum, t *catalog.Type, v any, o *BindOptions, hops int) error {
	*d = Datum{}
	switch x := v.(type) {
	case nil:
		return bindNull(d, t)
	case int64:
		return bindInt(d, t, x)
	case string:
		return bindString(d, t, x, o)
	case []byte:
		if x == nil {
			return bindNull(d, t)
		}
		return bindBytes(d, t, x, o)
	case time.Time:
		return bindTime(d, t, x, o)
	case decimal.Decimal:
		return bindDecimal(d, t, x, o)
	case float64:
		return bindFloat(d, t, x, 64, o)
	case bool:
		return bindBool(d, t, x)
	case int:
		return bindInt(d, t, int64(x))
	case int32:
		return bindInt(d, t, int64(x))
	case uint64:
		return bindUint(d, t, x)
	case float32:
		return bindFloat(d, t, float64(x), 32, o)
	}
	if hops >= maxHops {
		return reason("too many pointers to follow")
	}
	return bindRare(d, t, v, o, hops)
}

// bindRare binds the types that are worth a case of their own but not a place in front.
func bindRare(d *Datum, t *catalog.Type, v any, o *BindOptions, hops int) error {
	switch x := v.(type) {
	case Date:
		return bindCivilDate(d, t, x, o)
	case TimeOfDay:
		return bindTimeOfDay(d, t, x, o)
	case time.Duration:
		return bindDuration(d, t, x, o)
	case decimal.NullDecimal:
		if !x.Valid {
			return bindNull(d, t)
		}
		return bindDecimal(d, t, x.Decimal, o)
	case json.Number:
		return bindString(d, t, string(x), o)
	case *decimal.Decimal:
		if x == nil {
			return bindNull(d, t)
		}
		return bindDecimal(d, t, *x, o)
	case *big.Int:
		if x == nil {
			return bindNull(d, t)
		}
		return bindBigInt(d, t, x, o)
	case *big.Rat:
		if x == nil {
			return bindNull(d, t)
		}
		return bindRat(d, t, x, o)
	case driver.Valuer:
		return bindValuer(d, t, x, o, hops)
	}
	return bindReflect(d, t, reflect.ValueOf(v), o, hops)
}

func bindNull(d *Datum, t *catalog.Type) error {
	if t.NotNull {
		return errNull
	}
	d.Null = true
	return nil
}

// wrongType is the refusal of a value whose Go type the column does not take.
func wrongType(t *catalog.Type) error {
	return reason("it takes " + kindInfos[t.Kind].in)
}

func outOfRange(lo, hi any) error { return reason(fmt.Sprintf("out of range, %v to %v", lo, hi)) }
