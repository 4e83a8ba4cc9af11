package row

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/catalog"
)

// Types of the tests. All are nullable unless notNull says otherwise.
var (
	tBool    = &catalog.Type{Kind: catalog.Boolean}
	tTiny    = &catalog.Type{Kind: catalog.TinyInt}
	tSmall   = &catalog.Type{Kind: catalog.SmallInt}
	tInt     = &catalog.Type{Kind: catalog.Int}
	tBig     = &catalog.Type{Kind: catalog.BigInt}
	tFloat   = &catalog.Type{Kind: catalog.Float}
	tDouble  = &catalog.Type{Kind: catalog.Double}
	tString  = &catalog.Type{Kind: catalog.String}
	tBytes   = &catalog.Type{Kind: catalog.Bytes}
	tDate    = &catalog.Type{Kind: catalog.Date}
	tChar3   = &catalog.Type{Kind: catalog.Char, Length: 3}
	tBinary3 = &catalog.Type{Kind: catalog.Binary, Length: 3}
)

func tDecimal(p, s int) *catalog.Type {
	return &catalog.Type{Kind: catalog.Decimal, Precision: p, Scale: s}
}
func tTime(p int) *catalog.Type  { return &catalog.Type{Kind: catalog.Time, Precision: p} }
func tStamp(p int) *catalog.Type { return &catalog.Type{Kind: catalog.Timestamp, Precision: p} }
func tLTZ(p int) *catalog.Type   { return &catalog.Type{Kind: catalog.TimestampLTZ, Precision: p} }
func tArray(e *catalog.Type) *catalog.Type {
	return &catalog.Type{Kind: catalog.Array, Elem: e}
}
func tMap(k, v *catalog.Type) *catalog.Type {
	return &catalog.Type{Kind: catalog.Map, Key: notNull(k), Elem: v}
}
func tRow(fields ...any) *catalog.Type { // name, type, name, type
	t := &catalog.Type{Kind: catalog.Row}
	for i := 0; i < len(fields); i += 2 {
		t.Fields = append(t.Fields, catalog.Field{Name: fields[i].(string), Type: *fields[i+1].(*catalog.Type), ID: -1})
	}
	return t
}
func notNull(t *catalog.Type) *catalog.Type {
	c := *t
	c.NotNull = true
	return &c
}

type (
	myInt    int16
	myUint   uint8
	myString string
	myBytes  []byte
	myBool   bool
	myFloat  float32
	myTime   time.Time
	valuer   struct{ v driver.Value }
	failing  struct{}
)

func (v valuer) Value() (driver.Value, error) { return v.v, nil }
func (failing) Value() (driver.Value, error)  { return nil, errBoom }

var errBoom = errors.New("boom")

func ptr[T any](x T) *T { return &x }

func bigInt(s string) *big.Int { x, _ := new(big.Int).SetString(s, 10); return x }

var (
	rounding   = &BindOptions{RoundDecimal: true}
	truncating = &BindOptions{TruncateTime: true}
	berlin     = must(time.LoadLocation("Europe/Berlin"))
	inBerlin   = &BindOptions{Location: berlin}
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// bindCases are values, and the text of what they become; want "!..." is a part of the error.
var bindCases = []struct {
	name string
	t    *catalog.Type
	in   any
	o    *BindOptions
	want string
}{
	{"nil", tInt, nil, nil, "NULL"},
	{"nil not null", notNull(tInt), nil, nil, "!cannot use NULL as INT NOT NULL: it cannot be NULL"},
	{"nil pointer", tString, (*string)(nil), nil, "NULL"},
	{"nil bytes", tBytes, []byte(nil), nil, "NULL"},
	{"nil bytes into string", tString, []byte(nil), nil, "NULL"},
	{"nil decimal pointer", tDecimal(5, 2), (*decimal.Decimal)(nil), nil, "NULL"},
	{"nil valuer pointer", tString, (*valuer)(nil), nil, "NULL"},
	{"null string", tString, sql.NullString{}, nil, "NULL"},
	{"null decimal", tDecimal(5, 2), decimal.NullDecimal{}, nil, "NULL"},
	{"nil big", tBig, (*big.Int)(nil), nil, "NULL"},
	{"nil slice", tArray(tInt), []int(nil), nil, "NULL"},
	{"nil map", tMap(tInt, tInt), map[int]int(nil), nil, "NULL"},

	{"bool", tBool, true, nil, "true"},
	{"my bool", tBool, myBool(true), nil, "true"},
	{"bool 0", tBool, int64(0), nil, "false"},
	{"bool 1", tBool, 1, nil, "true"},
	{"bool 2", tBool, 2, nil, "!not true, false, 1 or 0"},
	{"bool text", tBool, "FALSE", nil, "false"},
	{"bool text 1", tBool, "1", nil, "true"},
	{"bool yes", tBool, "yes", nil, "!not a BOOLEAN"},
	{"bool into int", tInt, true, nil, "!cannot use true (bool) as INT: it takes an integer"},
	{"bool float", tBool, 1.0, nil, "!it takes a bool"},

	{"tiny min", tTiny, int64(-128), nil, "-128"},
	{"tiny max", tTiny, int8(127), nil, "127"},
	{"tiny over", tTiny, int64(128), nil, "!cannot use 128 (int64) as TINYINT: out of range, -128 to 127"},
	{"tiny under", tTiny, -129, nil, "!-128 to 127"},
	{"small over", tSmall, int32(32768), nil, "!-32768 to 32767"},
	{"int max", tInt, int64(math.MaxInt32), nil, "2147483647"},
	{"int over", tInt, int64(math.MaxInt32 + 1), nil, "!-2147483648 to 2147483647"},
	{"int min", tInt, int64(math.MinInt32), nil, "-2147483648"},
	{"big min", tBig, int64(math.MinInt64), nil, "-9223372036854775808"},
	{"big max uint", tBig, uint64(math.MaxInt64), nil, "9223372036854775807"},
	{"big over uint", tBig, uint64(math.MaxInt64 + 1), nil, "!9223372036854775808 (uint64) as BIGINT: out of range"},
	{"int over uint", tInt, uint64(math.MaxUint64), nil, "!-2147483648 to 2147483647"},
	{"my int", tSmall, myInt(7), nil, "7"},
	{"my uint", tTiny, myUint(200), nil, "!out of range"},
	{"int text", tInt, "7", nil, "7"},
	{"int text plus", tInt, "+7", nil, "7"},
	{"int text min", tBig, "-9223372036854775808", nil, "-9223372036854775808"},
	{"int text under", tBig, "-9223372036854775809", nil, "!out of range"},
	{"int text over", tBig, "9223372036854775808", nil, "!out of range"},
	{"int text huge", tBig, strings.Repeat("9", 100), nil, "!out of range"},
	{"int text integral", tInt, "7.00", nil, "7"},
	{"int text exponent", tInt, "7e2", nil, "700"},
	{"int text fraction", tInt, "1.5", nil, "!not an integer"},
	{"int text space", tInt, " 7", nil, "!not a number"},
	{"int text hex", tInt, "0x7", nil, "!not a number"},
	{"int text empty", tInt, "", nil, "!not a number"},
	{"int bytes", tInt, []byte("12"), nil, "12"},
	{"int float", tInt, 2.0, nil, "2"},
	{"int float fraction", tInt, 1.5, nil, "!cannot use 1.5 (float64) as INT: not an integer"},
	{"int float NaN", tInt, math.NaN(), nil, "!not an integer"},
	{"int float Inf", tInt, math.Inf(1), nil, "!out of range"},
	{"big float over", tBig, 9223372036854775808.0, nil, "!out of range"},
	{"big float min", tBig, -9223372036854775808.0, nil, "-9223372036854775808"},
	{"big from big.Int", tBig, bigInt("-5"), nil, "-5"},
	{"big from huge big.Int", tBig, bigInt("18446744073709551616"), nil, "!out of range"},
	{"int from rat", tInt, big.NewRat(6, 3), nil, "2"},
	{"int from rat fraction", tInt, big.NewRat(1, 3), nil, "!not an integer"},
	{"int from decimal", tInt, decimal.RequireFromString("12.0"), nil, "12"},
	{"int from decimal fraction", tInt, decimal.RequireFromString("12.1"), nil, "!not an integer"},
	{"int json.Number", tInt, json.Number("41"), nil, "41"},
	{"int duration", tBig, time.Second, nil, "1000000000"},
	{"int from time", tInt, time.Unix(0, 0), nil, "!it takes an integer"},
	{"pointer to pointer", tInt, ptr(ptr(5)), nil, "5"},
	{"valuer", tInt, valuer{int64(5)}, nil, "5"},
	{"valuer of valuer", tInt, valuer{valuer{int64(5)}}, nil, "5"},
	{"pointer to valuer", tInt, &valuer{int64(5)}, nil, "5"},
	{"failing valuer", tInt, failing{}, nil, "!boom"},
	{"sql.Null", tInt, sql.Null[int32]{V: 3, Valid: true}, nil, "3"},
	{"sql.Null Date", tDate, sql.Null[Date]{V: Date{2024, 3, 10}, Valid: true}, nil, "2024-03-10"},
	{"sql.Null not valid", tDate, sql.Null[Date]{}, nil, "NULL"},
	{"sql.Null decimal", tDecimal(5, 2), sql.Null[decimal.Decimal]{V: decimal.New(15, -1), Valid: true}, nil, "1.50"},
	{"channel", tInt, make(chan int), nil, "!it takes an integer"},
	{"complex", tDouble, 1i, nil, "!it takes a float"},

	{"float", tFloat, 0.1, nil, "0.1"},
	{"float32", tFloat, float32(0.1), nil, "0.1"},
	{"my float", tFloat, myFloat(0.5), nil, "0.5"},
	{"float over", tFloat, 1e39, nil, "!too large"},
	{"float max", tFloat, float64(math.MaxFloat32), nil, "3.4028235e+38"},
	{"float inf", tFloat, math.Inf(-1), nil, "-Infinity"},
	{"float nan", tFloat, math.NaN(), nil, "NaN"},
	{"float text", tFloat, "0.1", nil, "0.1"},
	{"float text over", tFloat, "1e39", nil, "!too large"},
	{"float text word", tFloat, "Infinity", nil, "Infinity"},
	{"double", tDouble, 0.1, nil, "0.1"},
	{"double negative zero", tDouble, math.Copysign(0, -1), nil, "-0"},
	{"double int", tDouble, int64(1 << 53), nil, "9007199254740992"},
	{"double uint", tDouble, uint64(math.MaxUint64), nil, "18446744073709552000"},
	{"double text", tDouble, "1e400", nil, "!too large"},
	{"double text hex", tDouble, "0x1p-2", nil, "!not a number"},
	{"double text underscore", tDouble, "1_0", nil, "!not a number"},
	{"double decimal", tDouble, decimal.RequireFromString("1.25"), nil, "1.25"},
	{"double rat", tDouble, big.NewRat(1, 4), nil, "0.25"},
	{"double from float32", tDouble, float32(0.1), nil, "0.10000000149011612"},

	{"string", tString, "x", nil, "x"},
	{"string empty", tString, "", nil, ""},
	{"string NUL", tString, "a\x00b", nil, "a\x00b"},
	{"string bytes", tString, []byte("x"), nil, "x"},
	{"my string", tString, myString("x"), nil, "x"},
	{"my bytes", tString, myBytes("x"), nil, "x"},
	{"string bad utf8", tString, "\xff", nil, `!cannot use "\xff" (string) as STRING: not valid UTF-8`},
	{"string surrogate", tString, "\xed\xa0\x80", nil, "!not valid UTF-8"},
	{"string int", tString, 5, nil, "!cannot use 5 (int) as STRING: it takes a string"},
	{"string bool", tString, true, nil, "!it takes a string"},
	{"string time", tString, time.Time{}, nil, "!it takes a string"},
	{"string decimal", tString, decimal.New(1, 0), nil, "!it takes a string"},
	{"char", tChar3, "äöü", nil, "äöü"},
	{"char short", tChar3, "a", nil, "a"},
	{"char long", tChar3, "abcd", nil, "!it has 4 characters, at most 3 fit"},
	{"char bad utf8", tChar3, "\xff", nil, "!not valid UTF-8"},
	{"bytes", tBytes, []byte{0, 255}, nil, "X'00ff'"},
	{"bytes empty", tBytes, []byte{}, nil, "X''"},
	{"bytes string", tBytes, "\xff", nil, "X'ff'"},
	{"bytes array", tBytes, [2]byte{1, 2}, nil, "X'0102'"},
	{"bytes my array", tBytes, [2]myUint{1, 2}, nil, "X'0102'"},
	{"bytes raw", tBytes, sql.RawBytes{1}, nil, "X'01'"},
	{"bytes int", tBytes, 5, nil, "!it takes a []byte"},
	{"binary", tBinary3, []byte{1, 2, 3}, nil, "X'010203'"},
	{"binary long", tBinary3, []byte{1, 2, 3, 4}, nil, "!it has 4 bytes, at most 3 fit"},

	{"decimal text", tDecimal(10, 2), "2.00", nil, "2.00"},
	{"decimal text int", tDecimal(10, 2), "2", nil, "2.00"},
	{"decimal text short", tDecimal(10, 2), "12.5", nil, "12.50"},
	{"decimal text zeros", tDecimal(10, 2), "12.5000000", nil, "12.50"},
	{"decimal text surplus", tDecimal(10, 2), "123.455", nil, `!cannot use "123.455" (string) as DECIMAL(10,2): it has more than 2 fraction digits`},
	{"decimal round", tDecimal(10, 2), "123.455", rounding, "123.46"},
	{"decimal round negative", tDecimal(10, 2), "-123.455", rounding, "-123.46"},
	{"decimal round down", tDecimal(10, 2), "123.4549999", rounding, "123.45"},
	{"decimal round small", tDecimal(10, 2), "-0.004", rounding, "0.00"},
	{"decimal round tiny", tDecimal(10, 2), "9e-40", rounding, "0.00"},
	{"decimal round over", tDecimal(4, 2), "99.995", rounding, "!more than 2 digits before the decimal point"},
	{"decimal negative zero", tDecimal(4, 2), "-0", nil, "0.00"},
	{"decimal max", tDecimal(4, 2), "99.99", nil, "99.99"},
	{"decimal over", tDecimal(4, 2), "100", nil, "!more than 2 digits before the decimal point"},
	{"decimal over int", tDecimal(4, 2), 100, nil, "!more than 2 digits before the decimal point"},
	{"decimal int", tDecimal(4, 2), -99, nil, "-99.00"},
	{"decimal int min", tDecimal(38, 0), int64(math.MinInt64), nil, "-9223372036854775808"},
	{"decimal uint max", tDecimal(38, 18), uint64(math.MaxUint64), nil, "18446744073709551615.000000000000000000"},
	{"decimal scale only", tDecimal(3, 3), "0.123", nil, "0.123"},
	{"decimal scale only over", tDecimal(3, 3), "1", nil, "!more than 0 digits"},
	{"decimal 38", tDecimal(38, 0), strings.Repeat("9", 38), nil, strings.Repeat("9", 38)},
	{"decimal 38 negative", tDecimal(38, 38), "-0." + strings.Repeat("9", 38), nil, "-0." + strings.Repeat("9", 38)},
	{"decimal 39 digits", tDecimal(38, 0), "1" + strings.Repeat("0", 38), nil, "!more than 38 digits"},
	{"decimal leading zeros", tDecimal(38, 0), strings.Repeat("0", 50) + "7", nil, "7"},
	{"decimal round up to 38", tDecimal(38, 0), strings.Repeat("9", 38) + ".5", rounding, "!more than 38 digits"},
	{"decimal exponent", tDecimal(10, 2), "12345e-2", nil, "123.45"},
	{"decimal exponent up", tDecimal(10, 2), "1.5E+3", nil, "1500.00"},
	{"decimal exponent huge", tDecimal(10, 2), "1e999999999999999999999", nil, "!digits before"},
	{"decimal exponent zero", tDecimal(10, 2), "0e999999999999999999999", nil, "0.00"},
	{"decimal exponent tiny", tDecimal(10, 2), "1e-999999999999999999999", nil, "!more than 2 fraction digits"},
	{"decimal point only", tDecimal(10, 2), ".", nil, "!not a number"},
	{"decimal point first", tDecimal(10, 2), ".5", nil, "0.50"},
	{"decimal point last", tDecimal(10, 2), "5.", nil, "5.00"},
	{"decimal two points", tDecimal(10, 2), "1.2.3", nil, "!not a number"},
	{"decimal word", tDecimal(15, 2), "abc", nil, `!cannot use "abc" (string) as DECIMAL(15,2): not a number`},
	{"decimal NaN", tDecimal(10, 2), "NaN", nil, "!not a number"},
	{"decimal bare exponent", tDecimal(10, 2), "1e", nil, "!not a number"},
	{"decimal float", tDecimal(10, 2), 0.1, nil, "0.10"},
	{"decimal float32", tDecimal(10, 2), float32(0.1), nil, "0.10"},
	{"decimal float surplus", tDecimal(10, 2), 0.125, nil, "!more than 2 fraction digits"},
	{"decimal float rounded", tDecimal(10, 2), 0.125, rounding, "0.13"},
	{"decimal float NaN", tDecimal(10, 2), math.NaN(), nil, "!not a finite number"},
	{"decimal float large", tDecimal(38, 0), 1e22, nil, "10000000000000000000000"},
	{"decimal.Decimal", tDecimal(15, 2), decimal.RequireFromString("418.27"), nil, "418.27"},
	{"decimal.Decimal zero", tDecimal(15, 2), decimal.Decimal{}, nil, "0.00"},
	{"decimal.Decimal positive exponent", tDecimal(15, 2), decimal.New(5, 3), nil, "5000.00"},
	{"decimal.Decimal surplus", tDecimal(15, 2), decimal.New(-123455, -3), nil, "!more than 2 fraction digits"},
	{"decimal.Decimal round", tDecimal(15, 2), decimal.New(-123455, -3), rounding, "-123.46"},
	{"decimal.Decimal trailing zeros", tDecimal(15, 2), decimal.New(1230000, -6), nil, "1.23"},
	{"decimal.Decimal far down", tDecimal(15, 2), decimal.New(1, -30), rounding, "0.00"},
	{"decimal.Decimal wide", tDecimal(38, 2), decimal.RequireFromString("-123456789012345678901234567890.12"), nil, "-123456789012345678901234567890.12"},
	{"decimal.Decimal bomb", tDecimal(15, 2), decimal.New(1, math.MaxInt32), nil, "!* 10^2147483647 (decimal.Decimal)"},
	{"decimal.Decimal bomb pointer", tDecimal(15, 2), ptr(decimal.New(1, math.MaxInt32)), nil, "!digits before"},
	{"decimal.Decimal dust", tDecimal(15, 2), decimal.New(1, math.MinInt32), nil, "!fraction digits"},
	{"decimal.NullDecimal", tDecimal(15, 2), decimal.NewNullDecimal(decimal.New(5, -1)), nil, "0.50"},
	{"decimal pointer", tDecimal(15, 2), ptr(decimal.New(5, -1)), nil, "0.50"},
	{"decimal big.Int", tDecimal(38, 0), bigInt("99999999999999999999"), nil, "99999999999999999999"},
	{"decimal big.Int huge", tDecimal(38, 0), new(big.Int).Lsh(big.NewInt(1), 100000), nil, "!too large"},
	{"decimal big.Rat", tDecimal(10, 2), big.NewRat(1, 4), nil, "0.25"},
	{"decimal big.Rat third", tDecimal(10, 2), big.NewRat(1, 3), nil, "!more than 2 fraction digits"},
	{"decimal big.Rat third rounded", tDecimal(10, 2), big.NewRat(-2, 3), rounding, "-0.67"},
	{"decimal bool", tDecimal(10, 2), true, nil, "!it takes a decimal.Decimal"},

	{"time", tTime(3), "15:04:05.123", nil, "15:04:05.123"},
	{"time 0", tTime(0), "15:04:05", nil, "15:04:05"},
	{"time 9", tTime(9), "15:04:05.1", nil, "15:04:05.100000000"},
	{"time surplus p", tTime(0), "15:04:05.5", nil, "!more than 0 fraction digits"},
	{"time surplus ms", tTime(6), "15:04:05.123456", nil, "!more than 3 fraction digits"},
	{"time cut", tTime(6), "15:04:05.123456", truncating, "15:04:05.123000"},
	{"time zeros", tTime(0), "15:04:05.0000000000", nil, "15:04:05"},
	{"time 24", tTime(0), "24:00:00", nil, "!not a TIME"},
	{"time short", tTime(0), "15:04", nil, "!not a TIME"},
	{"time zone", tTime(0), "15:04:05Z", nil, "!not a TIME"},
	{"time point", tTime(0), "15:04:05.", nil, "!not a TIME"},
	{"time duration", tTime(3), 25 * time.Millisecond, nil, "00:00:00.025"},
	{"time duration end", tTime(3), 24 * time.Hour, nil, "!00:00:00 to 23:59:59.999"},
	{"time duration negative", tTime(3), -time.Second, nil, "!00:00:00 to 23:59:59.999"},
	{"time clock", tTime(3), time.Date(1969, 1, 2, 23, 59, 59, 999e6, berlin), nil, "23:59:59.999"},
	{"time TimeOfDay", tTime(3), TimeOfDay{1, 2, 3, 4e6}, nil, "01:02:03.004"},
	{"time bad TimeOfDay", tTime(3), TimeOfDay{Hour: 24}, nil, "!not a time of the day"},
	{"time int", tTime(3), 5, nil, "!it takes a TimeOfDay"},

	{"array", tArray(tInt), []int{1, 2}, nil, "[1,2]"},
	{"array any", tArray(tString), []any{"a", nil}, nil, `["a",null]`},
	{"array pointers", tArray(tInt), []*int{nil, ptr(3)}, nil, "[null,3]"},
	{"array empty", tArray(tInt), []int{}, nil, "[]"},
	{"array go array", tArray(tInt), [2]int8{1, 2}, nil, "[1,2]"},
	{"array JSON", tArray(tInt), "[1, 2 ,null]", nil, "[1,2,null]"},
	{"array JSON bytes", tArray(tInt), json.RawMessage("[1]"), nil, "[1]"},
	{"array bad element", tArray(tInt), []any{1, "x"}, nil, `!as ARRAY<INT>: element 1: cannot use "x" (string) as INT: not a number`},
	{"array null element", tArray(notNull(tInt)), []any{nil}, nil, "!element 0: cannot use NULL as INT NOT NULL: it cannot be NULL"},
	{"array nested", tArray(tArray(tString)), [][]string{{"a"}, nil, {}}, nil, `[["a"],null,[]]`},
	{"array nested error", tArray(tArray(tInt)), [][]string{{"1", "b"}}, nil, `!element 0, element 1: cannot use "b"`},
	{"array failing valuer", tArray(tInt), []any{failing{}}, nil, "!element 0: cannot use a row.failing as INT: boom"},
	{"array int", tArray(tInt), 5, nil, "!it takes a slice"},
	{"array into int", tInt, []int{1}, nil, "![]int of length 1 as INT"},
	{"map", tMap(tString, tInt), map[string]int{"b": 2, "a": 1}, nil, `{"a":1,"b":2}`},
	{"map int keys", tMap(tInt, tString), map[int]string{2: "x", 1: "y"}, nil, `[[1,"y"],[2,"x"]]`},
	{"map dup", tMap(tInt, tInt), map[any]int{1: 1, "1": 2}, nil, `!key "1" occurs twice`},
	{"map nil key", tMap(tInt, tInt), map[any]int{nil: 1}, nil, "!cannot be NULL"},
	{"map bad value", tMap(tString, tInt), map[string]any{"a": "x"}, nil, `!value of key "a": cannot use "x"`},
	{"row map", tRow("a", tInt, "b", tString), map[string]any{"b": "x"}, nil, `{"a":null,"b":"x"}`},
	{"row map unknown", tRow("a", tInt), map[string]any{"z": 1}, nil, `!no field "z"; there are a`},
	{"row map missing", tRow("a", notNull(tInt)), map[string]any{}, nil, "!field a is NOT NULL and missing"},
	{"row slice", tRow("a", tInt, "b", tString), []any{1, "x"}, nil, `{"a":1,"b":"x"}`},
	{"row slice short", tRow("a", tInt, "b", tString), []any{1}, nil, "!1 values for 2 fields"},
	{"row int keys", tRow("a", tInt), map[int]int{1: 1}, nil, "!strings as keys"},
	{"row struct", tRow("a", tInt, "bee", tString, "d", tDate), struct {
		A    int
		B    string `json:"bee,omitempty"`
		Skip int    `fluss:"-"`
		D    *time.Time
		priv int
	}{A: 1, B: "x"}, nil, `{"a":1,"bee":"x","d":null}`},
	{"row struct unknown", tRow("a", tInt), struct{ A, Z int }{}, nil, `!no field "Z"`},
	{"row struct bad", tRow("a", tTiny), struct{ A int }{200}, nil, "!field a: cannot use 200 (int) as TINYINT"},
	{"struct into int", tInt, struct{}{}, nil, "!it takes an integer"},
}

func TestBind(t *testing.T) {
	for _, c := range bindCases {
		t.Run(c.name, func(t *testing.T) { checkBind(t, c.t, c.in, c.o, c.want) })
	}
	t.Logf("%d cases", len(bindCases))
}

func checkBind(t *testing.T, typ *catalog.Type, in any, o *BindOptions, want string) {
	t.Helper()
	d := Datum{I: 99, B: []byte("stale"), L: []Datum{{}}, N: 7}
	err := Bind(&d, typ, in, o)
	checkBound(t, &d, typ, o, err, want)
}

func checkBound(t *testing.T, d *Datum, typ *catalog.Type, o *BindOptions, err error, want string) {
	t.Helper()
	if part, refused := strings.CutPrefix(want, "!"); refused {
		var be *BindError
		if !errors.As(err, &be) {
			t.Fatalf("got %s, error %v, want a BindError with %q", Text(nil, d, typ, nil), err, part)
		}
		if !strings.Contains(err.Error(), part) || len(be.Value) > 160 {
			t.Fatalf("got error %q, want %q in it", err, part)
		}
		return
	}
	if err != nil {
		t.Fatalf("got error %v, want %s", err, want)
	}
	if got := string(Text(nil, d, typ, o.location())); got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if !d.Null && d.B == nil && (typ.Kind == catalog.String || typ.Kind == catalog.Bytes) {
		t.Fatalf("the bytes of a value that is not NULL are nil")
	}
}

func TestBindErrorUnwraps(t *testing.T) {
	for _, v := range []struct {
		t *catalog.Type
		v any
	}{{tInt, failing{}}, {tArray(tInt), []any{failing{}}}, {tMap(tInt, tArray(tInt)), map[int]any{1: []any{failing{}}}}} {
		var d Datum
		if err := Bind(&d, v.t, v.v, nil); !errors.Is(err, errBoom) {
			t.Errorf("%v: got %v, want it to wrap %v", v.t, err, errBoom)
		}
	}
}

// A cyclic pointer must end.
func TestBindCycle(t *testing.T) {
	type p *p
	var x p
	x = &x
	var y any
	y = &y
	for _, v := range []any{x, y} {
		checkBind(t, tInt, v, nil, "!too many pointers")
	}
}

func TestBindAllocations(t *testing.T) {
	for _, c := range []struct {
		name string
		t    *catalog.Type
		in   any
		want float64
	}{
		{"int", tInt, int64(1 << 20), 0},
		{"int32", tInt, int32(1 << 20), 0},
		{"int text", tInt, "1048576", 0},
		{"double", tDouble, 1.5, 0},
		{"string", tString, "a string", 0},
		{"bytes", tBytes, []byte("bytes"), 0},
		{"decimal", tDecimal(15, 2), decimal.RequireFromString("418.27"), 0},
		{"decimal large coefficient", tDecimal(18, 2), decimal.New(math.MaxInt64/100, -2), 0},
		{"decimal text", tDecimal(15, 2), "418.27", 0},
		{"decimal float", tDecimal(15, 2), 418.27, 0},
		{"decimal 38", tDecimal(38, 18), "418.27", 1},
		{"date", tDate, time.Now(), 0},
		{"date text", tDate, "2026-08-01", 0},
		{"timestamp", tStamp(9), time.Now(), 0},
		{"instant text", tLTZ(6), "2026-08-01 00:00:00", 0},
		{"time text", tTime(3), "15:04:05.123", 0},
	} {
		var d Datum
		got := testing.AllocsPerRun(100, func() {
			if err := Bind(&d, c.t, c.in, inBerlin); err != nil {
				t.Fatal(c.name, err)
			}
		})
		if got > c.want {
			t.Errorf("%s: got %v allocations, want %v", c.name, got, c.want)
		}
	}
}

func BenchmarkBind(b *testing.B) {
	for _, c := range []struct {
		name string
		t    *catalog.Type
		in   any
	}{
		{"int", tInt, int64(1 << 20)},
		{"string", tString, "a string of some length"},
		{"decimal", tDecimal(15, 2), decimal.RequireFromString("418.27")},
		{"decimal_text", tDecimal(15, 2), "418.27"},
		{"decimal38_text", tDecimal(38, 18), "12345678901234567.123456789"},
		{"date", tDate, time.Now()},
		{"timestamp", tStamp(9), time.Now()},
		{"timestamp_text", tStamp(6), "2026-08-01 12:34:56.123456"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var d Datum
			for b.Loop() {
				if err := Bind(&d, c.t, c.in, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
