package row

import (
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
)

func TestBindText(t *testing.T) {
	cases := []struct {
		t    *catalog.Type
		k    LiteralKind
		text string
		want string
	}{
		{tInt, LiteralNumber, "7", "7"},
		{tInt, LiteralNumber, "-7", "-7"},
		{tInt, LiteralNumber, "1.5", "!cannot use 1.5 (number) as INT: not an integer"},
		{tTiny, LiteralNumber, "128", "!-128 to 127"},
		{tInt, LiteralString, "1", "1"},
		{tInt, LiteralString, "x", `!cannot use "x" (string) as INT`},
		{tInt, LiteralBool, "true", "!cannot use true (boolean) as INT"},
		{tInt, LiteralBytes, "1", "!cannot use X'31' (bytes) as INT"},
		{tInt, LiteralDate, "2024-01-01", `!cannot use "2024-01-01" (DATE) as INT`},
		{tBig, LiteralNumber, "9223372036854775808", "!out of range"},
		{tBool, LiteralBool, "TRUE", "true"},
		{tBool, LiteralBool, "false", "false"},
		{tBool, LiteralNumber, "1", "true"},
		{tBool, LiteralNumber, "0", "false"},
		{tBool, LiteralNumber, "2", "!not true, false, 1 or 0"},
		{tBool, LiteralString, "true", "true"},
		{tDouble, LiteralNumber, "0.1", "0.1"},
		{tFloat, LiteralNumber, "1e39", "!too large"},
		{tFloat, LiteralString, "NaN", "NaN"},
		{tDecimal(38, 18), LiteralNumber, "12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"},
		{tDecimal(10, 2), LiteralNumber, "123.455", "!cannot use 123.455 (number) as DECIMAL(10,2): it has more than 2 fraction digits"},
		{tDecimal(10, 2), LiteralString, "12.5", "12.50"},
		{tString, LiteralString, "", ""},
		{tString, LiteralNumber, "5", "!it takes a string"},
		{tString, LiteralBytes, "ab", "ab"},
		{tString, LiteralBytes, "\xff", "!not valid UTF-8"},
		{tBytes, LiteralBytes, "\xff\x00", "X'ff00'"},
		{tBytes, LiteralString, "a", "X'61'"},
		{tBinary3, LiteralBytes, "abcd", "!at most 3 fit"},
		{tDate, LiteralString, "2026-08-01 00:00:00", "2026-08-01"},
		{tDate, LiteralDate, "2026-08-01", "2026-08-01"},
		{tDate, LiteralDate, "2026-08-01 00:00:00", "!not a DATE"},
		{tDate, LiteralTimestamp, "2026-08-01 00:00:00", "2026-08-01"},
		{tDate, LiteralTimestamp, "2026-08-01 00:00:01", "!the time of the day"},
		{tDate, LiteralNumber, "20260801", "!it takes a Date"},
		{tTime(0), LiteralTime, "10:00:00", "10:00:00"},
		{tTime(0), LiteralString, "10:00:00", "10:00:00"},
		{tTime(0), LiteralDate, "2026-08-01", "!it takes a TimeOfDay"},
		{tStamp(3), LiteralTimestamp, "2026-08-01 10:00:00.5", "2026-08-01 10:00:00.500"},
		{tStamp(3), LiteralDate, "2026-08-01", "2026-08-01 00:00:00.000"},
		{tStamp(3), LiteralTime, "10:00:00", "!it takes a time.Time"},
		{tLTZ(0), LiteralTimestamp, "2026-08-01 10:00:00", "2026-08-01T10:00:00Z"},
		{tArray(tInt), LiteralString, "[1]", "[1]"},
		{tArray(tInt), LiteralNumber, "1", "!it takes a slice"},
		{tInt, LiteralKind(200), "1", "!it takes an integer"},
	}
	for _, c := range cases {
		t.Run(c.t.String()+" "+c.text, func(t *testing.T) {
			var d Datum
			err := BindText(&d, c.t, c.k, c.text, nil)
			checkBound(t, &d, c.t, nil, err, c.want)
		})
	}
	t.Logf("%d cases", len(cases))
}

// A literal never goes by way of a float64, whatever its length.
func TestBindTextAllocations(t *testing.T) {
	var d Datum
	if n := testing.AllocsPerRun(100, func() { BindText(&d, tDecimal(15, 2), LiteralNumber, "418.27", nil) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}
