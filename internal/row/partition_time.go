package row

import (
	"math"
	"strconv"
	"strings"
)

func appendPartitionDate(dst []byte, days int64) []byte {
	year, month, day := civilOf(days)
	if year < 0 {
		dst, year = append(dst, '-'), -year
	}
	return appendPartitionDay(dst, year, month, day)
}

// appendPartitionDay appends yyyy-MM-dd, a year of more digits in full.
func appendPartitionDay(dst []byte, year, month, day int64) []byte {
	dst = appendPadded(dst, uint64(year), 4)
	dst = appendPadded(append(dst, '-'), uint64(month), 2)
	return appendPadded(append(dst, '-'), uint64(day), 2)
}

// appendPartitionClock appends HH-mm-ss_ of a second of the day.
func appendPartitionClock(dst []byte, second uint64) []byte {
	dst = appendPadded(dst, second/3600, 2)
	dst = appendPadded(append(dst, '-'), second/60%60, 2)
	dst = appendPadded(append(dst, '-'), second%60, 2)
	return append(dst, '_')
}

func appendPartitionTime(dst []byte, millis int64) []byte {
	return appendPadded(appendPartitionClock(dst, uint64(millis)/1000), uint64(millis)%1000, 3)
}

// appendPartitionTimestamp writes the year as Java's pattern yyyy does: the year of its era, so that 1 BC is 0001
// as well, and with a '+' beyond 4 digits. Such names cannot be created.
func appendPartitionTimestamp(dst []byte, millis int64, nanos int32) []byte {
	days := floorDiv(millis, millisPerDay)
	ofDay := millis - days*millisPerDay
	year, month, day := civilOf(days)
	if year <= 0 {
		year = 1 - year
	}
	if year > 9999 {
		dst = append(dst, '+')
	}
	dst = appendPartitionDay(dst, year, month, day)
	dst = appendPartitionClock(append(dst, '-'), uint64(ofDay)/1000)
	fraction := uint64(ofDay%1000*1_000_000 + int64(nanos))
	if fraction == 0 {
		return dst
	}
	dst = appendPadded(dst, fraction, 9)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// parseDigits reads s, which must be n digits, or n and more when n is negative.
func parseDigits(s string, n int) (int64, error) {
	if n >= 0 && len(s) != n || n < 0 && len(s) < -n || strings.Trim(s, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, 64)
}

// parseParts reads numbers of those many digits with '-' in between.
func parseParts(s string, into []int64, digits ...int) error {
	parts := strings.Split(s, "-")
	if len(parts) != len(digits) {
		return strconv.ErrSyntax
	}
	for i, p := range parts {
		var err error
		if into[i], err = parseDigits(p, digits[i]); err != nil {
			return err
		}
	}
	return nil
}

func parsePartitionDate(s string) (int64, error) {
	text, negative := strings.CutPrefix(s, "-")
	var p [3]int64
	if err := parseParts(text, p[:], -4, 2, 2); err != nil {
		return 0, err
	}
	if negative {
		p[0] = -p[0]
	}
	return partitionDays(p[0], p[1], p[2], math.MaxInt32)
}

// partitionDays is daysOf within -limit-1 .. limit.
func partitionDays(year, month, day, limit int64) (int64, error) {
	if year > 1e9 || year < -1e9 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, strconv.ErrRange
	}
	days := daysOf(year, month, day)
	if days > limit || days < -limit-1 {
		return 0, strconv.ErrRange
	}
	return days, nil
}

func parseClock(s string) (second int64, err error) {
	var p [3]int64
	if err := parseParts(s, p[:], 2, 2, 2); err != nil {
		return 0, err
	}
	if p[0] > 23 || p[1] > 59 || p[2] > 59 {
		return 0, strconv.ErrRange
	}
	return p[0]*3600 + p[1]*60 + p[2], nil
}

func parsePartitionTime(s string) (int64, error) {
	clock, fraction, _ := strings.Cut(s, "_")
	second, err := parseClock(clock)
	if err != nil {
		return 0, err
	}
	millis, err := parseDigits(fraction, 3)
	return second*1000 + millis, err
}

func parsePartitionTimestamp(s string) (millis int64, nanos int32, err error) {
	s = strings.TrimPrefix(s, "+")
	text, fraction, ok := strings.Cut(s, "_")
	if !ok || len(fraction) > 9 {
		return 0, 0, strconv.ErrSyntax
	}
	var p [6]int64
	if err := parseParts(text, p[:], -4, 2, 2, 2, 2, 2); err != nil {
		return 0, 0, err
	}
	days, err := partitionDays(p[0], p[1], p[2], math.MaxInt64/millisPerDay-1)
	if err != nil {
		return 0, 0, err
	}
	if p[3] > 23 || p[4] > 59 || p[5] > 59 {
		return 0, 0, strconv.ErrRange
	}
	n, err := parseDigits((fraction + "000000000")[:9], 9)
	if err != nil {
		return 0, 0, err
	}
	second := days*secondsPerDay + p[3]*3600 + p[4]*60 + p[5]
	return second*1000 + n/1_000_000, int32(n % 1_000_000), nil
}
