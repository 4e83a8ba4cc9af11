package row

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// appendJavaFloat writes f, of 32 or 64 bits, as Float.toString and Double.toString do up to Java 18: with an
// exponent below 1e-3 and from 1e7 on, and with at least one digit on both sides of the point. A partition has its
// name from the client that writes into it, and Fluss runs on Java 8 to 17, whose digits are not always the fewest
// that read back: 1.23456792E8 and 1.17549435E-38 for floats that 1.2345679E8 and 1.1754944E-38 would do for.
func appendJavaFloat(dst []byte, f float64, size int) []byte {
	if math.Signbit(f) {
		dst, f = append(dst, '-'), -f
	}
	if f == 0 {
		return append(dst, "0.0"...)
	}
	digits, point := javaDigits(f, size)
	switch {
	case point > 0 && point < 8:
		for len(digits) <= point {
			digits = append(digits, '0')
		}
		dst = append(append(dst, digits[:point]...), '.')
		return append(dst, digits[point:]...)
	case point <= 0 && point > -3:
		dst = append(dst, "0.00"[:2-point]...)
		return append(dst, digits...)
	}
	if len(digits) == 1 {
		digits = append(digits, '0')
	}
	dst = append(dst, digits[0], '.')
	dst = append(append(dst, digits[1:]...), 'E')
	return strconv.AppendInt(dst, int64(point-1), 10)
}

// javaBinary is f > 0 taken apart: 1.xxx * 2^exponent with the bits of 1.xxx in fraction.
type javaBinary struct {
	fraction    uint64 // the highest bit is bit 52
	exponent    int
	significant int // bits that the format has for this number, fewer for denormals
}

func takeApart(f float64, size int) javaBinary {
	significant, lowest := 53, -1074
	if size == 32 {
		significant, lowest = 24, -149
	}
	frac, exp := math.Frexp(f) // 0.5 <= frac < 1
	return javaBinary{
		fraction:    uint64(math.Ldexp(frac, 53)),
		exponent:    exp - 1,
		significant: min(significant, exp-lowest),
	}
}

// javaDigits returns the decimal digits of f and where the point stands: 0.ddd * 10^point.
func javaDigits(f float64, size int) (digits []byte, point int) {
	v := takeApart(f, size)
	used := 53 - bits.TrailingZeros64(v.fraction)
	if tiny := used - v.exponent - 1; tiny <= 0 && v.exponent <= 62 {
		return v.wholeDigits()
	}
	power := v.estimatePower()
	return generate(v.split(used, power), power)
}

// split writes the number as b/s * 10^power, where b/s has one digit before the point, or none when power is too
// large by one, and m as half of the distance to the next number, or to the nearer one at a power of 2.
func (v javaBinary) split(used, power int) remainder {
	b2, s2, m2 := v.exponent-used+1, power, v.exponent-v.significant
	b5, s5 := 0, power
	if power < 0 {
		b2, m2, b5, s2, s5 = b2-power, m2-power, -power, 0, 0
	}
	if used == 1 {
		m2--
	}
	low := min(b2, s2, m2)
	b2, s2, m2 = b2-low, s2-low, m2-low
	b := fiveTwo(b5, b2)
	b.Mul(b, new(big.Int).SetUint64(v.fraction>>(53-used)))
	s, m := fiveTwo(s5, s2), fiveTwo(b5, m2)
	width := max(used+b2+fiveBits(b5), s2+1+fiveBits(s5+1))
	switch {
	case width < 32:
		return &smallRemainder[int32]{b: int32(b.Int64()), s: int32(s.Int64()), m: int32(m.Int64())}
	case width < 64:
		return &smallRemainder[int64]{b: b.Int64(), s: s.Int64(), m: m.Int64()}
	}
	return &bigRemainder{b: b, s: s, m: m, tens: new(big.Int).Mul(s, bigTen), tmp: new(big.Int)}
}

// fiveTwo is 5^fives * 2^twos.
func fiveTwo(fives, twos int) *big.Int {
	v := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(fives)), nil)
	return v.Lsh(v, uint(twos))
}

// fiveBits is the length of 5^n in bits, or more where it no longer matters.
func fiveBits(n int) int {
	if n > 26 {
		return 3 * n
	}
	return fiveTwo(n, 0).BitLen()
}

// wholeDigits is for whole numbers that an int64 holds. Digits that the format cannot tell are rounded away.
func (v javaBinary) wholeDigits() (digits []byte, point int) {
	n := v.fraction >> max(52-v.exponent, 0) << max(v.exponent-52, 0)
	if extra := v.exponent - v.significant - 1; extra > 1 {
		unit := uint64(1)
		for limit := uint64(1) << extra; unit*10 <= limit; {
			unit *= 10
		}
		if rest := n % unit; unit > 1 && rest >= unit/2 {
			n += unit
		}
		n -= n % unit
	}
	digits = strconv.AppendUint(nil, n, 10)
	point = len(digits)
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits, point
}

// estimatePower returns the power of ten below the number, or one more.
func (v javaBinary) estimatePower() int {
	mantissa := math.Ldexp(float64(v.fraction), -52)
	return int(math.Floor((mantissa-1.5)*0.289529654 + 0.176091259 + float64(v.exponent)*0.301029995663981))
}

// remainder makes the digits of b/s one by one. m is how far the digits may be off.
type remainder interface {
	// step returns the next digit, whether what remains is less than m, and whether it is within m of the next digit.
	step() (digit byte, low, high bool)
	// half compares what remains with half a digit.
	half() int
}

// generate makes digits until they are close enough.
func generate(r remainder, power int) (digits []byte, point int) {
	d, low, high := r.step()
	if d == 0 && !high {
		power--
	} else {
		digits = append(digits, '0'+d)
	}
	if power < -3 || power >= 8 { // a number with an exponent has two digits at least
		low, high = false, false
	}
	for !low && !high {
		d, low, high = r.step()
		digits = append(digits, '0'+d)
	}
	if high {
		c := 1
		if low {
			c = r.half()
		}
		if c > 0 || c == 0 && digits[len(digits)-1]&1 != 0 {
			digits, power = roundUp(digits, power)
		}
	}
	return digits, power + 1
}

// smallRemainder counts in the 32 or 64 bits of Java, which wrap around.
type smallRemainder[T int32 | int64] struct {
	b, s, m T
	steps   int
}

func (r *smallRemainder[T]) step() (digit byte, low, high bool) {
	digit = byte(r.b / r.s)
	r.b, r.m = r.b%r.s*10, r.m*10
	if r.steps++; r.steps > 1 && r.m <= 0 {
		return digit, true, true
	}
	return digit, r.b < r.m, r.b+r.m > r.s*10
}

func (r *smallRemainder[T]) half() int {
	d := r.b<<1 - r.s*10
	switch {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

// bigRemainder counts in big numbers. Here a remainder that reaches the next digit exactly is close enough.
type bigRemainder struct{ b, s, m, tens, tmp *big.Int }

func (r *bigRemainder) step() (digit byte, low, high bool) {
	r.tmp.QuoRem(r.b, r.s, r.b)
	digit = byte(r.tmp.Uint64())
	r.b.Mul(r.b, bigTen)
	r.m.Mul(r.m, bigTen)
	return digit, r.b.Cmp(r.m) < 0, r.tmp.Add(r.b, r.m).Cmp(r.tens) >= 0
}

func (r *bigRemainder) half() int { return r.tmp.Lsh(r.b, 1).Cmp(r.tens) }

var bigTen = big.NewInt(10)

func roundUp(digits []byte, power int) ([]byte, int) {
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] != '9' {
			digits[i]++
			return digits, power
		}
		digits[i] = '0'
	}
	digits[0] = '1'
	return digits, power + 1
}
