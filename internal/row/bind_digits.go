package row

import (
	"math"
	"strconv"

	"github.com/gofluss/fluss/internal/catalog"
)

// bindNumberText binds the text of a number: [sign] digits [. digits] [e exponent]. DECIMAL and integers are
// read exactly, FLOAT and DOUBLE are rounded once.
func bindNumberText(d *Datum, t *catalog.Type, s string, o *BindOptions) error {
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		return setIntText(d, intBits(t.Kind), s)
	case catalog.Decimal:
		m, neg, err := parseDecimal(s, t.Scale, o.roundDecimal())
		if err != nil {
			return decimalError(t, err)
		}
		return setDecimal(d, t, m, neg)
	case catalog.Float:
		return setFloatText(d, s, 32)
	case catalog.Double:
		return setFloatText(d, s, 64)
	case catalog.Boolean:
		if s != "0" && s != "1" {
			return errNotBool
		}
		d.I = int64(s[0] - '0')
		return nil
	}
	return wrongType(t)
}

func setIntText(d *Datum, bits uint, s string) error {
	m, neg, err := parseDecimal(s, 0, false)
	switch {
	case err == errSurplus:
		return errFraction
	case err == errTooManyInts:
		return intRange(bits)
	case err != nil:
		return err
	case m.hi != 0 || m.lo > 1<<63 || m.lo == 1<<63 && !neg:
		return intRange(bits)
	case neg:
		return setInt(d, bits, -int64(m.lo))
	}
	return setInt(d, bits, int64(m.lo))
}

// setFloatText is stricter than strconv in what it reads: neither hexadecimal nor underscores.
func setFloatText(d *Datum, s string, bits int) error {
	for i := range len(s) {
		if c := s[i]; c == '_' || c == 'x' || c == 'X' {
			return errNotNumber
		}
	}
	f, err := strconv.ParseFloat(s, bits)
	if err != nil {
		if err.(*strconv.NumError).Err == strconv.ErrRange {
			return errFloatRange
		}
		return errNotNumber
	}
	if bits == 32 {
		d.I = int64(math.Float32bits(float32(f)))
	} else {
		d.I = int64(math.Float64bits(f))
	}
	return nil
}
