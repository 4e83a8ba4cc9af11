// Package rowtest reads and writes the text form of values in the golden fixtures, for tests alone.
//
// A row is a JSON array with one element per column:
//
//	any NULL                  null
//	BOOLEAN                   "true", "false"
//	TINYINT .. BIGINT         "-12"
//	FLOAT, DOUBLE             the IEEE bits, "0x" and 8 or 16 hex digits
//	CHAR, STRING              the text
//	BINARY, BYTES             hex
//	DECIMAL                   "-1.20", always with Scale fraction digits
//	DATE, TIME                days since 1970-01-01, milliseconds of the day
//	TIMESTAMP, TIMESTAMP_LTZ  "millis,nanosOfMilli"
//	ARRAY, ROW                array
//	MAP                       array of [key, value]
package rowtest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// ParseRow reads a row of those types.
func ParseRow(types []*catalog.Type, raw json.RawMessage) ([]row.Datum, error) {
	var values []json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return nil, err
	}
	if len(values) != len(types) {
		return nil, fmt.Errorf("%d values for %d columns", len(values), len(types))
	}
	data := make([]row.Datum, len(types))
	for i, t := range types {
		var err error
		if data[i], err = ParseDatum(t, values[i]); err != nil {
			return nil, fmt.Errorf("column %d, %s: %w", i, t, err)
		}
	}
	return data, nil
}

// ParseDatum reads one value. The object {"java_error": ...} that stands in place of some is an error.
func ParseDatum(t *catalog.Type, raw json.RawMessage) (row.Datum, error) {
	if string(raw) == "null" {
		return row.Datum{Null: true}, nil
	}
	if t.IsNested() {
		return parseNested(t, raw)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return row.Datum{}, err
	}
	return parseScalar(t, text)
}

func parseScalar(t *catalog.Type, text string) (d row.Datum, err error) {
	switch t.Kind {
	case catalog.Boolean:
		var v bool
		if v, err = strconv.ParseBool(text); v {
			d.I = 1
		}
	case catalog.Float:
		var v uint64
		v, err = strconv.ParseUint(text, 0, 32)
		d.I = int64(v)
	case catalog.Double:
		var v uint64
		v, err = strconv.ParseUint(text, 0, 64)
		d.I = int64(v)
	case catalog.Char, catalog.String:
		d.B = []byte(text)
	case catalog.Binary, catalog.Bytes:
		d.B, err = hex.DecodeString(text)
	case catalog.Decimal:
		return parseDecimal(t, text)
	case catalog.Timestamp, catalog.TimestampLTZ:
		millis, nanos, _ := strings.Cut(text, ",")
		if d.I, err = strconv.ParseInt(millis, 10, 64); err == nil {
			var n int64
			n, err = strconv.ParseInt(nanos, 10, 32)
			d.N = int32(n)
		}
	default:
		d.I, err = strconv.ParseInt(text, 10, 64)
	}
	return d, err
}

func parseDecimal(t *catalog.Type, text string) (row.Datum, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	v, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok || len(fraction) != t.Scale {
		return row.Datum{}, fmt.Errorf("%q is no DECIMAL of scale %d", text, t.Scale)
	}
	if t.IsCompactDecimal() {
		return row.Datum{I: v.Int64()}, nil
	}
	return row.Datum{B: twosComplement(v)}, nil
}

// twosComplement gives the fewest big-endian bytes that hold v: at least one.
func twosComplement(v *big.Int) []byte {
	n := v.BitLen()/8 + 1
	if v.Sign() < 0 {
		n = new(big.Int).Not(v).BitLen()/8 + 1
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return v.FillBytes(make([]byte, n))
}

func bigOf(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

func parseNested(t *catalog.Type, raw json.RawMessage) (row.Datum, error) {
	var values []json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return row.Datum{}, err
	}
	list := make([]row.Datum, 0, 2*len(values))
	add := func(t *catalog.Type, raw json.RawMessage) error {
		d, err := ParseDatum(t, raw)
		list = append(list, d)
		return err
	}
	if t.Kind == catalog.Row && len(values) != len(t.Fields) {
		return row.Datum{}, fmt.Errorf("%d values for %d fields", len(values), len(t.Fields))
	}
	for i, v := range values {
		var err error
		switch t.Kind {
		case catalog.Array:
			err = add(t.Elem, v)
		case catalog.Row:
			err = add(&t.Fields[i].Type, v)
		case catalog.Map:
			var pair [2]json.RawMessage
			if err = json.Unmarshal(v, &pair); err == nil {
				if err = add(t.Key, pair[0]); err == nil {
					err = add(t.Elem, pair[1])
				}
			}
		}
		if err != nil {
			return row.Datum{}, err
		}
	}
	return row.Datum{L: list}, nil
}

// Equal reports whether a and b are the same value of type t. NaNs of different payload are different.
func Equal(t *catalog.Type, a, b *row.Datum) bool {
	if a.Null || b.Null {
		return a.Null == b.Null
	}
	switch t.Kind {
	case catalog.Char, catalog.String, catalog.Binary, catalog.Bytes:
		return bytes.Equal(a.B, b.B)
	case catalog.Decimal:
		return a.I == b.I && bytes.Equal(a.B, b.B)
	case catalog.Array, catalog.Map, catalog.Row:
		return equalLists(t, a.L, b.L)
	}
	return a.I == b.I && a.N == b.N
}

// EqualRows reports whether a and b are the same row of those types.
func EqualRows(types []*catalog.Type, a, b []row.Datum) bool {
	if len(a) != len(types) || len(b) != len(types) {
		return false
	}
	for i, t := range types {
		if !Equal(t, &a[i], &b[i]) {
			return false
		}
	}
	return true
}

func equalLists(t *catalog.Type, a, b []row.Datum) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(memberType(t, i), &a[i], &b[i]) {
			return false
		}
	}
	return true
}

// memberType is the type of element i of a Datum's L.
func memberType(t *catalog.Type, i int) *catalog.Type {
	switch {
	case t.Kind == catalog.Row:
		return &t.Fields[i].Type
	case t.Kind == catalog.Map && i%2 == 0:
		return t.Key
	}
	return t.Elem
}

// FormatRow writes a row in the text form.
func FormatRow(types []*catalog.Type, data []row.Datum) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range data {
		if i > 0 {
			b.WriteByte(',')
		}
		format(&b, types[i], &data[i])
	}
	b.WriteByte(']')
	return b.String()
}

// Format writes one value in the text form.
func Format(t *catalog.Type, d *row.Datum) string {
	var b strings.Builder
	format(&b, t, d)
	return b.String()
}

func format(b *strings.Builder, t *catalog.Type, d *row.Datum) {
	if d.Null {
		b.WriteString("null")
		return
	}
	switch t.Kind {
	case catalog.Boolean:
		quote(b, strconv.FormatBool(d.I != 0))
	case catalog.Float:
		quote(b, fmt.Sprintf("0x%08x", uint32(d.I)))
	case catalog.Double:
		quote(b, fmt.Sprintf("0x%016x", uint64(d.I)))
	case catalog.Char, catalog.String:
		quote(b, string(d.B))
	case catalog.Binary, catalog.Bytes:
		quote(b, hex.EncodeToString(d.B))
	case catalog.Decimal:
		quote(b, formatDecimal(t, d))
	case catalog.Timestamp, catalog.TimestampLTZ:
		quote(b, fmt.Sprintf("%d,%d", d.I, d.N))
	case catalog.Array, catalog.Map, catalog.Row:
		formatNested(b, t, d.L)
	default:
		quote(b, strconv.FormatInt(d.I, 10))
	}
}

func quote(b *strings.Builder, s string) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.Encode(strings.ToValidUTF8(s, "\ufffd")) // which encoding/json writes in one way or another, by Go version
	b.Write(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}

func formatDecimal(t *catalog.Type, d *row.Datum) string {
	v := big.NewInt(d.I)
	if !t.IsCompactDecimal() {
		v = bigOf(d.B)
	}
	digits := new(big.Int).Abs(v).String()
	if pad := t.Scale + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	if t.Scale > 0 {
		at := len(digits) - t.Scale
		digits = digits[:at] + "." + digits[at:]
	}
	if v.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

func formatNested(b *strings.Builder, t *catalog.Type, list []row.Datum) {
	b.WriteByte('[')
	for i := range list {
		pair := t.Kind == catalog.Map
		if i > 0 {
			b.WriteByte(',')
		}
		if pair && i%2 == 0 {
			b.WriteByte('[')
		}
		format(b, memberType(t, i), &list[i])
		if pair && i%2 == 1 {
			b.WriteByte(']')
		}
	}
	b.WriteByte(']')
}
