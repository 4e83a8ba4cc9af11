package row

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
)

func TestCheck(t *testing.T) {
	text := func(s string) Datum { return Datum{B: []byte(s)} }
	for _, c := range []struct {
		t     *catalog.Type
		d     Datum
		words string // "" when the value is one of the type
	}{
		{tInt, Datum{Null: true}, ""},
		{notNull(tInt), Datum{Null: true}, "INT NOT NULL: it cannot be NULL"},
		{tChar3, text("äöü"), ""},
		{tChar3, text("abcd"), "at most 3 fit"},
		{tString, text("\xff"), "not valid UTF-8"},
		{tBinary3, text("abcd"), "at most 3 fit"},
		{tBytes, text("\xff"), ""},
		{tDecimal(5, 2), Datum{I: -99999}, ""},
		{tDecimal(5, 2), Datum{I: 100000}, "digits before the decimal point"},
		{tDecimal(18, 0), Datum{I: math.MinInt64}, "digits before the decimal point"},
		{tDecimal(19, 0), Datum{B: []byte{1}}, ""},
		{tDecimal(19, 0), Datum{B: bytes.Repeat([]byte{0x7f}, 9)}, "digits before the decimal point"},
		{tDate, Datum{I: 1 << 40}, "years 0001 to 9999"},
		{tTime(3), Datum{I: millisPerDay}, "out of range"},
		{tTime(0), Datum{I: 1}, "fraction digits"},
		{tStamp(6), Datum{I: -1, N: 999000}, ""},
		{tStamp(6), Datum{N: 1}, "fraction digits"},
		{tLTZ(3), Datum{I: math.MaxInt64}, "years 0001 to 9999"},
		{tArray(notNull(tInt)), Datum{L: []Datum{{I: 1}, {Null: true}}}, "element 1"},
		{tRow("a", tChar3), Datum{L: []Datum{text("abcd")}}, "field a"},
		{tMap(tString, tInt), Datum{L: []Datum{text("k"), {I: 1}, text("k"), {I: 2}}}, "occurs twice"},
	} {
		err := Check(&c.d, c.t)
		if c.words == "" && err != nil || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%s, %+v: %v, want %q", c.t, c.d, err, c.words)
		}
	}
}
