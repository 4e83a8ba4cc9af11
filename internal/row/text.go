package row

import (
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// Text appends a value as text for people: what Value gives, but strings bare, bytes as X'00ff', times as SQL
// writes them (TIMESTAMP_LTZ as RFC 3339 in loc, nil means UTC), nested types as JSON, and NULL as NULL.
// BindText reads all of it back but NULL, and bytes only without their X”.
func Text(dst []byte, d *Datum, t *catalog.Type, loc *time.Location) []byte {
	if d.Null {
		return append(dst, "NULL"...)
	}
	switch t.Kind {
	case catalog.Char, catalog.String:
		return append(dst, d.B...)
	case catalog.Binary, catalog.Bytes:
		dst = append(dst, 'X', '\'')
		dst = hex.AppendEncode(dst, d.B)
		return append(dst, '\'')
	case catalog.Array, catalog.Map, catalog.Row:
		return AppendJSON(dst, d, t, loc)
	}
	return appendScalar(dst, d, t, loc)
}

// appendScalar appends the types whose text is the same everywhere: not strings, not bytes, not nested ones.
func appendScalar(dst []byte, d *Datum, t *catalog.Type, loc *time.Location) []byte {
	switch t.Kind {
	case catalog.Boolean:
		return strconv.AppendBool(dst, d.I != 0)
	case catalog.Float:
		return appendFloat(dst, float64(math.Float32frombits(uint32(d.I))), 32)
	case catalog.Double:
		return appendFloat(dst, math.Float64frombits(uint64(d.I)), 64)
	case catalog.Decimal:
		return appendDecimal(dst, d, t)
	case catalog.Date:
		return appendDate(dst, d.I)
	case catalog.Time:
		return appendTime(dst, d, t)
	case catalog.Timestamp:
		return appendTimestamp(dst, d, t)
	case catalog.TimestampLTZ:
		return appendInstant(dst, d, t, loc)
	}
	return strconv.AppendInt(dst, d.I, 10)
}

// appendFloat appends the shortest text that reads back as x, in the form that encoding/json chooses; and NaN,
// Infinity or -Infinity.
func appendFloat(dst []byte, x float64, bits int) []byte {
	switch abs := math.Abs(x); {
	case math.IsNaN(x):
		return append(dst, "NaN"...)
	case math.IsInf(x, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(x, -1):
		return append(dst, "-Infinity"...)
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		return strconv.AppendFloat(dst, x, 'e', -1, bits)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, bits)
}
