package row

import (
	"database/sql/driver"
	"math"
	"time"
	"unsafe"

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
	text    []byte  // the chunk being filled; what was written there is never written again
	ints    []int64 // the chunks of boxes being filled
	floats  []float64
	strings []string
	times   []time.Time
	datum   Datum // of a value on its way
}

// Text copies b.
func (a *Arena) Text(b []byte) string {
	if len(b) > largeText {
		return string(b)
	}
	a.room(len(b))
	return a.cut(append(a.text, b...))
}

// room begins a new chunk when the current one has not n bytes left.
func (a *Arena) room(n int) {
	if cap(a.text)-len(a.text) < n {
		a.text = make([]byte, 0, min(max(2*cap(a.text), minTextChunk, n), maxTextChunk))
	}
}

// cut takes grown, the chunk with more behind it, and returns that as a string. It is one without a copy, since nobody
// writes to it again, as in a strings.Builder.
func (a *Arena) cut(grown []byte) string {
	added := grown[len(a.text):]
	a.text = grown
	return unsafe.String(unsafe.SliceData(added), len(added))
}

// formatted is the room that a DECIMAL or TIME takes at most; a damaged one may take more.
const formatted = 48

// Format is the text of a value that Value gives as a string: see there. d is not NULL.
func (a *Arena) Format(d *Datum, t *catalog.Type, loc *time.Location) string {
	switch t.Kind {
	case catalog.Char, catalog.String:
		return a.Text(d.B)
	case catalog.Decimal:
		a.room(formatted)
		return a.cut(appendDecimal(a.text, d, t))
	case catalog.Time:
		a.room(formatted)
		return a.cut(appendTime(a.text, d, t))
	}
	return string(AppendJSON(nil, d, t, loc))
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
	case catalog.Date:
		return dayValue(d.I)
	case catalog.Timestamp, catalog.TimestampLTZ:
		return box(aTime, &a.times, TimeOf(d, t, loc))
	case catalog.Boolean, catalog.Binary, catalog.Bytes:
		return Value(d, t, loc)
	case catalog.Char, catalog.String:
		return a.boxedText(d.B)
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
		return DayTime(d.I)
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
