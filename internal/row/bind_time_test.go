package row

import (
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

var (
	east  = time.FixedZone("", 14*3600)
	west  = time.FixedZone("", -11*3600)
	paris = must(time.LoadLocation("Europe/Paris")) // local mean time +00:09:21 before 1911
)

// temporalCases must come out the same whatever time.Local is.
var temporalCases = []struct {
	name string
	t    *catalog.Type
	in   any
	o    *BindOptions
	want string
}{
	{"date text", tDate, "2024-03-10", nil, "2024-03-10"},
	{"date text midnight", tDate, "2026-08-01 00:00:00", nil, "2026-08-01"},
	{"date text midnight fraction", tDate, "2026-08-01 00:00:00.000000", nil, "2026-08-01"},
	{"date text scanned", tDate, "2026-08-01T00:00:00Z", nil, "2026-08-01"},
	{"date text not midnight", tDate, "2026-08-01 00:00:01", nil, "!the time of the day is not 00:00:00"},
	{"date text not midnight at all", tDate, "2026-08-01 00:00:00.0000000001", nil, "!the time of the day is not 00:00:00"},
	{"date text zone", tDate, "2026-08-01T00:00:00+02:00", nil, "!no time zone"},
	{"date text rest", tDate, "2026-08-01x", nil, "!not a DATE"},
	{"date text short", tDate, "2026-8-1", nil, "!not a DATE"},
	{"date text signs", tDate, "2026-+8--1", nil, "!not a DATE"},
	{"date text empty", tDate, "", nil, "!not a DATE"},
	{"date leap", tDate, "2000-02-29", nil, "2000-02-29"},
	{"date no leap", tDate, "1900-02-29", nil, "!not a DATE"},
	{"date no day", tDate, "2026-04-31", nil, "!not a DATE"},
	{"date first", tDate, "0001-01-01", nil, "0001-01-01"},
	{"date year 0", tDate, "0000-12-31", nil, "!not a DATE"},
	{"date last", tDate, "9999-12-31", nil, "9999-12-31"},
	{"date before epoch", tDate, "1969-12-31", nil, "1969-12-31"},
	{"date zero time", tDate, time.Time{}, nil, "0001-01-01"},
	{"date own day east", tDate, time.Date(2024, 3, 10, 0, 30, 0, 0, east), nil, "2024-03-10"},
	{"date own day west", tDate, time.Date(2024, 3, 10, 23, 30, 0, 0, west), inBerlin, "2024-03-10"},
	{"date my time", tDate, myTime(time.Date(2024, 3, 10, 23, 30, 0, 0, west)), nil, "2024-03-10"},
	{"date year 10000", tDate, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), nil, "!years 0001 to 9999"},
	{"date year 0 time", tDate, time.Date(0, 12, 31, 23, 0, 0, 0, time.UTC), nil, "!years 0001 to 9999"},
	{"date Date", tDate, Date{2024, 3, 10}, nil, "2024-03-10"},
	{"date bad Date", tDate, Date{2023, 2, 29}, nil, "!not a day of the calendar"},
	{"date zero Date", tDate, Date{}, nil, "!not a day of the calendar"},
	{"date int", tDate, 5, nil, "!it takes a Date"},

	{"stamp text", tStamp(0), "2024-03-10 00:30:00", nil, "2024-03-10 00:30:00"},
	{"stamp text T", tStamp(6), "2024-03-10T00:30:00.5", nil, "2024-03-10 00:30:00.500000"},
	{"stamp text scanned", tStamp(6), "2024-03-10T00:30:00.5Z", nil, "2024-03-10 00:30:00.500000"},
	{"stamp text zone", tStamp(6), "2024-03-10T00:30:00+02:00", nil, "!no time zone"},
	{"stamp text day", tStamp(0), "2024-03-10", nil, "2024-03-10 00:00:00"},
	{"stamp text String()", tStamp(0), "2024-03-10 00:30:00 +0000 UTC", nil, "!not a timestamp"},
	{"stamp text nanos", tStamp(9), "1969-12-31 23:59:59.999999999", nil, "1969-12-31 23:59:59.999999999"},
	{"stamp text picos", tStamp(9), "1969-12-31 23:59:59.9999999991", nil, "!more than 9 fraction digits"},
	{"stamp text picos cut", tStamp(9), "1969-12-31 23:59:59.9999999991", truncating, "1969-12-31 23:59:59.999999999"},
	{"stamp text picos zero", tStamp(9), "1969-12-31 23:59:59.9999999990", nil, "1969-12-31 23:59:59.999999999"},
	{"stamp surplus", tStamp(3), "2024-03-10 00:30:00.1234", nil, "!more than 3 fraction digits"},
	{"stamp cut", tStamp(3), "1960-03-10 00:30:00.1239", truncating, "1960-03-10 00:30:00.123"},
	{"stamp wall east", tStamp(3), time.Date(2024, 3, 10, 0, 30, 0, 5e6, east), nil, "2024-03-10 00:30:00.005"},
	{"stamp wall west", tStamp(3), time.Date(2024, 3, 10, 0, 30, 0, 0, west), inBerlin, "2024-03-10 00:30:00.000"},
	{"stamp time surplus", tStamp(3), time.Date(2024, 3, 10, 0, 30, 0, 1, west), nil, "!more than 3 fraction digits"},
	{"stamp first", tStamp(9), time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), nil, "0001-01-01 00:00:00.000000001"},
	{"stamp last", tStamp(9), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC), nil, "9999-12-31 23:59:59.999999999"},
	{"stamp over", tStamp(0), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Add(time.Second), nil, "!years 0001 to 9999"},
	{"stamp far", tStamp(0), time.Unix(1<<62, 0).UTC(), nil, "!years 0001 to 9999"},
	{"stamp Date", tStamp(0), Date{2024, 3, 10}, nil, "2024-03-10 00:00:00"},
	{"stamp second 60", tStamp(0), "2024-03-10 00:30:60", nil, "!not a timestamp"},
	{"stamp int", tStamp(0), 5, nil, "!it takes a time.Time"},

	{"instant", tLTZ(3), time.Date(2024, 3, 10, 0, 30, 0, 0, east), nil, "2024-03-09T10:30:00.000Z"},
	{"instant in loc", tLTZ(0), time.Date(2024, 3, 10, 0, 30, 0, 0, time.UTC), inBerlin, "2024-03-10T01:30:00+01:00"},
	{"instant text", tLTZ(0), "2024-03-10 00:30:00", nil, "2024-03-10T00:30:00Z"},
	{"instant text loc", tLTZ(0), "2024-07-10 00:30:00", inBerlin, "2024-07-10T00:30:00+02:00"},
	{"instant text zone", tLTZ(0), "2024-07-10 00:30:00+14:00", inBerlin, "2024-07-09T12:30:00+02:00"},
	{"instant text negative zone", tLTZ(0), "2024-07-10 00:30:00-00:30", nil, "2024-07-10T01:00:00Z"},
	{"instant text bad zone", tLTZ(0), "2024-07-10 00:30:00+24:00", nil, "!not a timestamp"},
	{"instant text Z", tLTZ(9), "2024-07-10T00:30:00.000000001Z", inBerlin, "2024-07-10T02:30:00.000000001+02:00"},
	{"instant text gap", tLTZ(0), "2024-03-31 02:30:00", inBerlin, "2024-03-31T03:30:00+02:00"},
	{"instant old offset", tLTZ(0), "1900-01-01 00:00:00", &BindOptions{Location: paris}, "1899-12-31T23:50:39Z"},
	{"instant first", tLTZ(0), "0001-01-01 00:00:00Z", &BindOptions{Location: west}, "0001-01-01T00:00:00Z"},
	{"instant under", tLTZ(0), "0001-01-01 00:00:00+00:01", nil, "!years 0001 to 9999"},
	{"instant Date", tLTZ(0), Date{2024, 7, 10}, inBerlin, "2024-07-10T00:00:00+02:00"},

	{"instant in array", tArray(tLTZ(0)), []time.Time{time.Unix(0, 0)}, nil, `["1970-01-01T00:00:00Z"]`},
	{"date in row", tRow("d", tDate), `{"d":"2024-03-10"}`, nil, `{"d":"2024-03-10"}`},
}

// withLocal runs f with the process's zone set to an extreme one, and to another.
func withLocal(t *testing.T, f func(t *testing.T)) {
	old := time.Local
	defer func() { time.Local = old }()
	for _, loc := range []*time.Location{west, east} {
		time.Local = loc
		f(t)
	}
}

func TestBindTemporal(t *testing.T) {
	withLocal(t, func(t *testing.T) {
		for _, c := range temporalCases {
			t.Run(c.name, func(t *testing.T) { checkBind(t, c.t, c.in, c.o, c.want) })
		}
	})
	t.Logf("%d cases, each in two zones", len(temporalCases))
}

// What Rows.Next gives binds back to the same value, as a time.Time and as database/sql writes it into a string.
func TestTemporalRoundTrip(t *testing.T) {
	withLocal(t, func(t *testing.T) {
		for _, typ := range []*catalog.Type{tDate, tTime(0), tTime(3), tStamp(0), tStamp(3), tStamp(9), tLTZ(0), tLTZ(6)} {
			for _, text := range []string{"2024-03-10", "1969-12-31", "0001-01-01", "9999-12-31"} {
				if typ.Kind == catalog.Time {
					text = "12:30:59"
				}
				var d, back Datum
				if err := Bind(&d, typ, text, nil); err != nil {
					t.Fatal(err)
				}
				for _, loc := range []*time.Location{time.UTC, east, berlin} {
					v := Value(&d, typ, loc)
					if err := Bind(&back, typ, v, nil); err != nil || Compare(&d, &back, typ) != 0 {
						t.Errorf("%v: %v came back as %s, error %v", typ, v, Text(nil, &back, typ, nil), err)
					}
					x, ok := v.(time.Time)
					if _, offset := x.Zone(); !ok || x.Year() < 1 || x.Year() > 9999 || offset%60 != 0 {
						continue // RFC 3339 has no such year, no such offset
					}
					if err := Bind(&back, typ, x.Format(time.RFC3339Nano), nil); err != nil || Compare(&d, &back, typ) != 0 {
						t.Errorf("%v: text of %v came back as %s, error %v", typ, v, Text(nil, &back, typ, nil), err)
					}
				}
			}
		}
	})
}

func TestCalendar(t *testing.T) {
	days := int64(minSecond / secondsPerDay)
	for x := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); x.Year() < 10000; x = x.AddDate(0, 0, 1) {
		year, month, day := civilOf(days)
		if y, m, d := x.Date(); int64(y) != year || int64(m) != month || int64(d) != day {
			t.Fatalf("day %d: got %d-%d-%d, want %v", days, year, month, day, x)
		}
		if got := daysOf(year, month, day); got != days {
			t.Fatalf("%v: got day %d, want %d", x, got, days)
		}
		if !isDate(year, month, day) {
			t.Fatalf("%v is not a date", x)
		}
		days++
	}
	if days-1 != maxSecond/secondsPerDay {
		t.Fatalf("got %d as the last day, want %d", days-1, maxSecond/secondsPerDay)
	}
	for _, days := range []int64{-1 << 31, 1<<31 - 1, -719469, -719468} {
		if got := daysOf(civilOf(days)); got != days {
			t.Errorf("got day %d, want %d", got, days)
		}
	}
}
