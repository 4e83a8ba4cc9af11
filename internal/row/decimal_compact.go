package row

import (
	"math/bits"
	"slices"
)

// pairs are the texts of 00 to 99.
const pairs = "00010203040506070809" +
	"10111213141516171819" +
	"20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" +
	"50515253545556575859" +
	"60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" +
	"90919293949596979899"

// AppendCompact appends an unscaled value with a decimal point in front of the last scale digits, each of which is there.
// Most rows have a DECIMAL, so it is written once, from its end, where it stays.
func AppendCompact(dst []byte, unscaled int64, scale int) []byte {
	x := uint64(unscaled)
	if unscaled < 0 {
		dst = append(dst, '-')
		x = -x
	}
	digits := max(digitsOf(x), scale+1)
	size := digits
	if scale > 0 {
		size++ // the point
	}
	at := len(dst)
	dst = slices.Grow(dst, size)[:at+size]
	b := dst[at:]
	if scale > 0 {
		x = putDigits(b[size-scale:], x)
		b[size-scale-1] = '.'
		b = b[:size-scale-1]
	}
	putDigits(b, x)
	return dst
}

// putDigits fills b with the last digits of x, and returns what is in front of them.
func putDigits(b []byte, x uint64) uint64 {
	i := len(b)
	for ; i >= 2; i -= 2 {
		p := x % 100 * 2
		x /= 100
		b[i-1] = pairs[p+1]
		b[i-2] = pairs[p]
	}
	if i == 1 {
		b[0] = byte('0' + x%10)
		x /= 10
	}
	return x
}

// digitsOf is the number of decimal digits of x, 1 for 0.
func digitsOf(x uint64) int {
	x |= 1
	n := bits.Len64(x) * 1233 >> 12 // log10(2) is 1233/4096, nearly: at most one too few
	if x >= pow10[n] {
		n++
	}
	return n
}
