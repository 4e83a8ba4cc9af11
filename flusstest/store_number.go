package flusstest

import (
	"math"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

// numbers hands out the auto-increment values of one bucket. A bucket takes them from the table in blocks, as the
// real server does (table.auto-increment.cache-size): unique in the table, neither dense nor in order across buckets.
// The bucket's lock guards it.
type numbers struct {
	block func(size int64) int64 // takes the next size numbers of the table and returns the first
	size  int64
	next  int64
	end   int64 // exclusive
}

func (n *numbers) take() int64 {
	if n.next == n.end {
		n.next = n.block(n.size)
		n.end = n.next + n.size
	}
	n.next++
	return n.next - 1
}

// checkNumbered refuses whole rows, and targets that name the numbered column: code 35.
func checkNumbered(at int, latest *catalog.Schema, target []int32) error {
	if target == nil {
		return refusef(wire.CodeInvalidTargetColumn, "The table contains an auto-increment column [%s], but update "+
			"target columns are not explicitly specified. Please specify the update target columns and exclude the "+
			"auto-increment column from them.", latest.AutoIncrement)
	}
	for _, p := range target {
		if int(p) == at {
			return refusef(wire.CodeInvalidTargetColumn,
				"Auto-increment column [%s] at index %d must not be included in target columns.", latest.AutoIncrement, at)
		}
	}
	return nil
}

// numbered puts the next number into a row of a new key and encodes it.
func (p *putScratch) numbered(values []row.Datum) (value, error) {
	at := p.b.table.AutoIncrement
	n := p.number()
	if p.latest.schema.Columns[at].Type.Kind == catalog.Int && n > math.MaxInt32 {
		return value{}, brokenf("org.apache.fluss.exception.SequenceOverflowException",
			"Reached maximum value of sequence \"<%s>\" (%d).", p.latest.schema.AutoIncrement, math.MaxInt32)
	}
	values[at] = row.Datum{I: n}
	return p.encode(values)
}
