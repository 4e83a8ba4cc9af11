package fluss

import (
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gofluss/fluss/internal/plan"
)

// checkTimes refuses what rows would lose: digits of a TIME behind the milliseconds, within nested values too.
func (a *arrowAppend) checkTimes(batch arrow.RecordBatch) error {
	for j, col := range batch.Columns() {
		if !holdsFineTimes(col.DataType()) {
			continue
		}
		for i := range col.Len() {
			if losesDigits(col, i) {
				return &plan.ValueError{Table: a.w.table.Path.String(), Column: a.columns[j].Name, Row: a.w.row + i + 1, Err: errors.New("of a TIME milliseconds are kept")}
			}
		}
	}
	return nil
}

// holdsFineTimes reports whether values of a type can have times with more digits than milliseconds.
func holdsFineTimes(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.Time64Type:
		return true
	case arrow.NestedType:
		for _, f := range t.Fields() {
			if holdsFineTimes(f.Type) {
				return true
			}
		}
	}
	return false
}

// losesDigits reports whether value i holds a time with digits behind the milliseconds.
func losesDigits(col arrow.Array, i int) bool {
	if col.IsNull(i) {
		return false
	}
	switch col := col.(type) {
	case *array.Time64:
		milli := int64(1e3)
		if col.DataType().(*arrow.Time64Type).Unit == arrow.Nanosecond {
			milli = 1e6
		}
		return int64(col.Value(i))%milli != 0
	case *array.Struct:
		for f := range col.NumField() {
			if losesDigits(col.Field(f), i) {
				return true
			}
		}
	case array.ListLike: // maps are lists of pairs
		from, to := col.ValueOffsets(i)
		for k := from; k < to; k++ {
			if losesDigits(col.ListValues(), int(k)) {
				return true
			}
		}
	}
	return false
}
