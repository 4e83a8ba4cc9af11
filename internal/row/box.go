package row

import (
	"database/sql/driver"
	"time"
)

// Integers, Floats, Texts and Times box values, all of them together: value k goes to dst[k*stride]. The boxes may point
// into values, which the caller leaves alone from then on.
func Integers(dst []driver.Value, stride int, values []int64)  { boxAll(aInt, dst, stride, values) }
func Floats(dst []driver.Value, stride int, values []float64)  { boxAll(aFloat, dst, stride, values) }
func Texts(dst []driver.Value, stride int, values []string)    { boxAll(aString, dst, stride, values) }
func Times(dst []driver.Value, stride int, values []time.Time) { boxAll(aTime, dst, stride, values) }

// Day is a DATE as Value gives it.
func Day(days int64) driver.Value { return dayValue(days) }
