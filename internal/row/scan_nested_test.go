package row

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/fuzzbound"
)

type point struct {
	X     int8
	Label *string `db:"label"`
	Tags  []string
	Skip  int `fluss:"-"`
}

type base struct{ ID int64 }

type derived struct {
	*base
	Name string
}

func TestScanJSON(t *testing.T) {
	utc := time.Date(2024, 3, 10, 0, 30, 0, 1000, time.UTC)
	cases := []struct {
		name string
		in   string
		want any
	}{
		{"null slice", `null`, []int(nil)},
		{"null map", `null`, map[string]int(nil)},
		{"null pointer", `null`, (*point)(nil)},
		{"empty", `[]`, []int{}},
		{"ints", ` [1, -2] `, []int64{1, -2}},
		{"tiny", `[-128,127]`, []int8{-128, 127}},
		{"bytes as numbers", `[0,255]`, []uint8{0, 255}},
		{"pointers", `[1,null]`, []*int{ptr(1), nil}},
		{"sql.Null", `[1,null]`, []sql.NullInt64{{Int64: 1, Valid: true}, {}}},
		{"sql.Null[Time]", `["2024-03-10 00:30:00.000001",null]`, []sql.Null[time.Time]{{V: utc, Valid: true}, {}}},
		{"array", `[1,2]`, [2]int{1, 2}},
		{"nested", `[["a",null],[],null]`, [][]*string{{ptr("a"), nil}, {}, nil}},
		{"bools", `[true,false]`, []bool{true, false}},
		{"decimal text", `[123456789012345678901234567890.10]`, []string{"123456789012345678901234567890.10"}},
		{"json.Number", `[2.00]`, []json.Number{"2.00"}},
		{"big", `[123456789012345678901234567890]`, []big.Int{*bigOf("123456789012345678901234567890")}},
		{"null decimals", `[null]`, []decimal.NullDecimal{{}}},
		{"base64", `["AQID","",null]`, [][]byte{{1, 2, 3}, {}, nil}},
		{"fixed bytes", `["AQID"]`, [][3]byte{{1, 2, 3}}},
		{"dates", `["2024-03-10"]`, []Date{{2024, 3, 10}}},
		{"days", `["2024-03-10"]`, []time.Time{time.Date(2024, 3, 10, 0, 0, 0, 0, time.UTC)}},
		{"instants", `["2024-03-10T00:30:00.000001Z"]`, []time.Time{utc}},
		{"clocks", `["15:04:05.123"]`, []TimeOfDay{{15, 4, 5, 123e6}}},
		{"durations", `["00:00:05.500"]`, []time.Duration{5500 * time.Millisecond}},
		{"map", `{"b":1,"a":2}`, map[string]int{"a": 2, "b": 1}},
		{"map of pairs", `[[1,"a"],[2,null]]`, map[int]*string{1: ptr("a"), 2: nil}},
		{"map of days", `[["2024-03-10",true]]`, map[Date]bool{{2024, 3, 10}: true}},
		{"object keys", `{"1":"a"}`, map[int16]string{1: "a"}},
		{"struct", `{"x":-3,"label":"l","tags":["a"]}`, point{X: -3, Label: ptr("l"), Tags: []string{"a"}}},
		{"struct pointer", `{"X":1,"label":null,"tags":null}`, &point{X: 1}},
		{"structs", `[{"x":1},null]`, []*point{{X: 1}, nil}},
		{"row as map", `{"x":1,"y":"a"}`, map[string]any{"x": json.Number("1"), "y": "a"}},
		{"any", `[1.0,"a",true,null,[2],{"k":[]}]`, []any{json.Number("1.0"), "a", true, nil, []any{json.Number("2")}, map[string]any{"k": []any{}}}},

		{"out of range", `[128]`, fail[[]int8](`element 0: cannot scan "128" into int8: value out of range`)},
		{"fraction", `[1.5]`, fail[[]int](`invalid syntax`)},
		{"null int", `[1,null]`, fail[[]int](`element 1: cannot scan NULL into int; use *int or sql.Null[int]`)},
		{"bool into int", `[true]`, fail[[]int](`cannot scan true into int`)},
		{"too many", `[1,2,3]`, fail[[2]int](`more elements than [2]int has`)},
		{"too few", `[1]`, fail[[2]int](`1 elements for [2]int`)},
		{"object into slice", `{"a":1}`, fail[[]int](`cannot scan an object into []int`)},
		{"list into struct", `[1]`, fail[point](`cannot scan a list into row.point`)},
		{"list into int", `[[1]]`, fail[[]int](`cannot scan a list into int`)},
		{"unknown field", `{"z":1}`, fail[point](`row.point has no field for "z"`)},
		{"field left out", `{"Skip":1}`, fail[point](`no field for "Skip"`)},
		{"path", `{"tags":["a",null]}`, fail[point](`field tags: element 1: cannot scan NULL into string`)},
		{"value of a key", `{"k":300}`, fail[map[string]int8](`value of key k: cannot scan "300"`)},
		{"key twice", `[[1,1],[1,2]]`, fail[map[int]int](`key 1 occurs twice`)},
		{"key that is a list", `[[[1],1]]`, fail[map[any]int](`no key of a Go map`)},
		{"bad pair", `[[1]]`, fail[map[int]int](`expected a pair`)},
		{"not base64", `["?"]`, fail[[][]byte](`not standard base64`)},
		{"wrong length", `["AQ=="]`, fail[[][3]byte](`it has 1 bytes`)},
		{"not a time", `["yesterday"]`, fail[[]time.Time](`cannot scan "yesterday" into time.Time`)},
		{"nil embedded", `{"ID":1}`, fail[derived](`not exported`)},
		{"cut", `[1`, fail[[]int](`expected , or ]`)},
		{"empty text", ``, fail[[]int](`it ends too early`)},
		{"more", `[1] 2`, fail[[]int](`more text behind the value`)},
		{"no text", `yes`, fail[[]int](`not a value`)},
		{"channel", `[1]`, fail[[]chan int](`no value of that kind`)},
		{"deep", strings.Repeat("[", 100), fail[any](`nested too deep`)},
	}
	for _, c := range cases {
		f, fails := c.want.(failure)
		typ := reflect.TypeOf(c.want)
		if fails {
			typ = f.into
		}
		dest := reflect.New(typ)
		err := ScanJSON(c.in, dest.Interface())
		switch {
		case fails && (err == nil || !strings.Contains(err.Error(), f.words)):
			t.Errorf("%s: error %v, want %s", c.name, err, f.words)
		case fails && !dest.Elem().IsZero():
			t.Errorf("%s: half of the value is left behind: %v", c.name, dest.Elem())
		case !fails && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case !fails && !reflect.DeepEqual(dest.Elem().Interface(), c.want):
			t.Errorf("%s: got %#v, want %#v", c.name, dest.Elem(), c.want)
		}
	}
	t.Logf("%d cases", len(cases))
}

type failure struct {
	into  reflect.Type
	words string
}

func fail[T any](words string) failure { return failure{reflect.TypeFor[T](), words} }

func bigOf(s string) *big.Int {
	x, _ := new(big.Int).SetString(s, 10)
	return x
}

func TestScanJSONNumbers(t *testing.T) {
	var f []float64
	if err := ScanJSON(`["NaN","-Infinity",0.1]`, &f); err != nil || !math.IsNaN(f[0]) || !math.IsInf(f[1], -1) || f[2] != 0.1 {
		t.Errorf("%v, %v", f, err)
	}
	var d []decimal.Decimal
	if err := ScanJSON(`[123456789012345678901234567890.10]`, &d); err != nil || fmt.Sprint(d[0].StringFixed(2)) != "123456789012345678901234567890.10" {
		t.Errorf("%v, %v", d, err)
	}
	var b []bool
	if err := ScanJSON(`[2]`, &b); err == nil {
		t.Error("2 is a bool")
	}
}

// FuzzScanJSON: no text makes it panic or take much memory, and what it reads it reads again.
func FuzzScanJSON(f *testing.F) {
	for _, s := range []string{`[1,"a",null]`, `{"k":[[1,2]],"x":1}`, `[[[1],2]]`, `["AQID"]`, `{"x":1,"label":"l","tags":[]}`, `[`} {
		f.Add(s)
	}
	fuzzbound.Fuzz(f, func(t *testing.T, s string) {
		for _, dest := range []any{new(any), new([]any), new(map[any]any), new([]*point), new(map[string][]time.Time), new([][3]byte), new([]decimal.Decimal)} {
			var err error
			fuzzbound.CheckTree(t, len(s), func() { err = ScanJSON(s, dest) })
			if err != nil {
				continue
			}
			if err := ScanJSON(s, dest); err != nil {
				t.Errorf("%q into %T: %v the second time", s, dest, err)
			}
		}
	})
}
