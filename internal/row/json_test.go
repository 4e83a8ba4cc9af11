package row

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
)

func TestJSON(t *testing.T) {
	every := tRow("b", tBool, "i", tBig, "f", tFloat, "x", tDouble, "c", tChar3, "s", tString, "n", tBinary3, "y", tBytes,
		"d", tDecimal(38, 2), "day", tDate, "t", tTime(3), "ts", tStamp(6), "ltz", tLTZ(0))
	cases := []struct {
		name string
		t    *catalog.Type
		in   string
		want string // "" when it comes out as it went in
	}{
		{"every type", every, `{"b":true,"i":-9223372036854775808,"f":0.1,"x":1e+300,"c":"äöü","s":"a\"\\\n\u0001","n":"AQID","y":"","d":-123456789012345678901234567890.10,"day":"2024-03-10","t":"15:04:05.123","ts":"2024-03-10 00:30:00.000001","ltz":"2024-03-10T00:30:00Z"}`, ""},
		{"every null", every, `{}`, `{"b":null,"i":null,"f":null,"x":null,"c":null,"s":null,"n":null,"y":null,"d":null,"day":null,"t":null,"ts":null,"ltz":null}`},
		{"not finite", tArray(tDouble), `["NaN","Infinity","-Infinity",-0]`, ""},
		{"top null", tArray(tInt), `null`, "NULL"},
		{"top null not null", notNull(tArray(tInt)), `null`, "!it cannot be NULL"},
		{"empty array", tArray(tInt), `[]`, ""},
		{"space", tArray(tInt), " [ 1 , \n2\t] ", "[1,2]"},
		{"numbers in strings", tArray(tDecimal(5, 2)), `["1.5",2]`, "[1.50,2.00]"},
		{"surplus digits", tArray(tDecimal(5, 2)), `[1.555]`, "!element 0: cannot use \"1.555\" (JSON) as DECIMAL(5,2): it has more than 2 fraction digits"},
		{"map", tMap(tString, tBig), `{"b":1,"a":2}`, ""},
		{"map pairs", tMap(tString, tBig), `[["b",1],["a",null]]`, `{"b":1,"a":null}`},
		{"map empty key", tMap(tString, tBig), `{"":1}`, ""},
		{"map int keys", tMap(tInt, tString), `[[1,"a"],[2,null]]`, ""},
		{"map int keys as object", tMap(tInt, tString), `{"1":"a"}`, `[[1,"a"]]`},
		{"map bytes keys", tMap(tBytes, tInt), `{"AA==":1}`, `[["AA==",1]]`},
		{"map duplicate", tMap(tString, tBig), `{"a":1,"b":1,"a":2}`, `!key "a" occurs twice`},
		{"map duplicate value", tMap(tDecimal(5, 2), tBig), `[[1,1],[1.00,2]]`, `!key "1.00" occurs twice`},
		{"map null key", tMap(tString, tBig), `[[null,1]]`, `!key: cannot use "null" (JSON) as STRING NOT NULL`},
		{"map bad pair", tMap(tString, tBig), `[["a"]]`, `!expected a pair`},
		{"map long pair", tMap(tString, tBig), `[["a",1,2]]`, `!expected a pair`},
		{"map flat", tMap(tString, tBig), `["a",1]`, `!expected a pair`},
		{"row order", tRow("a", tInt, "b", tInt), `{"b":1,"a":2}`, `{"a":2,"b":1}`},
		{"row unknown", tRow("a", tInt), `{"z":1}`, `!no field "z"; there are a`},
		{"row twice", tRow("a", tInt), `{"a":1,"a":1}`, `!field "a" occurs twice`},
		{"row missing not null", tRow("a", notNull(tInt)), `{}`, `!field a is NOT NULL and missing`},
		{"row odd name", tRow(`a"b`, tInt), `{"a\"b":1}`, ""},
		{"array of rows", tArray(tRow("a", tInt)), `[{"a":1},null,{"a":null}]`, ""},
		{"array of arrays", tArray(tArray(tString)), `[["a",null],[],null]`, ""},
		{"path", tArray(tRow("a", tMap(tString, tTiny))), `[{"a":{"k":1}},{"a":{"k":300}}]`, `!element 1, field a, value of key "k": cannot use "300" (JSON) as TINYINT: out of range, -128 to 127`},
		{"unicode", tArray(tString), `["\u00e9\ud83d\ude00\u0000\/"]`, `["é😀\u0000/"]`},
		{"escapes", tArray(tString), `["\b\f\n\r\t"]`, `["\u0008\u000c\n\r\t"]`},
		{"bad hex", tArray(tString), `["\u00g0"]`, "!not an escape"},
		{"half escape", tArray(tString), `["\`, "!not an escape"},
		{"half surrogate", tArray(tString), `["\ud83d"]`, "!not an escape"},
		{"other half surrogate", tArray(tString), `["\ude00"]`, "!not an escape"},
		{"bad escape", tArray(tString), `["\x"]`, "!not an escape"},
		{"bad utf8", tArray(tString), "[\"\xff\"]", "!not valid UTF-8"},
		{"raw newline", tArray(tString), "[\"\n\"]", "!control character"},
		{"not base64", tArray(tBytes), `["?"]`, "!not standard base64"},
		{"number in string column", tArray(tString), `[5]`, "!it takes a string"},
		{"leading zero", tArray(tInt), `[01]`, "!expected , or ]"},
		{"plus", tArray(tInt), `[+1]`, "!not a value"},
		{"bare point", tArray(tInt), `[1.]`, "!not a number"},
		{"minus", tArray(tInt), `[-]`, "!not a number"},
		{"trailing comma", tArray(tInt), `[1,]`, "!not a value"},
		{"trailing text", tArray(tInt), `[1]x`, "!more text behind the value"},
		{"no end", tArray(tInt), `[1`, "!expected , or ]"},
		{"no value", tArray(tInt), `[`, "!it ends too early"},
		{"no string end", tArray(tString), `["a`, "!string without an end"},
		{"empty", tArray(tInt), ``, "!not its JSON: byte 0: expected ["},
		{"object for array", tArray(tInt), `{}`, "!expected ["},
		{"array for scalar", tArray(tInt), `[[1]]`, "!expected a INT"},
		{"array for row", tRow("a", tInt), `[1]`, "!expected {"},
		{"bare name", tRow("a", tInt), `{a:1}`, "!expected a name"},
		{"no colon", tRow("a", tInt), `{"a" 1}`, "!expected :"},
		{"word", tArray(tInt), `[nul]`, "!not a value"},
		{"boolean for int", tArray(tInt), `[true]`, `!cannot use "true" (JSON) as INT: it takes an integer`},
		{"deep text", tArray(tInt), strings.Repeat("[", 100000), "!expected a INT"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var d Datum
			err := Bind(&d, c.t, c.in, nil)
			want := c.want
			if want == "" {
				want = c.in
			}
			checkBound(t, &d, c.t, nil, err, want)
			if err == nil && !d.Null && !json.Valid(AppendJSON(nil, &d, c.t, nil)) {
				t.Fatalf("%s is not JSON", AppendJSON(nil, &d, c.t, nil))
			}
		})
	}
	t.Logf("%d cases", len(cases))
}

// A type that nests too deep is refused and not followed.
func TestJSONDepth(t *testing.T) {
	typ := tInt
	for range 100 {
		typ = tArray(typ)
	}
	var d Datum
	err := Bind(&d, typ, strings.Repeat("[", 100)+strings.Repeat("]", 100), nil)
	checkBound(t, &d, typ, nil, err, "!nested too deep")
}

// NULL, empty and NULL inside are three things.
func TestNestedNulls(t *testing.T) {
	for _, typ := range []*catalog.Type{tArray(tInt), tMap(tInt, tInt)} {
		var null, empty, inside Datum
		for d, text := range map[*Datum]string{&null: "null", &empty: "[]", &inside: "[[1,null]]"} {
			if typ.Kind == catalog.Array && d == &inside {
				text = "[null]"
			}
			if err := Bind(d, typ, text, nil); err != nil {
				t.Fatal(err)
			}
		}
		got := fmt.Sprintf("%v %v %v", Value(&null, typ, nil), Value(&empty, typ, nil), Value(&inside, typ, nil))
		want := map[catalog.Kind]string{catalog.Array: "<nil> [] [null]", catalog.Map: "<nil> [] [[1,null]]"}[typ.Kind]
		if got != want {
			t.Errorf("%v: got %s, want %s", typ, got, want)
		}
	}
}

// Foreign bytes that are not UTF-8 still give valid JSON.
func TestJSONForeign(t *testing.T) {
	d := Datum{L: []Datum{{B: []byte("a\xffb\xe2\x80")}, {Null: true}}}
	if got, want := string(AppendJSON(nil, &d, tArray(tString), nil)), "[\"a\ufffdb\ufffd\ufffd\",null]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d = Datum{L: []Datum{{Null: true}, {I: 1}}}
	if got, want := string(AppendJSON(nil, &d, tMap(tString, tInt), nil)), `[[null,1]]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
