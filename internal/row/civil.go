package row

import (
	"database/sql"
	"database/sql/driver"
	"encoding"
	"fmt"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// Date is a day of the calendar, without a time or a zone. It scans a DATE, and binds to one.
// The zero Date is no day. For a column that may be NULL use sql.Null[Date].
type Date struct {
	Year  int // 1..9999
	Month time.Month
	Day   int
}

// TimeOfDay is what a clock shows, without a day or a zone. It scans a TIME, and binds to one.
// The zero TimeOfDay is midnight. For a column that may be NULL use sql.Null[TimeOfDay].
type TimeOfDay struct {
	Hour       int // 0..23
	Minute     int
	Second     int
	Nanosecond int
}

var (
	_ sql.Scanner              = (*Date)(nil)
	_ driver.Valuer            = Date{}
	_ encoding.TextMarshaler   = Date{}
	_ encoding.TextUnmarshaler = (*Date)(nil)
	_ sql.Scanner              = (*TimeOfDay)(nil)
	_ driver.Valuer            = TimeOfDay{}
	_ encoding.TextMarshaler   = TimeOfDay{}
	_ encoding.TextUnmarshaler = (*TimeOfDay)(nil)
)

// DateOf is the day that t shows in its own location.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// Time is the midnight of the day in UTC, which is how Rows.Next gives a DATE.
func (d Date) Time() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// IsValid reports whether the calendar has such a day, in the years 1 to 9999.
func (d Date) IsValid() bool { return isDate(int64(d.Year), int64(d.Month), int64(d.Day)) }

// String is the day as 2006-01-02.
func (d Date) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

// Scan reads a time.Time, its own calendar day, or text: 2006-01-02, or such a day at midnight.
func (d *Date) Scan(src any) error {
	if x, ok := src.(time.Time); ok {
		*d = DateOf(x)
		return nil
	}
	var v Datum
	if err := scanText(&v, &catalog.Type{Kind: catalog.Date, NotNull: true}, src, "Date"); err != nil {
		return err
	}
	year, month, day := civilOf(v.I)
	*d = Date{int(year), time.Month(month), int(day)}
	return nil
}

// Value is the day as text.
func (d Date) Value() (driver.Value, error) {
	if !d.IsValid() {
		return nil, fmt.Errorf("%v is not a day of the calendar", d)
	}
	return d.String(), nil
}

// MarshalText is the day as text.
func (d Date) MarshalText() ([]byte, error) {
	if !d.IsValid() {
		return nil, fmt.Errorf("%v is not a day of the calendar", d)
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (d *Date) UnmarshalText(text []byte) error { return d.Scan(text) }

// TimeOfDayOf is what t's clock shows in its own location.
func TimeOfDayOf(t time.Time) TimeOfDay {
	hour, minute, second := t.Clock()
	return TimeOfDay{hour, minute, second, t.Nanosecond()}
}

// Duration is the time since midnight on a day without a change of clocks.
func (c TimeOfDay) Duration() time.Duration {
	return time.Duration(c.Hour)*time.Hour + time.Duration(c.Minute)*time.Minute +
		time.Duration(c.Second)*time.Second + time.Duration(c.Nanosecond)
}

// IsValid reports whether a clock can show it: 00:00:00 to 23:59:59.999999999.
func (c TimeOfDay) IsValid() bool {
	in := func(x, limit int) bool { return x >= 0 && x < limit }
	return in(c.Hour, 24) && in(c.Minute, 60) && in(c.Second, 60) && in(c.Nanosecond, 1e9)
}

// String is the time as 15:04:05, with as many fraction digits as it takes.
func (c TimeOfDay) String() string {
	if !c.IsValid() {
		return fmt.Sprintf("%02d:%02d:%02d+%dns", c.Hour, c.Minute, c.Second, c.Nanosecond)
	}
	var buf [18]byte
	return string(appendClock(buf[:0], int64(c.Hour)*3600+int64(c.Minute)*60+int64(c.Second), int64(c.Nanosecond), 0))
}

// Scan reads text as 15:04:05[.999999999], a time.Time, of which it takes the clock, or a time.Duration since
// midnight.
func (c *TimeOfDay) Scan(src any) error {
	switch x := src.(type) {
	case time.Time:
		*c = TimeOfDayOf(x)
		return nil
	case time.Duration:
		if x < 0 || x >= secondsPerDay*time.Second {
			return fmt.Errorf("cannot scan %v into TimeOfDay: %w", x, errDayLength)
		}
		*c = clockOf(int64(x/time.Second), int64(x%time.Second))
		return nil
	}
	text, err := textOf(src, "TimeOfDay")
	if err != nil {
		return err
	}
	var x stampText
	if rest, ok := x.parseClock(text); !ok || rest != "" || x.lost {
		return fmt.Errorf("cannot scan %s into TimeOfDay: %w", summary(src), errNotTime)
	}
	*c = clockOf(x.second, x.nanos)
	return nil
}

// Value is the time as text.
func (c TimeOfDay) Value() (driver.Value, error) {
	if !c.IsValid() {
		return nil, fmt.Errorf("%v is not a time of the day", c)
	}
	return c.String(), nil
}

// MarshalText is the time as text.
func (c TimeOfDay) MarshalText() ([]byte, error) {
	if !c.IsValid() {
		return nil, fmt.Errorf("%v is not a time of the day", c)
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (c *TimeOfDay) UnmarshalText(text []byte) error { return c.Scan(text) }

func clockOf(second, nanos int64) TimeOfDay {
	return TimeOfDay{int(second / 3600), int(second / 60 % 60), int(second % 60), int(nanos)}
}

// scanText binds a text to a type.
func scanText(v *Datum, t *catalog.Type, src any, into string) error {
	text, err := textOf(src, into)
	if err != nil {
		return err
	}
	if err := bindString(v, t, text, nil); err != nil {
		return fmt.Errorf("cannot scan %s into %s: %w", summary(src), into, err)
	}
	return nil
}

func textOf(src any, into string) (string, error) {
	switch x := src.(type) {
	case string:
		return x, nil
	case []byte:
		if x != nil {
			return string(x), nil
		}
		src = nil
	}
	if src == nil {
		return "", fmt.Errorf("cannot scan NULL into %s; use sql.Null[%s]", into, into)
	}
	return "", fmt.Errorf("cannot scan %s into %s", summary(src), into)
}
