package row

import (
	"math"
	"math/big"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/catalog"
)

var (
	errNotNumber   error = reason("not a number")
	errFraction    error = reason("not an integer")
	errFloatRange  error = reason("too large")
	errNotBool     error = reason("not true, false, 1 or 0")
	errNotFinite   error = reason("not a finite number")
	errSurplus     error = reason("more fraction digits than the scale") // surplusDigits says it better
	errTooManyInts error = reason("too many digits")                     // decimalRange says it better
)

// intBits is the width of an integer kind, or 0.
func intBits(k catalog.Kind) uint {
	switch k {
	case catalog.TinyInt:
		return 8
	case catalog.SmallInt:
		return 16
	case catalog.Int:
		return 32
	case catalog.BigInt:
		return 64
	}
	return 0
}

func intRange(bits uint) error {
	return outOfRange(int64(math.MinInt64)>>(64-bits), int64(math.MaxInt64)>>(64-bits))
}

func setInt(d *Datum, bits uint, x int64) error {
	if x<<(64-bits)>>(64-bits) != x {
		return intRange(bits)
	}
	d.I = x
	return nil
}

func bindInt(d *Datum, t *catalog.Type, x int64) error {
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		return setInt(d, intBits(t.Kind), x)
	case catalog.Boolean:
		if x != 0 && x != 1 {
			return errNotBool
		}
		d.I = x
		return nil
	case catalog.Float:
		d.I = int64(math.Float32bits(float32(x)))
		return nil
	case catalog.Double:
		d.I = int64(math.Float64bits(float64(x)))
		return nil
	case catalog.Decimal:
		return setScaled(d, t, x, 0, false)
	}
	return wrongType(t)
}

func bindUint(d *Datum, t *catalog.Type, x uint64) error {
	if x <= math.MaxInt64 {
		return bindInt(d, t, int64(x))
	}
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		return intRange(intBits(t.Kind))
	}
	var buf [20]byte
	return bindNumberText(d, t, aliasBytes(strconv.AppendUint(buf[:0], x, 10)), nil)
}

func bindBool(d *Datum, t *catalog.Type, x bool) error {
	if t.Kind != catalog.Boolean {
		return wrongType(t)
	}
	if x {
		d.I = 1
	}
	return nil
}

// bindFloat binds a float of 32 or 64 bits. The width matters to DECIMAL alone, where it decides which text is
// the shortest.
func bindFloat(d *Datum, t *catalog.Type, x float64, bits int, o *BindOptions) error {
	switch t.Kind {
	case catalog.Float:
		return setFloat(d, x)
	case catalog.Double:
		d.I = int64(math.Float64bits(x))
		return nil
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		if math.Trunc(x) != x {
			return errFraction
		}
		if x < -1<<63 || x >= 1<<63 {
			return intRange(intBits(t.Kind))
		}
		return setInt(d, intBits(t.Kind), int64(x))
	case catalog.Decimal:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return errNotFinite
		}
		var buf [32]byte
		return bindNumberText(d, t, aliasBytes(strconv.AppendFloat(buf[:0], x, 'e', -1, bits)), o)
	}
	return wrongType(t)
}

// setFloat stores x as the nearest FLOAT. Infinities and NaN are values; a finite x that is too large is not.
func setFloat(d *Datum, x float64) error {
	f := float32(x)
	if math.IsInf(float64(f), 0) && !math.IsInf(x, 0) {
		return errFloatRange
	}
	d.I = int64(math.Float32bits(f))
	return nil
}

// bindDecimal binds a decimal.Decimal. Coefficients of 64 bits, which is nearly all of them, cost no allocation.
func bindDecimal(d *Datum, t *catalog.Type, x decimal.Decimal, o *BindOptions) error {
	if c, ok := coefficient(x); ok && t.Kind == catalog.Decimal {
		return setScaled(d, t, c, int(x.Exponent()), o.roundDecimal())
	}
	if intBits(t.Kind) == 0 && t.Kind != catalog.Decimal && t.Kind != catalog.Float && t.Kind != catalog.Double {
		return wrongType(t)
	}
	text := x.Coefficient().Append(nil, 10)
	text = append(text, 'e')
	text = strconv.AppendInt(text, int64(x.Exponent()), 10)
	return bindNumberText(d, t, aliasBytes(text), o)
}

// maxBits bounds a big.Int before its text is made. No numeric type reaches that far.
const maxBits = 4096

func bindBigInt(d *Datum, t *catalog.Type, x *big.Int, o *BindOptions) error {
	if x.BitLen() > maxBits {
		return errFloatRange
	}
	if x.IsInt64() {
		return bindInt(d, t, x.Int64())
	}
	return bindNumberText(d, t, aliasBytes(x.Append(nil, 10)), o)
}

func bindRat(d *Datum, t *catalog.Type, x *big.Rat, o *BindOptions) error {
	switch t.Kind {
	case catalog.Decimal:
		if n, exact := x.FloatPrec(); (!exact || n > t.Scale) && !o.roundDecimal() {
			return surplusDigits(t)
		}
		// FloatString rounds half away from zero, as RoundDecimal wants it.
		return bindNumberText(d, t, x.FloatString(t.Scale), o)
	case catalog.Float:
		f, _ := x.Float32()
		return bindRatFloat(d, t, float64(f))
	case catalog.Double:
		f, _ := x.Float64()
		return bindRatFloat(d, t, f)
	}
	if !x.IsInt() {
		if intBits(t.Kind) == 0 {
			return wrongType(t)
		}
		return errFraction
	}
	return bindBigInt(d, t, x.Num(), o)
}

func bindRatFloat(d *Datum, t *catalog.Type, f float64) error {
	if math.IsInf(f, 0) {
		return errFloatRange
	}
	return bindFloat(d, t, f, 64, nil)
}
