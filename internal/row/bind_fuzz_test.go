package row

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/fuzzbound"
)

// randomType makes a type of up to depth levels.
func randomType(rnd *rand.Rand, depth int) *catalog.Type {
	kinds := 19
	if depth == 0 {
		kinds = 16
	}
	t := &catalog.Type{Kind: catalog.Kind(1 + rnd.IntN(kinds)), NotNull: rnd.IntN(4) == 0}
	switch t.Kind {
	case catalog.Char, catalog.Binary:
		t.Length = 1 + rnd.IntN(8)
	case catalog.Decimal:
		t.Precision = 1 + rnd.IntN(38)
		t.Scale = rnd.IntN(t.Precision + 1)
	case catalog.Time, catalog.Timestamp, catalog.TimestampLTZ:
		t.Precision = rnd.IntN(10)
	case catalog.Array:
		t.Elem = randomType(rnd, depth-1)
	case catalog.Map:
		t.Key, t.Elem = notNull(randomType(rnd, depth-1)), randomType(rnd, depth-1)
	case catalog.Row:
		for i := range rnd.IntN(4) {
			t.Fields = append(t.Fields, catalog.Field{Name: string(rune('a'+i)) + `"ä`, Type: *randomType(rnd, depth-1)})
		}
	}
	return t
}

// randomDatum makes a value that Bind would accept.
func randomDatum(rnd *rand.Rand, t *catalog.Type) (d Datum) {
	if !t.NotNull && rnd.IntN(5) == 0 {
		return Datum{Null: true}
	}
	switch t.Kind {
	case catalog.Boolean:
		d.I = int64(rnd.IntN(2))
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		bits := intBits(t.Kind)
		d.I = int64(rnd.Uint64()) << (64 - bits) >> (64 - bits)
	case catalog.Float:
		bits := rnd.Uint32()
		if math.IsNaN(float64(math.Float32frombits(bits))) {
			bits = math.Float32bits(float32(math.NaN()))
		}
		d.I = int64(bits)
	case catalog.Double:
		d.I = int64(rnd.Uint64())
	case catalog.Char, catalog.String:
		s := []rune{}
		for range rnd.IntN(max(t.Length, 4) + 1) {
			s = append(s, []rune("a\"\\\x00\n\u2028ä世😀")[rnd.IntN(9)])
		}
		if t.Kind == catalog.Char && len(s) > t.Length {
			s = s[:t.Length]
		}
		d.B = []byte(string(s))
	case catalog.Binary, catalog.Bytes:
		d.B = make([]byte, rnd.IntN(max(t.Length, 1)+1))
		for i := range d.B {
			d.B[i] = byte(rnd.Uint32())
		}
	case catalog.Decimal:
		m, neg := u128{lo: rnd.Uint64() >> rnd.IntN(64)}, rnd.IntN(2) == 0
		if rnd.IntN(2) == 0 {
			m.hi = rnd.Uint64() >> rnd.IntN(64)
		}
		if setDecimal(&d, t, m, neg && !m.isZero()) != nil {
			setDecimal(&d, t, u128{}, false)
		}
	case catalog.Date:
		setDay(&d, minSecond/secondsPerDay+rnd.Int64N((maxSecond-minSecond)/secondsPerDay))
	case catalog.Time:
		setClock(&d, t, rnd.Int64N(secondsPerDay), rnd.Int64N(1e9), false, truncating)
	case catalog.Timestamp, catalog.TimestampLTZ:
		setStamp(&d, t, minSecond+rnd.Int64N(maxSecond-minSecond), rnd.Int64N(1e9), false, truncating)
	case catalog.Array:
		for range rnd.IntN(4) {
			d.L = append(d.L, randomDatum(rnd, t.Elem))
		}
	case catalog.Map:
		for range rnd.IntN(4) {
			d.L = append(d.L, randomDatum(rnd, t.Key), randomDatum(rnd, t.Elem))
			if CheckMap(&d, t) != nil {
				d.L = d.L[:len(d.L)-2]
			}
		}
	case catalog.Row:
		for i := range t.Fields {
			d.L = append(d.L, randomDatum(rnd, &t.Fields[i].Type))
		}
	}
	return d
}

// equalParts is Compare with NULLs, and exact where Compare is not: -0 is not 0.
func equalParts(a, b *Datum, t *catalog.Type) bool {
	if a.Null || b.Null {
		return a.Null == b.Null
	}
	switch {
	case t.IsNested():
		if len(a.L) != len(b.L) {
			return false
		}
		for i := range a.L {
			if !equalParts(&a.L[i], &b.L[i], partType(t, i)) {
				return false
			}
		}
		return true
	case t.Kind == catalog.Double && math.IsNaN(math.Float64frombits(uint64(a.I))):
		return math.IsNaN(math.Float64frombits(uint64(b.I)))
	}
	return a.I == b.I && a.N == b.N && string(a.B) == string(b.B)
}

// Values of random types leave as JSON and as what Rows.Next gives, and come back bit by bit.
func TestRoundTripRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	locations := []*time.Location{nil, berlin, paris, east, west}
	nested := 0
	const n = 20000
	for range n {
		typ := randomType(rnd, 3)
		d := randomDatum(rnd, typ)
		loc := locations[rnd.IntN(len(locations))]
		var back Datum
		v := Value(&d, typ, loc)
		if err := Bind(&back, typ, v, nil); err != nil || !equalParts(&d, &back, typ) {
			t.Fatalf("%v: %v came back as %s, error %v", typ, v, Text(nil, &back, typ, nil), err)
		}
		array := tArray(typ)
		text := AppendJSON(nil, &Datum{L: []Datum{d}}, array, loc)
		if !json.Valid(text) {
			t.Fatalf("%v: %s is not JSON", typ, text)
		}
		if err := Bind(&back, array, text, nil); err != nil || !equalParts(&d, &back.L[0], typ) {
			t.Fatalf("%v: %s came back as %s, error %v", typ, text, Text(nil, &back, array, nil), err)
		}
		if typ.IsNested() {
			nested++
		}
	}
	t.Logf("%d values, %d of them nested", n, nested)
}

// Every Go value against every type: no panic, and an error is a BindError.
func TestBindEverything(t *testing.T) {
	type pair struct {
		A any
		B *int
	}
	values := []any{nil, true, int8(-1), uint64(math.MaxUint64), float32(1.5), math.NaN(), math.Inf(1), "", "x", "[]", "{}",
		"2024-03-10", "15:04:05", []byte(nil), []byte{}, time.Time{}, time.Unix(1<<62, 0), time.Hour, decimal.Decimal{},
		decimal.New(1, math.MaxInt32), decimal.New(1, math.MinInt32), big.NewInt(0), big.NewRat(1, 3), (*big.Rat)(nil), json.Number("1"), json.RawMessage("[1]"),
		Date{}, Date{Year: 1 << 40}, TimeOfDay{}, TimeOfDay{Hour: -1 << 62}, []int{1}, []any{nil}, [3]int{}, [0]byte{}, map[string]int{"a": 1}, map[any]any{nil: nil},
		map[pair]int{{}: 1}, pair{}, &pair{}, struct{}{}, (*pair)(nil), new(any), func() {}, make(chan int), 1i, valuer{make(chan int)}, (*valuer)(nil), failing{}, [][]any{{1}}}
	types := []*catalog.Type{tMap(tArray(tInt), tInt), tRow(), tArray(tRow("a", tMap(tString, tLTZ(3)))), tDecimal(0, 0), tDecimal(99, -5), tTime(-1), tStamp(99), {}}
	for _, c := range everyType {
		types = append(types, c.t, notNull(c.t))
	}
	n := 0
	for _, typ := range types {
		for _, v := range values {
			n++
			var d Datum
			var be *BindError
			err := Bind(&d, typ, v, inBerlin)
			if err != nil && !errors.As(err, &be) {
				t.Errorf("%v as %v: got %T", summary(v), typ, err)
			}
			if err == nil {
				Text(nil, &d, typ, berlin)
				Value(&d, typ, berlin)
			}
		}
	}
	t.Logf("%d pairs", n)
}

// fuzzType makes the same type of the same seed.
func fuzzType(seed uint64) *catalog.Type { return randomType(rand.New(rand.NewPCG(seed, 0)), 3) }

// Properties: no panic; memory in proportion to the text; an error is a *BindError; what is accepted leaves as JSON and text and comes back the same.
func FuzzBindText(f *testing.F) {
	for i := range uint64(64) {
		typ := fuzzType(i)
		d := randomDatum(rand.New(rand.NewPCG(i, 1)), typ)
		f.Add(i, uint8(LiteralString), string(Text(nil, &d, typ, nil)))
	}
	f.Add(uint64(1), uint8(LiteralNumber), "1.5e3")
	f.Add(uint64(2), uint8(LiteralTimestamp), "2024-03-10 00:30:00.5+02:00")
	fuzzbound.Fuzz(f, func(t *testing.T, seed uint64, kind uint8, text string) {
		typ := fuzzType(seed)
		var d, back Datum
		var err error
		fuzzbound.CheckTree(t, len(text), func() { err = BindText(&d, typ, LiteralKind(kind), text, nil) })
		if err != nil {
			if _, ok := err.(*BindError); !ok {
				t.Fatalf("%q as %v: got %T", text, typ, err)
			}
			_ = err.Error()
			return
		}
		Value(&d, typ, east)
		array := tArray(typ)
		out := AppendJSON(nil, &Datum{L: []Datum{d}}, array, east)
		if err := Bind(&back, array, out, nil); err != nil || !equalParts(&d, &back.L[0], typ) {
			t.Fatalf("%q as %v: %s came back as %s, error %v", text, typ, out, Text(nil, &back, array, nil), err)
		}
	})
}

// Properties: no panic on whatever another client stored in a row.
func FuzzValue(f *testing.F) {
	f.Add(uint64(0), int64(math.MinInt64), int32(-1), []byte("\x80\xff"))
	f.Add(uint64(1), int64(math.MaxInt64), int32(math.MaxInt32), []byte(nil))
	fuzzbound.Fuzz(f, func(t *testing.T, seed uint64, i int64, n int32, b []byte) {
		typ := fuzzType(seed)
		d := foreign(typ, Datum{I: i, N: n, B: b})
		for _, loc := range []*time.Location{nil, berlin, west} {
			Value(&d, typ, loc)
			Text(nil, &d, typ, loc)
			if text := AppendJSON(nil, &d, typ, loc); !json.Valid(text) {
				t.Fatalf("%v: %s is not JSON", typ, text)
			}
		}
		Compare(&d, &d, typ)
	})
}

// foreign puts the same scalar everywhere in a value.
func foreign(t *catalog.Type, d Datum) Datum {
	switch t.Kind {
	case catalog.Array:
		d = Datum{L: []Datum{foreign(t.Elem, d)}}
	case catalog.Map:
		d = Datum{L: []Datum{foreign(t.Key, d), foreign(t.Elem, d)}}
	case catalog.Row:
		var l []Datum
		for i := range t.Fields {
			l = append(l, foreign(&t.Fields[i].Type, d))
		}
		d = Datum{L: l}
	}
	return d
}
