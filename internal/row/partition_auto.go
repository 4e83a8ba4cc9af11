package row

import (
	"fmt"
	"time"
)

// AutoPartition returns the value of the partition that the coordinator makes for a point in time, offset units
// later (earlier when negative). unit is table.auto-partition.time-unit in any case, and at must be in the zone of
// table.auto-partition.time-zone:
//
//	YEAR 2026, QUARTER 20264, MONTH 202611, DAY 20261129, HOUR 2026112923
//
// Source: PartitionUtils.generateAutoPartition (Java, v0.9.1-incubating).
func AutoPartition(unit string, at time.Time, offset int) (string, error) {
	year, month, day := at.Date()
	switch unit {
	case "YEAR", "year":
		return fmt.Sprintf("%04d", year+offset), nil
	case "QUARTER", "quarter":
		q := year*4 + (int(month)-1)/3 + offset
		return fmt.Sprintf("%04d%d", q/4, q%4+1), nil
	case "MONTH", "month":
		return time.Date(year, month+time.Month(offset), 1, 0, 0, 0, 0, time.UTC).Format("200601"), nil
	case "DAY", "day":
		return time.Date(year, month, day+offset, 0, 0, 0, 0, time.UTC).Format("20060102"), nil
	case "HOUR", "hour":
		return at.Add(time.Duration(offset) * time.Hour).Format("2006010215"), nil
	}
	return "", fmt.Errorf("auto-partition time unit %q is not known to this client", unit)
}
