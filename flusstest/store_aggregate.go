package flusstest

import (
	"cmp"
	"math"
	"math/big"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// The functions of the aggregation merge engine. Save for last_value, a NULL on either side gives the other side.
// Source: FieldSumAgg and its siblings (Java, v0.9.1-incubating).

func lastValue(_, in *row.Datum) (row.Datum, error) { return *in, nil }

func lastValueIgnoreNulls(acc, in *row.Datum) (row.Datum, error) {
	if in.Null {
		return *acc, nil
	}
	return *in, nil
}

// firstValue takes the first that is not NULL, with and without ignore_nulls.
func firstValue(acc, in *row.Datum) (row.Datum, error) {
	if acc.Null {
		return *in, nil
	}
	return *acc, nil
}

// ignoreNulls makes an aggregate of a function of two values.
func ignoreNulls(f func(acc, in *row.Datum) row.Datum) aggregate {
	return func(acc, in *row.Datum) (row.Datum, error) {
		switch {
		case acc.Null:
			return *in, nil
		case in.Null:
			return *acc, nil
		}
		return f(acc, in), nil
	}
}

func boolean(f func(a, b int64) int64) aggregate {
	return ignoreNulls(func(acc, in *row.Datum) row.Datum { return row.Datum{I: f(acc.I, in.I)} })
}

func listagg(c *catalog.Column) (aggregate, error) {
	if c.Type.Kind != catalog.String {
		return nil, brokenf(illegalArgument,
			"Data type for %s column must be 'StringType' but was '%s'.", c.Agg.Name, c.Type.String())
	}
	delimiter, ok := c.Agg.Parameters["delimiter"]
	if !ok {
		delimiter = ","
	}
	return ignoreNulls(func(acc, in *row.Datum) row.Datum {
		b := make([]byte, 0, len(acc.B)+len(delimiter)+len(in.B))
		return row.Datum{B: append(append(append(b, acc.B...), delimiter...), in.B...)}
	}), nil
}

// extreme keeps the larger or the smaller value. Of equal values max keeps what is there and min takes what comes,
// which shows where equal values differ in their bytes.
func extreme(t *catalog.Type, largest bool) aggregate {
	return ignoreNulls(func(acc, in *row.Datum) row.Datum {
		if (compareJava(acc, in, t) < 0) == largest {
			return *in
		}
		return *acc
	})
}

// compareJava orders as Java does: -0 comes before 0.
func compareJava(a, b *row.Datum, t *catalog.Type) int {
	c := row.Compare(a, b, t)
	if c != 0 {
		return c
	}
	switch t.Kind {
	case catalog.Float:
		return cmp.Compare(int32(a.I), int32(b.I)) * signOfZeros(float64(math.Float32frombits(uint32(a.I))))
	case catalog.Double:
		return cmp.Compare(a.I, b.I) * signOfZeros(math.Float64frombits(uint64(a.I)))
	}
	return 0
}

// signOfZeros is 1 for a zero, whose bits order by their sign, and 0 for other values that are equal, NaN included.
func signOfZeros(f float64) int {
	if f == 0 {
		return 1
	}
	return 0
}

// numeric picks the form of an arithmetic function for a type. Whole numbers wrap around.
func numeric(
	t *catalog.Type, ints func(a, b int64) int64, floats func(a, b float64) float64,
	decimals func(t *catalog.Type, a, b *row.Datum) row.Datum,
) (aggregate, error) {
	switch t.Kind {
	case catalog.TinyInt:
		return ignoreNulls(func(a, b *row.Datum) row.Datum { return row.Datum{I: int64(int8(ints(a.I, b.I)))} }), nil
	case catalog.SmallInt:
		return ignoreNulls(func(a, b *row.Datum) row.Datum { return row.Datum{I: int64(int16(ints(a.I, b.I)))} }), nil
	case catalog.Int:
		return ignoreNulls(func(a, b *row.Datum) row.Datum { return row.Datum{I: int64(int32(ints(a.I, b.I)))} }), nil
	case catalog.BigInt:
		return ignoreNulls(func(a, b *row.Datum) row.Datum { return row.Datum{I: ints(a.I, b.I)} }), nil
	case catalog.Float:
		return ignoreNulls(func(a, b *row.Datum) row.Datum {
			x, y := math.Float32frombits(uint32(a.I)), math.Float32frombits(uint32(b.I))
			return row.Datum{I: int64(math.Float32bits(float32(floats(float64(x), float64(y)))))}
		}), nil
	case catalog.Double:
		return ignoreNulls(func(a, b *row.Datum) row.Datum {
			x, y := math.Float64frombits(uint64(a.I)), math.Float64frombits(uint64(b.I))
			return row.Datum{I: int64(math.Float64bits(floats(x, y)))}
		}), nil
	case catalog.Decimal:
		return ignoreNulls(func(a, b *row.Datum) row.Datum { return decimals(t, a, b) }), nil
	}
	return nil, brokenf(illegalArgument,
		"Data type for this column must be 'NumericType' but was '%s'.", t.String())
}

func sumInt(a, b int64) int64     { return a + b }
func productInt(a, b int64) int64 { return a * b }

// The sum and the product of two float32 in float64, rounded to float32, are what float32 arithmetic gives.
func sumFloat(a, b float64) float64     { return a + b }
func productFloat(a, b float64) float64 { return a * b }

// sumDecimal adds. A DECIMAL of at most 18 digits is not checked against its precision; a longer one that overflows
// becomes NULL. Source: DecimalUtils.add (Java, v0.9.1-incubating).
func sumDecimal(t *catalog.Type, a, b *row.Datum) row.Datum {
	if t.IsCompactDecimal() {
		if sum := a.I + b.I; (sum > a.I) == (b.I > 0) {
			return row.Datum{I: sum}
		}
	}
	return decimalDatum(t, new(big.Int).Add(unscaledDecimal(t, a), unscaledDecimal(t, b)))
}

// productDecimal multiplies, rounds half up to the scale, and gives NULL for what has too many digits.
func productDecimal(t *catalog.Type, a, b *row.Datum) row.Datum {
	v := new(big.Int).Mul(unscaledDecimal(t, a), unscaledDecimal(t, b))
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)
	half := new(big.Int).Rsh(unit, 1)
	negative := v.Sign() < 0
	v.Abs(v)
	if t.Scale > 0 {
		v.Add(v, half)
	}
	if v.Quo(v, unit); negative {
		v.Neg(v)
	}
	return decimalDatum(t, v)
}

func unscaledDecimal(t *catalog.Type, d *row.Datum) *big.Int {
	if t.IsCompactDecimal() {
		return big.NewInt(d.I)
	}
	v := new(big.Int).SetBytes(d.B)
	if len(d.B) > 0 && d.B[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(d.B))))
	}
	return v
}

func decimalDatum(t *catalog.Type, v *big.Int) row.Datum {
	if digits := len(new(big.Int).Abs(v).Text(10)); digits > t.Precision {
		return row.Datum{Null: true}
	}
	if t.IsCompactDecimal() {
		return row.Datum{I: v.Int64()}
	}
	return row.Datum{B: twosComplement(v)}
}

// twosComplement gives the fewest big-endian bytes that hold v, at least one.
func twosComplement(v *big.Int) []byte {
	n := v.BitLen()/8 + 1
	if v.Sign() < 0 {
		n = new(big.Int).Not(v).BitLen()/8 + 1
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return v.FillBytes(make([]byte, n))
}
