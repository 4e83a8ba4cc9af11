package fluss

import "github.com/gofluss/fluss/internal/row"

type (
	// Date is a day without a time or zone. It scans DATE columns, binds to them, and prints as 2006-01-02.
	Date = row.Date
	// TimeOfDay is a time without a day or zone. It scans TIME columns, binds to them, and prints as 15:04:05.000.
	TimeOfDay = row.TimeOfDay
)
