package row

import (
	"fmt"
	"math"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// Units of the temporal types.
const (
	secondsPerDay = 24 * 60 * 60
	millisPerDay  = secondsPerDay * 1000
	timeDigits    = 3 // fraction digits that Fluss keeps of a TIME
	nanoDigits    = 9
)

// Seconds since the epoch of the first and the last second of the years 0001..9999.
const (
	minSecond = -62135596800
	maxSecond = 253402300799
)

var errYear error = reason("out of range, years 0001 to 9999")

// floorDiv is a/b rounded down, b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// daysOf is the number of days from 1970-01-01 to a day of the proleptic Gregorian calendar.
// Years begin in March here, which puts the leap day last.
func daysOf(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	y := year - era*400
	return era*146097 + y*365 + y/4 - y/100 + (153*(month-3)+2)/5 + day - 1 - 719468
}

// civilOf is the inverse of daysOf.
func civilOf(days int64) (year, month, day int64) {
	days += 719468
	era := floorDiv(days, 146097)
	n := days - era*146097
	y := (n - n/1460 + n/36524 - n/146096) / 365
	n -= y*365 + y/4 - y/100
	m := (5*n + 2) / 153
	year, month, day = y+era*400, m+3, n-(153*m+2)/5+1
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// isDate reports whether that is a day of the calendar, in the years 1..9999.
func isDate(year, month, day int64) bool {
	return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// wallSeconds is what a clock in x's own location shows, as if it were UTC, in seconds since the epoch.
func wallSeconds(x time.Time) int64 {
	_, offset := x.Zone()
	return x.Unix() + int64(offset)
}

// fractionUnit is how many nanoseconds the last of p fraction digits stands for.
func fractionUnit(p int) int64 { return int64(pow10[nanoDigits-min(max(p, 0), nanoDigits)]) }

// cutFraction checks that nanos has no more than p fraction digits, or cuts the rest with TruncateTime. lost
// says that there were nonzero digits behind the ninth already.
func cutFraction(nanos int64, p int, lost bool, o *BindOptions) (int64, error) {
	rest := nanos % fractionUnit(p)
	if (rest != 0 || lost) && !o.truncateTime() {
		return 0, reason(fmt.Sprintf("it has more than %d fraction digits", p))
	}
	return nanos - rest, nil
}

func setDay(d *Datum, days int64) error {
	if days < minSecond/secondsPerDay || days > maxSecond/secondsPerDay {
		return errYear
	}
	d.I = days
	return nil
}

// setClock stores a TIME from the second of the day and the nanoseconds of that second.
func setClock(d *Datum, t *catalog.Type, second, nanos int64, lost bool, o *BindOptions) error {
	nanos, err := cutFraction(nanos, min(t.Precision, timeDigits), lost, o)
	d.I = second*1000 + nanos/1e6
	return err
}

// setStamp stores a TIMESTAMP or TIMESTAMP_LTZ from seconds since the epoch and nanoseconds of that second.
func setStamp(d *Datum, t *catalog.Type, second, nanos int64, lost bool, o *BindOptions) error {
	if second < minSecond || second > maxSecond {
		return errYear
	}
	nanos, err := cutFraction(nanos, t.Precision, lost, o)
	d.I = second*1000 + nanos/1e6
	d.N = int32(nanos % 1e6)
	return err
}

// stampTime is a TIMESTAMP or TIMESTAMP_LTZ as a time.Time in UTC.
func stampTime(d *Datum) time.Time {
	second, nanos := splitStamp(d)
	return time.Unix(second, nanos).UTC()
}

// splitStamp is the seconds since the epoch, rounded down, and the nanoseconds of that second.
func splitStamp(d *Datum) (second, nanos int64) {
	second = floorDiv(d.I, 1000)
	return second, (d.I-second*1000)*1e6 + int64(d.N)
}

// DayTime is a DATE as a time.Time at midnight UTC.
func DayTime(day int64) time.Time { return time.Unix(day*secondsPerDay, 0).UTC() }

// localSecond is the instant at which a clock in loc shows the wall clock. Where clocks were put back the
// earlier or later of two instants is meant as time.Date decides; what was skipped is moved by the gap.
func localSecond(wall int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return wall
	}
	x := time.Unix(wall, 0).UTC()
	year, month, day := x.Date()
	hour, minute, second := x.Clock()
	return time.Date(year, month, day, hour, minute, second, 0, loc).Unix()
}

// noZone is the offset of a text without a zone.
const noZone = math.MinInt32
