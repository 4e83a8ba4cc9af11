package differential

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// dice are what all choices of a world are made with.
type dice struct{ *rand.Rand }

// one is true once in n.
func (d dice) one(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d dice, list ...T) T { return list[d.IntN(len(list))] }

// scalar is a type that is not nested.
func (d dice) scalar() catalog.Type {
	switch k := catalog.Kind(1 + d.IntN(int(catalog.TimestampLTZ))); k {
	case catalog.Char, catalog.Binary:
		return catalog.Type{Kind: k, Length: 1 + d.IntN(5)}
	case catalog.Decimal:
		precision := pick(d, 1, 5, 18, 19, 25, 38)
		return catalog.Type{Kind: k, Precision: precision, Scale: d.IntN(min(precision, 6) + 1)}
	case catalog.Time:
		return catalog.Type{Kind: k, Precision: pick(d, 0, 3, 6, 9)}
	case catalog.Timestamp, catalog.TimestampLTZ:
		return catalog.Type{Kind: k, Precision: d.IntN(10)}
	default:
		return catalog.Type{Kind: k}
	}
}

// anyType may be nested, no deeper than that many times.
func (d dice) anyType(depth int) catalog.Type {
	if depth == 0 || !d.one(6) {
		return d.scalar()
	}
	inner := func() *catalog.Type { t := d.anyType(depth - 1); return &t }
	switch d.IntN(3) {
	case 0:
		return catalog.Type{Kind: catalog.Array, Elem: inner()}
	case 1:
		key := d.scalar()
		key.NotNull = true
		return catalog.Type{Kind: catalog.Map, Key: &key, Elem: inner()}
	}
	t := catalog.Type{Kind: catalog.Row}
	for i := range 1 + d.IntN(3) {
		t.Fields = append(t.Fields, catalog.Field{Name: fmt.Sprint("f", i), Type: *inner(), ID: -1})
	}
	return t
}

// row makes values for all columns of a schema. Those of keys are few, so that keys come again.
func (d dice) row(s *catalog.Schema) []row.Datum {
	values := make([]row.Datum, len(s.Columns))
	for i := range s.Columns {
		c := &s.Columns[i]
		values[i] = d.datum(&c.Type, slices.Contains(s.PrimaryKey, c.Name))
	}
	return values
}

func (d dice) datum(t *catalog.Type, few bool) row.Datum {
	if !t.NotNull && !few && d.one(4) {
		return row.Datum{Null: true}
	}
	switch t.Kind {
	case catalog.Array, catalog.Map, catalog.Row:
		return d.nested(t)
	}
	if few {
		return small(t, d.Int64N(5))
	}
	if d.one(8) {
		return d.edge(t)
	}
	return small(t, d.Int64N(200)-100)
}

func (d dice) nested(t *catalog.Type) row.Datum {
	list := []row.Datum{}
	switch t.Kind {
	case catalog.Array:
		for range d.IntN(4) {
			list = append(list, d.datum(t.Elem, false))
		}
	case catalog.Map:
		for i := range d.IntN(3) { // its keys differ
			key := small(t.Key, int64(i))
			if t.Key.Kind == catalog.Boolean && i > 1 {
				break
			}
			list = append(list, key, d.datum(t.Elem, false))
		}
	case catalog.Row:
		for i := range t.Fields {
			list = append(list, d.datum(&t.Fields[i].Type, false))
		}
	}
	return row.Datum{L: list}
}

// small is the n-th value of a type, for n from -100 to 99.
func small(t *catalog.Type, n int64) row.Datum {
	text := fmt.Sprint(n)
	switch t.Kind {
	case catalog.Boolean:
		return row.Datum{I: n & 1}
	case catalog.Float:
		return row.Datum{I: int64(math.Float32bits(float32(n) / 4))}
	case catalog.Double:
		return row.Datum{I: int64(math.Float64bits(float64(n) / 10))}
	case catalog.Char:
		return row.Datum{B: []byte(text[:min(len(text), t.Length)])}
	case catalog.String, catalog.Bytes:
		return row.Datum{B: []byte(strings.Repeat("x", int(n&7)) + text)}
	case catalog.Binary:
		return row.Datum{B: append([]byte{byte(n)}, make([]byte, t.Length-1)...)}
	case catalog.Decimal:
		return decimal(t, big.NewInt(n%10))
	case catalog.Time:
		return row.Datum{I: (n + 100) * 1000}
	case catalog.Timestamp, catalog.TimestampLTZ:
		v := row.Datum{I: n * 1000}
		if t.Precision > 6 {
			v.N = int32(n&3) * 1000
		}
		return v
	}
	return row.Datum{I: n}
}

// decimal is a DECIMAL by its unscaled value.
func decimal(t *catalog.Type, unscaled *big.Int) row.Datum {
	if t.IsCompactDecimal() {
		return row.Datum{I: unscaled.Int64()}
	}
	n := unscaled.BitLen()/8 + 1
	b := new(big.Int).And(unscaled, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*n)), big.NewInt(1))).FillBytes(make([]byte, n))
	return row.Datum{B: b}
}

// edge is a value at one of the ends of its type.
func (d dice) edge(t *catalog.Type) row.Datum {
	ends := func(low, high int64) row.Datum { return row.Datum{I: pick(d, low, high)} }
	switch t.Kind {
	case catalog.TinyInt:
		return ends(math.MinInt8, math.MaxInt8)
	case catalog.SmallInt:
		return ends(math.MinInt16, math.MaxInt16)
	case catalog.Int, catalog.Date:
		return ends(math.MinInt32, math.MaxInt32)
	case catalog.BigInt:
		return ends(math.MinInt64, math.MaxInt64)
	case catalog.Float:
		return row.Datum{I: int64(math.Float32bits(float32(d.float())))}
	case catalog.Double:
		return row.Datum{I: int64(math.Float64bits(d.float()))}
	case catalog.String:
		return row.Datum{B: []byte(pick(d, "", "grüße", "日本語", "\x00", "a,b\n\"c\"", strings.Repeat("long ", 100)))}
	case catalog.Bytes:
		return row.Datum{B: pick(d, []byte{}, []byte{0, 255}, make([]byte, 600))}
	case catalog.Char:
		return row.Datum{B: []byte(pick(d, "", "zzzzz"[:t.Length]))}
	case catalog.Decimal:
		limit := new(big.Int).Sub(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Precision)), nil), big.NewInt(1))
		return decimal(t, pick(d, limit, new(big.Int).Neg(limit)))
	case catalog.Time:
		return ends(0, 86_399_999)
	case catalog.Timestamp, catalog.TimestampLTZ: // within 64 bits of nanoseconds
		v := row.Datum{I: pick(d, int64(-9_000_000_000_000), 9_000_000_000_000)}
		if t.Precision > 6 {
			v.N = 999_999
		}
		return v
	}
	return small(t, 1)
}

func (d dice) float() float64 {
	return pick(d, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), math.MaxFloat32, math.SmallestNonzeroFloat32)
}
