package row

import (
	"database/sql/driver"
	"math"
	"strings"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// An Arena's chunk holds at most this many bytes of texts, or this many boxed values. A value that is kept keeps its
// chunk alive, so a chunk is small, and a text of more than largeText bytes has memory of its own.
const (
	maxTextChunk = 4 << 10
	minTextChunk = 64
	largeText    = 256
	maxBoxChunk  = 64
	minBoxChunk  = 4
)

// Arena makes the values of many rows with few allocations: texts are cut from chunks of memory that is never written
// again, and so are the boxes of the values. Chunks grow with the number of values, so that a single row takes no more
// than it needs. Values are good for ever. The zero Arena is ready; it is for one goroutine at a time.
type Arena struct {
	text    strings.Builder // the chunk being filled
	scratch []byte
	ints    []int64 // the chunks of boxes being filled
	floats  []float64
	strings []string
	times   []time.Time
}

// Text copies b.
func (a *Arena) Text(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > largeText {
		return string(b)
	}
	if a.text.Cap()-a.text.Len() < len(b) {
		chunk := min(max(2*a.text.Cap(), minTextChunk, len(b)), maxTextChunk)
		a.text = strings.Builder{}
		a.text.Grow(chunk)
	}
	at := a.text.Len()
	a.text.Write(b)
	return a.text.String()[at:]
}

// Format is the text of a value that Value gives as a string: see there. d is not NULL.
func (a *Arena) Format(d *Datum, t *catalog.Type, loc *time.Location) string {
	switch t.Kind {
	case catalog.Char, catalog.String:
		return a.Text(d.B)
	case catalog.Decimal:
		a.scratch = appendDecimal(a.scratch[:0], d, t)
	case catalog.Time:
		a.scratch = appendTime(a.scratch[:0], d, t)
	default:
		return string(AppendJSON(nil, d, t, loc))
	}
	return a.Text(a.scratch)
}

// Value is the function Value with the Arena's memory.
func (a *Arena) Value(d *Datum, t *catalog.Type, loc *time.Location) driver.Value {
	if d.Null {
		return nil
	}
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		return box(aInt, &a.ints, d.I)
	case catalog.Float, catalog.Double:
		return box(aFloat, &a.floats, FloatOf(d, t))
	case catalog.Date, catalog.Timestamp, catalog.TimestampLTZ:
		return box(aTime, &a.times, TimeOf(d, t, loc))
	case catalog.Boolean, catalog.Binary, catalog.Bytes:
		return Value(d, t, loc)
	}
	s := a.Format(d, t, loc)
	if len(s) > largeText {
		return s
	}
	return box(aString, &a.strings, s)
}

// FloatOf is a FLOAT or DOUBLE; of a FLOAT the exact value of its 32 bits.
func FloatOf(d *Datum, t *catalog.Type) float64 {
	if t.Kind == catalog.Float {
		return float64(math.Float32frombits(uint32(d.I)))
	}
	return math.Float64frombits(uint64(d.I))
}

// TimeOf is a DATE, TIMESTAMP or TIMESTAMP_LTZ as Value gives it.
func TimeOf(d *Datum, t *catalog.Type, loc *time.Location) time.Time {
	if t.Kind == catalog.Date {
		return dateTime(d)
	}
	x := stampTime(d)
	if t.Kind == catalog.TimestampLTZ && loc != nil {
		x = x.In(loc)
	}
	return x
}

// Values that tell box the type.
var aInt, aFloat, aString, aTime any = int64(0), float64(0), "", time.Time{}

// push puts v into the chunk and returns its place there.
func push[T any](chunk *[]T, v T) *T {
	c := *chunk
	if len(c) == cap(c) {
		c = make([]T, 0, min(max(2*cap(c), minBoxChunk), maxBoxChunk))
	}
	c = append(c, v)
	*chunk = c
	return &c[len(c)-1]
}
