package row

// scanned is the shape of a number's text: where its digits are and where the decimal point belongs.
type scanned struct {
	neg        bool
	start, end int   // the digits, perhaps with a point among them
	digits     int   // how many digits
	point      int64 // how many of them stand before the decimal point; may be negative or beyond the digits
}

// scanNumber checks the syntax of a number.
func scanNumber(s string) (n scanned, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		n.neg = s[i] == '-'
		i++
	}
	n.start, n.point = i, -1
	for ; i < len(s); i++ {
		if c := s[i]; c >= '0' && c <= '9' {
			n.digits++
		} else if c == '.' && n.point < 0 {
			n.point = int64(n.digits)
		} else {
			break
		}
	}
	if n.end = i; n.point < 0 {
		n.point = int64(n.digits)
	}
	if n.digits == 0 {
		return n, false
	}
	if i == len(s) {
		return n, true
	}
	exp, ok := scanExponent(s[i:])
	n.point += exp
	return n, ok
}

// scanExponent reads e[sign]digits. Exponents beyond all use are cut to 2^40.
func scanExponent(s string) (exp int64, ok bool) {
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	neg := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	if len(s) == 0 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		exp = min(exp*10+int64(s[i]-'0'), 1<<40)
	}
	if neg {
		exp = -exp
	}
	return exp, true
}

// parseDecimal reads a number's text as an unscaled magnitude at the given scale. Errors are errNotNumber,
// errSurplus (a nonzero digit beyond the scale, unless round is set: then half up, away from zero) and
// errTooManyInts (more than 38 digits).
func parseDecimal(s string, scale int, round bool) (m u128, neg bool, err error) {
	n, ok := scanNumber(s)
	if !ok {
		return u128{}, false, errNotNumber
	}
	keep := n.point + int64(scale) // digits that count, from the first
	var head, tail uint64          // the first 19 significant digits, and the next 19
	var nhead, ntail int
	var up, surplus bool
	var at int64
	for i := n.start; i < n.end; i++ {
		c := s[i]
		if c == '.' {
			continue
		}
		x := uint64(c - '0')
		switch {
		case at >= keep:
			up = up || at == keep && x >= 5
			surplus = surplus || x != 0
		case nhead < 19:
			if head = head*10 + x; head != 0 {
				nhead++
			}
		case ntail < 19:
			tail = tail*10 + x
			ntail++
		default:
			return u128{}, false, errTooManyInts
		}
		at++
	}
	if surplus && !round {
		return u128{}, false, errSurplus
	}
	m, _ = u128{lo: head}.times(pow10[ntail])
	m = m.plus(tail)
	if pad := keep - at; pad > 0 {
		if m, ok = m.shifted(int(min(pad, maxDecimalDigits+1))); !ok {
			return u128{}, false, errTooManyInts
		}
	}
	if up {
		m = m.plus(1)
	}
	return m, n.neg && !m.isZero(), nil
}
