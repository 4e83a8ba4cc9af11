package row

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/catalog"
)

// maxDecimalDigits is the largest precision of a DECIMAL. 10^38 < 2^127, so 128 bits hold any magnitude.
const maxDecimalDigits = 38

// u128 is the magnitude of an unscaled DECIMAL.
type u128 struct{ hi, lo uint64 }

// pow10 holds the powers of ten that fit 64 bits, pow10Wide all up to 10^38.
var (
	pow10 = [20]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
		1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}
	pow10Wide = widePowers()
)

func widePowers() (p [maxDecimalDigits + 1]u128) {
	p[0] = u128{lo: 1}
	for i := 1; i < len(p); i++ {
		p[i], _ = p[i-1].times(10)
	}
	return p
}

func (u u128) isZero() bool { return u.hi|u.lo == 0 }

func (u u128) less(v u128) bool { return u.hi < v.hi || u.hi == v.hi && u.lo < v.lo }

func (u u128) times(m uint64) (_ u128, ok bool) {
	carry, lo := bits.Mul64(u.lo, m)
	over, hi := bits.Mul64(u.hi, m)
	hi, c := bits.Add64(hi, carry, 0)
	return u128{hi, lo}, over == 0 && c == 0
}

func (u u128) plus(x uint64) u128 { // the caller knows that it fits
	lo, c := bits.Add64(u.lo, x, 0)
	return u128{u.hi + c, lo}
}

// shifted is u * 10^n. It reports false when that has more than 38 digits.
func (u u128) shifted(n int) (_ u128, ok bool) {
	if u.isZero() {
		return u, true
	}
	if n > maxDecimalDigits {
		return u, false
	}
	for n > 0 {
		step := min(n, 19)
		if u, ok = u.times(pow10[step]); !ok {
			return u, false
		}
		n -= step
	}
	return u, u.less(pow10Wide[maxDecimalDigits])
}

// setScaled stores c * 10^exp.
func setScaled(d *Datum, t *catalog.Type, c int64, exp int, round bool) error {
	neg := c < 0
	m := u128{lo: uint64(c)}
	if neg {
		m.lo = -m.lo
	}
	if shift := exp + t.Scale; shift >= 0 {
		var ok bool
		if m, ok = m.shifted(shift); !ok {
			return decimalRange(t)
		}
	} else {
		q, rest, up := uint64(0), m.lo, false
		if -shift < len(pow10) {
			unit := pow10[-shift]
			q, rest = m.lo/unit, m.lo%unit
			up = rest >= unit-unit/2
		}
		if rest != 0 && !round {
			return surplusDigits(t)
		}
		if m.lo = q; up {
			m.lo++
		}
	}
	return setDecimal(d, t, m, neg && !m.isZero())
}

// setDecimal stores an unscaled value after checking it against the precision.
func setDecimal(d *Datum, t *catalog.Type, m u128, neg bool) error {
	if t.Precision < 1 || t.Precision > maxDecimalDigits || !m.less(pow10Wide[t.Precision]) {
		return decimalRange(t)
	}
	if t.Precision > catalog.MaxCompactPrecision {
		d.B = appendUnscaled(make([]byte, 0, 16), m, neg)
		return nil
	}
	if d.I = int64(m.lo); neg {
		d.I = -d.I
	}
	return nil
}

func decimalError(t *catalog.Type, err error) error {
	switch err {
	case errSurplus:
		return surplusDigits(t)
	case errTooManyInts:
		return decimalRange(t)
	}
	return err
}

func surplusDigits(t *catalog.Type) error {
	return reason(fmt.Sprintf("it has more than %d fraction digits", t.Scale))
}

func decimalRange(t *catalog.Type) error {
	return reason(fmt.Sprintf("it has more than %d digits before the decimal point", t.Precision-t.Scale))
}

// The exponents for which coefficient knows its limits.
const minExponent, maxExponent = -maxDecimalDigits, 18

// int64Limits holds, by exponent, the largest Decimal whose coefficient is an int64. Decimal gives its
// coefficient only as a copy, but compares without one when the exponents are equal.
var int64Limits = func() (limits [maxExponent - minExponent + 1][2]decimal.Decimal) {
	for i := range limits {
		exp := int32(i + minExponent)
		limits[i] = [2]decimal.Decimal{decimal.New(math.MinInt64, exp), decimal.New(math.MaxInt64, exp)}
	}
	return limits
}()

// coefficient returns x's coefficient if it fits an int64 and the exponent is an ordinary one.
func coefficient(x decimal.Decimal) (int64, bool) {
	exp := int(x.Exponent())
	if exp < minExponent || exp > maxExponent {
		return 0, false
	}
	limits := &int64Limits[exp-minExponent]
	if x.Cmp(limits[0]) < 0 || x.Cmp(limits[1]) > 0 {
		return 0, false
	}
	return x.CoefficientInt64(), true
}
