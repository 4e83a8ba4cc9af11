package row

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

// Texts, Decimals and Rats of random numbers give what math/big computes, for every precision and scale.
func TestDecimalRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	refused := 0
	const n = 20000
	for range n {
		p := 1 + rnd.IntN(38)
		typ := tDecimal(p, rnd.IntN(p+1))
		digits := make([]byte, 1+rnd.IntN(40))
		for i := range digits {
			digits[i] = "0123456789000009999955555"[rnd.IntN(25)]
		}
		point := rnd.IntN(len(digits) + 1)
		text := string(digits[:point]) + "." + string(digits[point:])
		if rnd.IntN(2) == 0 {
			text = "-" + text
		}
		exact, ok := new(big.Rat).SetString(text)
		if !ok {
			continue
		}
		o := &BindOptions{RoundDecimal: rnd.IntN(2) == 0}
		want, ok := wantDecimal(exact, typ.Precision, typ.Scale, o.RoundDecimal)
		if !ok {
			refused++
		}
		for _, in := range []any{text, exact, decimal.RequireFromString(text)} {
			var d Datum
			err := Bind(&d, typ, in, o)
			if (err == nil) != ok {
				t.Fatalf("%v as %v, round %v: got %s, error %v, want %s", in, typ, o.RoundDecimal, Text(nil, &d, typ, nil), err, want)
			}
			if got := string(Text(nil, &d, typ, nil)); ok && got != want {
				t.Fatalf("%v as %v, round %v: got %s, want %s", in, typ, o.RoundDecimal, got, want)
			}
		}
	}
	if refused < n/10 || refused > n*9/10 {
		t.Errorf("%d of %d refused: the test is lopsided", refused, n)
	}
}

// wantDecimal is the text of a DECIMAL(p,s) by way of big.Rat, which rounds half away from zero.
func wantDecimal(x *big.Rat, p, s int, round bool) (string, bool) {
	text := x.FloatString(s)
	back, _ := new(big.Rat).SetString(text)
	if back.Cmp(x) != 0 && !round {
		return "surplus digits", false
	}
	if back.Sign() == 0 {
		text = strings.TrimPrefix(text, "-")
	}
	limit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p-s)), nil))
	return text, new(big.Rat).Abs(back).Cmp(limit) < 0
}

// The bytes of a wide DECIMAL are those of BigInteger.toByteArray.
func TestUnscaled(t *testing.T) {
	for text, want := range map[string]string{
		"0": "\x00", "1": "\x01", "127": "\x7f", "128": "\x00\x80", "255": "\x00\xff", "-1": "\xff", "-128": "\x80", "-129": "\xff\x7f",
		"18446744073709551616":  "\x01\x00\x00\x00\x00\x00\x00\x00\x00",
		"-18446744073709551616": "\xff\x00\x00\x00\x00\x00\x00\x00\x00",
	} {
		var d Datum
		if err := Bind(&d, tDecimal(38, 0), text, nil); err != nil || string(d.B) != want {
			t.Errorf("%s: got %x, error %v, want %x", text, d.B, err, want)
		}
		if m, neg, ok := parseUnscaled(append([]byte{byte(0 - d.B[0]>>7)}, d.B...)); !ok || string(appendUnscaled(nil, m, neg)) != want {
			t.Errorf("%s: came back as %v %v", text, m, neg)
		}
	}
}

// A Decimal may have any exponent and any coefficient.
func TestDecimalExtremes(t *testing.T) {
	for _, c := range []struct {
		in   decimal.Decimal
		want string
	}{
		{decimal.New(0, 1<<31-1), "0.00"},
		{decimal.New(0, -1<<31), "0.00"},
		{decimal.New(1<<63-1, -18), "!fraction digits"},
		{decimal.New(-1<<63, 0), "-9223372036854775808.00"},
		{decimal.New(-1<<63, 18), "!more than 36 digits"},
		{decimal.New(1, 35), "1" + strings.Repeat("0", 35) + ".00"},
		{decimal.New(1, 36), "!more than 36 digits"},
		{decimal.NewFromBigInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(1000), nil), -1000), "1.00"},
		{decimal.NewFromBigInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(1000), nil), 0), "!more than 36 digits"},
	} {
		checkBind(t, tDecimal(38, 2), c.in, nil, c.want)
	}
}

func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"0", "-1.5", "1e5", "99999999999999999999999999999999999999", ".5", "1e-40", "12345678901234567890.5e3"} {
		f.Add(s, uint8(38), uint8(2), true)
	}
	// Properties: no panic; little memory; what is accepted is what math/big reads; the text of it reads back the same.
	fuzzbound.Fuzz(f, func(t *testing.T, s string, p, scale uint8, round bool) {
		typ := tDecimal(int(p%38)+1, 0)
		typ.Scale = int(scale) % (typ.Precision + 1)
		var d, back Datum
		var err error
		fuzzbound.Check(t, len(s), func() { err = Bind(&d, typ, s, &BindOptions{RoundDecimal: round}) })
		if err != nil {
			var be *BindError
			if !errors.As(err, &be) {
				t.Fatalf("%q: got %T", s, err)
			}
			return
		}
		text := string(Text(nil, &d, typ, nil))
		if err := Bind(&back, typ, text, nil); err != nil || Compare(&d, &back, typ) != 0 {
			t.Fatalf("%q: %s came back as %s, error %v", s, text, Text(nil, &back, typ, nil), err)
		}
		if n, ok := scanNumber(s); !ok || n.point > 100 || n.point < -100 {
			return
		}
		exact, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("math/big does not read %q", s)
		}
		if want, ok := wantDecimal(exact, typ.Precision, typ.Scale, round); !ok || want != text {
			t.Fatalf("%q as %v: got %s, want %s", s, typ, text, want)
		}
	})
}
