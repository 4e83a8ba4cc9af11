package row

import (
	"database/sql/driver"
	"sync/atomic"
)

// The boxed values of the days from 1900 to 2099, a page at a time when one of its days is first met. They are the same
// for everybody and immutable, so a DATE costs no memory of its own; all pages together take 3 MB.
const (
	firstDay = -25567 // 1900-01-01
	dayPages = 286
	pageDays = 1 << 8
)

var days [dayPages]atomic.Pointer[[pageDays]driver.Value]

// dayValue is a DATE as a time.Time at midnight UTC.
func dayValue(day int64) driver.Value {
	at := uint64(day - firstDay)
	if at >= dayPages*pageDays {
		return DayTime(day)
	}
	page := days[at/pageDays].Load()
	if page == nil {
		page = makeDays(int64(at / pageDays))
	}
	return page[at%pageDays]
}

// makeDays may run more than once for a page: the pages are alike.
func makeDays(n int64) *[pageDays]driver.Value {
	page := new([pageDays]driver.Value)
	for i := range page {
		page[i] = DayTime(firstDay + n*pageDays + int64(i))
	}
	days[n].Store(page)
	return page
}
