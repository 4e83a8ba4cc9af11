package row

import "github.com/gofluss/fluss/internal/catalog"

var (
	errNotDate  error = reason("not a DATE: 2006-01-02")
	errNotTime  error = reason("not a TIME: 15:04:05[.999]")
	errNotStamp error = reason("not a timestamp: 2006-01-02 15:04:05[.999999999]")
	errMidnight error = reason("not a DATE: the time of the day is not 00:00:00")
	errZone     error = reason("its type has no time zone: leave the offset out, or use TIMESTAMP_LTZ")
)

// stampText is what a temporal text says.
type stampText struct {
	days   int64
	second int64 // of the day
	nanos  int64
	lost   bool // there were nonzero fraction digits behind the ninth
	zone   int  // seconds east of UTC, or noZone
}

// parseStamp reads 2006-01-02[(' '|T)15:04:05[.fraction][Z|+hh:mm|-hh:mm]].
func parseStamp(s string) (x stampText, ok bool) {
	x.zone = noZone
	if x.days, ok = parseDate(s); !ok {
		return x, false
	}
	s = s[len("2006-01-02"):]
	if s == "" {
		return x, true
	}
	if s[0] != ' ' && s[0] != 'T' {
		return x, false
	}
	if s, ok = x.parseClock(s[1:]); !ok {
		return x, false
	}
	return x, x.parseZone(s)
}

// parseDate reads the ten characters of a date in front of s.
func parseDate(s string) (days int64, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	year, ok1 := number(s[:4])
	month, ok2 := number(s[5:7])
	day, ok3 := number(s[8:10])
	if !ok1 || !ok2 || !ok3 || !isDate(year, month, day) {
		return 0, false
	}
	return daysOf(year, month, day), true
}

// parseClock reads 15:04:05[.fraction] and returns what follows it.
func (x *stampText) parseClock(s string) (rest string, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return s, false
	}
	hour, ok1 := number(s[:2])
	minute, ok2 := number(s[3:5])
	second, ok3 := number(s[6:8])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 59 {
		return s, false
	}
	x.second = hour*3600 + minute*60 + second
	s = s[8:]
	if s == "" || s[0] != '.' {
		return s, true
	}
	i := 1
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if i <= nanoDigits {
			x.nanos = x.nanos*10 + int64(s[i]-'0')
		} else if s[i] != '0' {
			x.lost = true
		}
	}
	if i == 1 {
		return s, false
	}
	x.nanos *= int64(pow10[max(0, nanoDigits-(i-1))])
	return s[i:], true
}

func (x *stampText) parseZone(s string) bool {
	if s == "" {
		return true
	}
	if s == "Z" {
		x.zone = 0
		return true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return false
	}
	hour, ok1 := number(s[1:3])
	minute, ok2 := number(s[4:6])
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return false
	}
	x.zone = int(hour*3600 + minute*60)
	if s[0] == '-' {
		x.zone = -x.zone
	}
	return true
}

// number reads digits and nothing else.
func number(s string) (x int64, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		x = x*10 + int64(s[i]-'0')
	}
	return x, true
}

// zoneless checks that the text has no zone, or a Z: that is what a DATE or TIMESTAMP looks like when
// database/sql has formatted its time.Time.
func (x *stampText) zoneless() error {
	if x.zone != noZone && x.zone != 0 {
		return errZone
	}
	return nil
}

// setDateText reads a day, or a day at midnight.
func setDateText(d *Datum, s string) error {
	x, ok := parseStamp(s)
	switch {
	case !ok:
		return errNotDate
	case x.second != 0 || x.nanos != 0 || x.lost:
		return errMidnight
	}
	d.I = x.days
	return x.zoneless()
}

func setTimeText(d *Datum, t *catalog.Type, s string, o *BindOptions) error {
	var x stampText
	if rest, ok := x.parseClock(s); !ok || rest != "" {
		return errNotTime
	}
	return setClock(d, t, x.second, x.nanos, x.lost, o)
}

// setTimestampText reads a wall clock. A day alone is its midnight.
func setTimestampText(d *Datum, t *catalog.Type, s string, o *BindOptions) error {
	x, ok := parseStamp(s)
	if !ok {
		return errNotStamp
	}
	if err := x.zoneless(); err != nil {
		return err
	}
	return setStamp(d, t, x.days*secondsPerDay+x.second, x.nanos, x.lost, o)
}

// setInstantText reads an instant; a text without a zone is a wall clock in o's location.
func setInstantText(d *Datum, t *catalog.Type, s string, o *BindOptions) error {
	x, ok := parseStamp(s)
	if !ok {
		return errNotStamp
	}
	second := x.days*secondsPerDay + x.second
	if x.zone == noZone {
		second = localSecond(second, o.location())
	} else {
		second -= int64(x.zone)
	}
	return setStamp(d, t, second, x.nanos, x.lost, o)
}
