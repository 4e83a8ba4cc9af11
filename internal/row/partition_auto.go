package row

import (
	"fmt"
	"strings"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
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

// autoForms are the layouts of a partition's value by time unit; a quarter is a year and a digit.
var autoForms = map[string]string{"YEAR": "2006", "MONTH": "200601", "DAY": "20060102", "HOUR": "2006010215"}

// CheckAutoPartition refuses a value that the coordinator would never make for an auto-partitioned table: Fluss 0.9.1
// creates such a partition when it is asked to, but never drops it when it gets old. Values of partition columns that are
// no STRING pass, and so do all values where the table is not auto-partitioned. values are those of the partition columns.
// The error is a *PartitionValueError.
func CheckAutoPartition(t *catalog.Table, values []string) error {
	if !strings.EqualFold(t.Properties["table.auto-partition.enabled"], "true") {
		return nil
	}
	at := 0
	for i, name := range t.PartitionKeys {
		if name == t.Properties["table.auto-partition.key"] {
			at = i
		}
	}
	if k := t.Schema.Columns[t.PartitionCols[at]].Type.Kind; k != catalog.String && k != catalog.Char {
		return nil
	}
	unit := strings.ToUpper(t.Properties["table.auto-partition.time-unit"])
	if unit == "" {
		unit = "DAY"
	}
	form, value := autoForms[unit], values[at]
	rest := value
	if unit == "QUARTER" {
		form, rest = "2006", ""
		if n := len(value); n == 5 && value[4] >= '1' && value[4] <= '4' {
			rest = value[:4]
		}
	}
	if form == "" {
		return nil // a unit of a later release
	}
	if _, err := time.Parse(form, rest); err == nil {
		return nil
	}
	example, _ := AutoPartition(unit, time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), 0)
	return &PartitionValueError{Value: value[:min(len(value), 40)],
		Reason: fmt.Sprintf("the partitions of this table are made by time, one for each %s, as %s", strings.ToLower(unit), example)}
}
