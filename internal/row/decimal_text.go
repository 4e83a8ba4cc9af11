package row

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/gofluss/fluss/internal/catalog"
)

// appendUnscaled appends the minimal big-endian two's complement of a value, as BigInteger.toByteArray (Java)
// makes it: one byte at least, 17 never for a DECIMAL.
func appendUnscaled(dst []byte, m u128, neg bool) []byte {
	if neg {
		lo, borrow := bits.Sub64(0, m.lo, 0)
		hi, _ := bits.Sub64(0, m.hi, borrow)
		m = u128{hi, lo}
	}
	var buf [16]byte
	binary.BigEndian.PutUint64(buf[:8], m.hi)
	binary.BigEndian.PutUint64(buf[8:], m.lo)
	return append(dst, minimalUnscaled(buf[:])...)
}

var zeroUnscaled = []byte{0}

// minimalUnscaled strips the leading bytes that only repeat the sign. No bytes are 0.
func minimalUnscaled(b []byte) []byte {
	if len(b) == 0 {
		return zeroUnscaled
	}
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}

// parseUnscaled reads two's complement bytes. It reports false when they do not fit 128 bits.
func parseUnscaled(b []byte) (m u128, neg, ok bool) {
	b = minimalUnscaled(b)
	if len(b) > 16 {
		return m, false, false
	}
	if neg = b[0] >= 0x80; neg {
		m = u128{^uint64(0), ^uint64(0)}
	}
	for _, c := range b {
		m = u128{m.hi<<8 | m.lo>>56, m.lo<<8 | uint64(c)}
	}
	if neg {
		lo, borrow := bits.Sub64(0, m.lo, 0)
		hi, _ := bits.Sub64(0, m.hi, borrow)
		m = u128{hi, lo}
	}
	return m, neg, true
}

// maxUnscaled bounds the bytes of a DECIMAL that are written out. A real one has up to 16; the time it takes to
// write a number grows faster than its length.
const maxUnscaled = 64

// isAbsurd reports whether a value of a wide DECIMAL is beyond all that could be a mistake.
func isAbsurd(d *Datum, t *catalog.Type) bool {
	return t.Precision > catalog.MaxCompactPrecision && len(d.B) > maxUnscaled
}

// appendDecimal appends the canonical text of a DECIMAL: all digits of its scale, no exponent, no "-0". What
// another client stored is written too when it has more digits than the precision allows, up to maxUnscaled
// bytes; beyond that it is NaN.
func appendDecimal(dst []byte, d *Datum, t *catalog.Type) []byte {
	if t.Precision <= catalog.MaxCompactPrecision {
		return AppendCompact(dst, d.I, t.Scale)
	}
	var buf [40]byte
	if isAbsurd(d, t) {
		return append(dst, "NaN"...)
	}
	m, neg, ok := parseUnscaled(d.B)
	if !ok {
		return appendHuge(dst, d.B, t.Scale)
	}
	if neg {
		dst = append(dst, '-')
	}
	return appendScaled(dst, appendU128(buf[:0], m), t.Scale)
}

func appendU128(dst []byte, m u128) []byte {
	if m.hi == 0 {
		return strconv.AppendUint(dst, m.lo, 10)
	}
	// 2^128 / 10^19 has up to 20 digits: divide twice.
	qhi, rhi := m.hi/pow10[19], m.hi%pow10[19]
	qlo, low := bits.Div64(rhi, m.lo, pow10[19])
	if qhi == 0 {
		dst = strconv.AppendUint(dst, qlo, 10)
		return appendPadded(dst, low, 19)
	}
	top, mid := bits.Div64(qhi, qlo, pow10[19])
	dst = strconv.AppendUint(dst, top, 10)
	return appendPadded(appendPadded(dst, mid, 19), low, 19)
}

// appendHuge writes a value that no DECIMAL can have, so that it can be seen.
func appendHuge(dst, b []byte, scale int) []byte {
	x := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(len(b))*8))
		dst = append(dst, '-')
	}
	return appendScaled(dst, x.Abs(x).Append(nil, 10), scale)
}

// appendScaled appends digits with a decimal point in front of the last scale ones.
func appendScaled(dst, digits []byte, scale int) []byte {
	if scale <= 0 {
		return append(dst, digits...)
	}
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0', '.')
		for ; whole < 0; whole++ {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[:whole]...)
	dst = append(dst, '.')
	return append(dst, digits[whole:]...)
}

// appendPadded appends x with leading zeros up to the given width.
func appendPadded(dst []byte, x uint64, width int) []byte {
	var buf [20]byte
	digits := strconv.AppendUint(buf[:0], x, 10)
	for n := len(digits); n < width; n++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// compareUnscaled orders two's complement bytes by value.
func compareUnscaled(a, b []byte) int {
	a, b = minimalUnscaled(a), minimalUnscaled(b)
	an, bn := a[0] >= 0x80, b[0] >= 0x80
	switch {
	case an != bn && an:
		return -1
	case an != bn:
		return 1
	case len(a) != len(b) && an:
		return cmp.Compare(len(b), len(a))
	case len(a) != len(b):
		return cmp.Compare(len(a), len(b))
	}
	return bytes.Compare(a, b)
}
