package row

import (
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// appendDate appends 2006-01-02. Years that no DATE of ours has are written with as many digits as they need.
func appendDate(dst []byte, days int64) []byte {
	year, month, day := civilOf(days)
	if year < 0 {
		dst = append(dst, '-')
		year = -year
	}
	dst = appendPadded(dst, uint64(year), 4)
	dst = appendPadded(append(dst, '-'), uint64(month), 2)
	return appendPadded(append(dst, '-'), uint64(day), 2)
}

// appendClock appends 15:04:05 and a fraction of p digits, or of as many as it needs to lose nothing.
func appendClock(dst []byte, second, nanos int64, p int) []byte {
	dst = appendPadded(dst, uint64(second/3600), 2)
	dst = appendPadded(append(dst, ':'), uint64(second/60%60), 2)
	dst = appendPadded(append(dst, ':'), uint64(second%60), 2)
	p = min(max(p, 0), nanoDigits)
	for p < nanoDigits && nanos%fractionUnit(p) != 0 {
		p++
	}
	if p == 0 {
		return dst
	}
	return appendPadded(append(dst, '.'), uint64(nanos/fractionUnit(p)), p)
}

// appendTime appends a TIME. What another client stored outside a day shows as it is.
func appendTime(dst []byte, d *Datum, t *catalog.Type) []byte {
	ms := d.I
	if ms < 0 {
		dst = append(dst, '-')
		ms = -ms
	}
	return appendClock(dst, ms/1000, ms%1000*1e6, t.Precision)
}

// appendWall appends date, separator and clock of seconds since the epoch.
func appendWall(dst []byte, sep byte, second, nanos int64, p int) []byte {
	days := floorDiv(second, secondsPerDay)
	dst = append(appendDate(dst, days), sep)
	return appendClock(dst, second-days*secondsPerDay, nanos, p)
}

// appendTimestamp appends 2006-01-02 15:04:05.000000 with p digits.
func appendTimestamp(dst []byte, d *Datum, t *catalog.Type) []byte {
	second, nanos := splitStamp(d)
	return appendWall(dst, ' ', second, nanos, t.Precision)
}

// appendInstant appends a TIMESTAMP_LTZ as RFC 3339 in loc, 2006-01-02T15:04:05.000+02:00. Offsets that are
// not whole minutes, which the time before standard time had, and local years outside 0001..9999 have no such
// form: these instants are written in UTC.
func appendInstant(dst []byte, d *Datum, t *catalog.Type, loc *time.Location) []byte {
	second, nanos := splitStamp(d)
	offset := 0
	if loc != nil && loc != time.UTC {
		_, offset = time.Unix(second, 0).In(loc).Zone()
	}
	wall := second + int64(offset)
	if offset%60 != 0 || wall < minSecond || wall > maxSecond {
		wall, offset = second, 0
	}
	dst = appendWall(dst, 'T', wall, nanos, t.Precision)
	if offset == 0 {
		return append(dst, 'Z')
	}
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	dst = appendPadded(append(dst, sign), uint64(offset/3600), 2)
	return appendPadded(append(dst, ':'), uint64(offset/60%60), 2)
}
