package row

import (
	"bytes"
	"cmp"
	"math"

	"github.com/gofluss/fluss/internal/catalog"
)

// Compare orders two values of one type, neither of them NULL: -1, 0 or 1. Numbers, dates and times by value,
// strings and bytes by their bytes, false before true. NaN equals itself and comes last; -0 equals 0. Nested
// values compare part by part, NULL parts first, the shorter first if all else is equal.
func Compare(a, b *Datum, t *catalog.Type) int {
	switch t.Kind {
	case catalog.Float:
		return compareFloat(float64(math.Float32frombits(uint32(a.I))), float64(math.Float32frombits(uint32(b.I))))
	case catalog.Double:
		return compareFloat(math.Float64frombits(uint64(a.I)), math.Float64frombits(uint64(b.I)))
	case catalog.Char, catalog.String, catalog.Binary, catalog.Bytes:
		return bytes.Compare(a.B, b.B)
	case catalog.Decimal:
		if t.Precision > catalog.MaxCompactPrecision {
			return compareUnscaled(a.B, b.B)
		}
	case catalog.Timestamp, catalog.TimestampLTZ:
		if c := cmp.Compare(a.I, b.I); c != 0 {
			return c
		}
		return cmp.Compare(a.N, b.N)
	case catalog.Array, catalog.Map, catalog.Row:
		return compareNested(a, b, t)
	}
	return cmp.Compare(a.I, b.I)
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	an, bn := math.IsNaN(a), math.IsNaN(b)
	switch {
	case an && bn:
		return 0
	case an:
		return 1
	}
	return -1
}

func compareNested(a, b *Datum, t *catalog.Type) int {
	for i := range min(len(a.L), len(b.L)) {
		if c := compareNullable(&a.L[i], &b.L[i], partType(t, i)); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a.L), len(b.L))
}

func compareNullable(a, b *Datum, t *catalog.Type) int {
	switch {
	case a.Null && b.Null:
		return 0
	case a.Null:
		return -1
	case b.Null:
		return 1
	}
	return Compare(a, b, t)
}

// partType is the type of the i-th part of a nested value, as Datum.L has them.
func partType(t *catalog.Type, i int) *catalog.Type {
	switch {
	case t.Kind == catalog.Row:
		return &t.Fields[i].Type
	case t.Kind == catalog.Map && i%2 == 0:
		return t.Key
	}
	return t.Elem
}
