package row

import (
	"math"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		t *catalog.Type
		l []any // ascending; a nested slice holds equals
	}{
		{tBool, []any{false, true}},
		{tTiny, []any{-128, -1, 0, 127}},
		{tBig, []any{int64(math.MinInt64), -1, 0, int64(math.MaxInt64)}},
		{tFloat, []any{math.Inf(-1), -1, 0.0, 0.5, math.Inf(1), math.NaN()}},
		{tDouble, []any{math.Inf(-1), -1.5, -1, 0.0, 0.5, math.Inf(1), math.NaN()}},
		{tString, []any{"", "A", "a", "aa", "b", "\u00e4", "\uffff", "\U0001f600"}},
		{tChar3, []any{"", "a", "ab"}},
		{tBytes, []any{[]byte{}, []byte{0}, []byte{0, 0}, []byte{1}, []byte{255}}},
		{tDecimal(10, 2), []any{"-1.01", "-1", "0", "0.01", "10"}},
		{tDecimal(38, 2), []any{"-99999999999999999999", "-256", "-255", "-1.28", "-1.27", "-0.01", "0", "0.01", "1.27", "1.28", "255", "99999999999999999999"}},
		{tDate, []any{"0001-01-01", "1969-12-31", "1970-01-01", "9999-12-31"}},
		{tTime(3), []any{"00:00:00", "00:00:00.001", "23:59:59.999"}},
		{tStamp(9), []any{"1969-12-31 23:59:59.999999998", "1969-12-31 23:59:59.999999999", "1970-01-01"}},
		{tLTZ(9), []any{"1970-01-01 00:00:00+01:00", "1970-01-01 00:00:00Z", "1970-01-01 00:00:00-01:00"}},
		{tArray(tInt), []any{"[]", "[null]", "[1]", "[1,null]", "[1,1]", "[2]"}},
		{tMap(tInt, tString), []any{"[]", `[[1,"b"]]`, `[[2,"a"]]`}},
		{tRow("a", tInt, "b", tString), []any{`{"a":1}`, `{"a":1,"b":"x"}`, `{"a":2}`}},
	} {
		data := make([]Datum, len(c.l))
		for i, v := range c.l {
			if err := Bind(&data[i], c.t, v, nil); err != nil {
				t.Fatal(err)
			}
		}
		for i := range data {
			for j := range data {
				want := 0
				if i < j {
					want = -1
				} else if i > j {
					want = 1
				}
				if got := Compare(&data[i], &data[j], c.t); got != want {
					t.Errorf("%v: got %d for %v and %v, want %d", c.t, got, c.l[i], c.l[j], want)
				}
			}
		}
	}
}

func TestCompareEqual(t *testing.T) {
	nan2 := Datum{I: int64(math.Float64bits(math.NaN()) ^ 1)}
	nan := Datum{I: int64(math.Float64bits(math.NaN()))}
	if got := Compare(&nan, &nan2, tDouble); got != 0 {
		t.Errorf("got %d for two NaNs, want 0", got)
	}
	zero, negative := Datum{}, Datum{I: math.MinInt64}
	if got := Compare(&zero, &negative, tDouble); got != 0 {
		t.Errorf("got %d for 0 and -0, want 0", got)
	}
	decimalZero, none := Datum{B: []byte{0}}, Datum{}
	if got := Compare(&decimalZero, &none, tDecimal(38, 0)); got != 0 {
		t.Errorf("got %d for 0 and no bytes, want 0", got)
	}
	short, long := Datum{B: []byte{1}}, Datum{B: []byte{0, 0, 1}} // not minimal, as another client may write it
	if got := Compare(&short, &long, tDecimal(38, 0)); got != 0 {
		t.Errorf("got %d for 1 and 1, want 0", got)
	}
}
