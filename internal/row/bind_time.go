package row

import (
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

var (
	errDayLength error = reason("out of range, 00:00:00 to 23:59:59.999")
	errNoDay     error = reason("not a day of the calendar, years 0001 to 9999")
	errNoClock   error = reason("not a time of the day")
)

// bindTime binds a time.Time. Only TIMESTAMP_LTZ converts it; the other types take what its own clock shows.
func bindTime(d *Datum, t *catalog.Type, x time.Time, o *BindOptions) error {
	switch t.Kind {
	case catalog.Date:
		return setDay(d, floorDiv(wallSeconds(x), secondsPerDay))
	case catalog.Time:
		wall := wallSeconds(x)
		return setClock(d, t, wall-floorDiv(wall, secondsPerDay)*secondsPerDay, int64(x.Nanosecond()), false, o)
	case catalog.Timestamp:
		return setStamp(d, t, wallSeconds(x), int64(x.Nanosecond()), false, o)
	case catalog.TimestampLTZ:
		return setStamp(d, t, x.Unix(), int64(x.Nanosecond()), false, o)
	}
	return wrongType(t)
}

// bindDuration binds the time since midnight to a TIME, and nanoseconds to a number.
func bindDuration(d *Datum, t *catalog.Type, x time.Duration, o *BindOptions) error {
	if t.Kind != catalog.Time {
		return bindInt(d, t, int64(x))
	}
	if x < 0 || x >= secondsPerDay*time.Second {
		return errDayLength
	}
	return setClock(d, t, int64(x/time.Second), int64(x%time.Second), false, o)
}

// bindCivilDate binds a day to a DATE, and its midnight to a timestamp.
func bindCivilDate(d *Datum, t *catalog.Type, x Date, o *BindOptions) error {
	if !x.IsValid() {
		return errNoDay
	}
	days := daysOf(int64(x.Year), int64(x.Month), int64(x.Day))
	switch t.Kind {
	case catalog.Date:
		d.I = days
		return nil
	case catalog.Timestamp:
		return setStamp(d, t, days*secondsPerDay, 0, false, o)
	case catalog.TimestampLTZ:
		return setStamp(d, t, localSecond(days*secondsPerDay, o.location()), 0, false, o)
	}
	return wrongType(t)
}

func bindTimeOfDay(d *Datum, t *catalog.Type, x TimeOfDay, o *BindOptions) error {
	if !x.IsValid() {
		return errNoClock
	}
	if t.Kind != catalog.Time {
		return wrongType(t)
	}
	return setClock(d, t, int64(x.Hour)*3600+int64(x.Minute)*60+int64(x.Second), int64(x.Nanosecond), false, o)
}
