package row

import (
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// summaryLength bounds the characters of a value in an error message.
const summaryLength = 60

// summary is a value and its Go type for an error message: `"abc" (string)`. It is short whatever the value
// is, and costs no more than its length: a Decimal of 1e2000000000 is not written out.
func summary(v any) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case string:
		return quoted(x) + " (string)"
	case []byte:
		return hexed(x) + " ([]byte)"
	case time.Time:
		return x.Format(time.RFC3339Nano) + " (time.Time)"
	case decimal.Decimal:
		return decimalSummary(x) + " (decimal.Decimal)"
	case *big.Int:
		if x != nil && x.BitLen() <= 128 {
			return x.String() + " (*big.Int)"
		}
	case *big.Rat:
		if x != nil && x.Num().BitLen() <= 96 && x.Denom().BitLen() <= 96 {
			return x.String() + " (*big.Rat)"
		}
	case time.Duration, Date, TimeOfDay:
		return fmt.Sprintf("%v (%T)", x, x)
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return fmt.Sprintf("%v (%T)", rv, v)
	case reflect.String:
		return fmt.Sprintf("%s (%T)", quoted(rv.String()), v)
	case reflect.Slice, reflect.Map:
		return fmt.Sprintf("%T of length %d", v, rv.Len())
	case reflect.Pointer:
		if rv.IsNil() {
			return fmt.Sprintf("nil (%T)", v)
		}
	}
	return fmt.Sprintf("a %T", v)
}

// quoted is s in double quotes, cut to summaryLength characters.
func quoted(s string) string {
	for i, n := 0, 0; i < len(s); n++ {
		if n == summaryLength {
			return strconv.Quote(s[:i]) + "..."
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return strconv.Quote(s)
}

func hexed(b []byte) string {
	if len(b) > summaryLength/2 {
		return fmt.Sprintf("X'%x'...", b[:summaryLength/2])
	}
	return fmt.Sprintf("X'%x'", b)
}

func decimalSummary(x decimal.Decimal) string {
	if exp := x.Exponent(); exp >= -summaryLength && exp <= summaryLength {
		if c := x.Coefficient(); c.BitLen() <= 192 {
			return x.String()
		}
	}
	return fmt.Sprintf("a number of %d bits * 10^%d", x.Coefficient().BitLen(), x.Exponent())
}
