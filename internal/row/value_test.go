package row

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/gofluss/fluss/internal/catalog"
)

func TestValue(t *testing.T) {
	cases := []struct {
		name string
		t    *catalog.Type
		d    Datum
		want any
	}{
		{"null", tInt, Datum{Null: true}, nil},
		{"bool", tBool, Datum{I: 1}, true},
		{"tiny", tTiny, Datum{I: -1}, int64(-1)},
		{"float", tFloat, Datum{I: int64(math.Float32bits(0.1))}, float64(float32(0.1))},
		{"double", tDouble, Datum{I: int64(math.Float64bits(-0.1))}, -0.1},
		{"string empty", tString, Datum{}, ""},
		{"bytes empty", tBytes, Datum{}, []byte{}},
		{"decimal", tDecimal(10, 2), Datum{I: 200}, "2.00"},
		{"decimal small", tDecimal(10, 2), Datum{I: -5}, "-0.05"},
		{"decimal beyond", tDecimal(3, 2), Datum{I: math.MinInt64}, "-92233720368547758.08"},
		{"decimal wide", tDecimal(38, 2), Datum{B: []byte{0xff, 0x7f}}, "-1.29"},
		{"decimal wide no bytes", tDecimal(38, 2), Datum{}, "0.00"},
		{"decimal wide min", tDecimal(38, 0), Datum{B: append([]byte{0x80}, make([]byte, 15)...)}, "-170141183460469231731687303715884105728"},
		{"decimal too wide", tDecimal(38, 0), Datum{B: append([]byte{0x80}, make([]byte, 16)...)}, "-43556142965880123323311949751266331066368"},
		{"decimal absurd", tDecimal(38, 0), Datum{B: make([]byte, 1<<20)}, "NaN"},
		{"decimal absurd in array", tArray(tDecimal(38, 0)), Datum{L: []Datum{{B: make([]byte, 1<<20)}}}, `["NaN"]`},
		{"date", tDate, Datum{I: -1}, time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC)},
		{"time", tTime(3), Datum{I: 1}, "00:00:00.001"},
		{"time 0", tTime(0), Datum{I: 1000}, "00:00:01"},
		{"time 0 with millis", tTime(0), Datum{I: 1001}, "00:00:01.001"},
		{"time 1 with millis", tTime(1), Datum{I: 1020}, "00:00:01.02"},
		{"time 9", tTime(9), Datum{I: 1001}, "00:00:01.001000000"},
		{"time beyond", tTime(0), Datum{I: 2 * millisPerDay}, "48:00:00"},
		{"time below", tTime(0), Datum{I: -1500}, "-00:00:01.5"},
		{"timestamp", tStamp(6), Datum{I: -1, N: 999999}, time.Unix(-1, 999999999).UTC()},
		{"instant", tLTZ(6), Datum{I: 0}, time.Unix(0, 0).In(berlin)},
		{"array", tArray(tDecimal(5, 1)), Datum{L: []Datum{{I: 15}, {Null: true}}}, "[1.5,null]"},
	}
	withLocal(t, func(t *testing.T) {
		for _, c := range cases {
			got := Value(&c.d, c.t, berlin)
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: got %#v, want %#v", c.name, got, c.want)
			}
			if !driver.IsValue(got) {
				t.Errorf("%s: %T is no driver.Value", c.name, got)
			}
		}
	})
}

// What leaves the driver shares nothing with the bytes it was decoded from.
func TestValueCopies(t *testing.T) {
	src := []byte("abc")
	d := Datum{B: src[:2]}
	s := Value(&d, tString, nil).(string)
	b := Value(&d, tBytes, nil).([]byte)
	c := Clone(&Datum{L: []Datum{d}})
	if len(b) != cap(b) {
		t.Errorf("got capacity %d, want %d", cap(b), len(b))
	}
	copy(src, "xyz")
	if s != "ab" || string(b) != "ab" || string(c.L[0].B) != "ab" {
		t.Errorf("got %q, %q and %q, want ab", s, b, c.L[0].B)
	}
}

// oneRow is a driver.Rows of the values of some types, made from texts by BindText, and of NULLs.
type oneRow struct {
	types []*catalog.Type
	data  [][]Datum
	next  int
}

func (r *oneRow) Columns() []string {
	names := make([]string, len(r.types))
	for i, t := range r.types {
		names[i] = t.String()
	}
	return names
}
func (r *oneRow) Close() error { return nil }
func (r *oneRow) Next(dest []driver.Value) error {
	if r.next == len(r.data) {
		return io.EOF
	}
	for i, t := range r.types {
		dest[i] = Value(&r.data[r.next][i], t, nil)
	}
	r.next++
	return nil
}
func (r *oneRow) ColumnTypeScanType(i int) reflect.Type { return Info(r.types[i]).ScanType }

// query runs the rows through database/sql.
func (r *oneRow) query(t *testing.T) *sql.Rows {
	t.Helper()
	db := sql.OpenDB(r)
	t.Cleanup(func() { db.Close() })
	rows, err := db.Query("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rows.Close() })
	return rows
}
func (r *oneRow) Connect(context.Context) (driver.Conn, error) { return r, nil }
func (r *oneRow) Driver() driver.Driver                        { return nil }
func (r *oneRow) Prepare(string) (driver.Stmt, error)          { return nil, driver.ErrSkip }
func (r *oneRow) Begin() (driver.Tx, error)                    { return nil, driver.ErrSkip }
func (r *oneRow) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return r, nil
}

var everyType = []struct {
	t    *catalog.Type
	text string
	word string
}{
	{tBool, "true", "BOOLEAN"}, {tTiny, "-1", "TINYINT"}, {tSmall, "1", "SMALLINT"}, {tInt, "1", "INT"}, {tBig, "1", "BIGINT"},
	{tFloat, "1.5", "FLOAT"}, {tDouble, "1.5", "DOUBLE"}, {tChar3, "abc", "CHAR"}, {tString, "", "STRING"},
	{tBinary3, "abc", "BINARY"}, {tBytes, "", "BYTES"}, {tDecimal(38, 18), "1.5", "DECIMAL"}, {tDate, "2024-03-10", "DATE"},
	{tTime(0), "15:04:05", "TIME"}, {tStamp(6), "2024-03-10 00:30:00", "TIMESTAMP"}, {tLTZ(6), "2024-03-10 00:30:00", "TIMESTAMP_LTZ"},
	{tArray(tInt), "[]", "ARRAY"}, {tMap(tInt, tInt), "[]", "MAP"}, {tRow("a", tInt), "{}", "ROW"},
}

// The scan type of a column takes its values, NULLs included, whatever the column.
func TestScanType(t *testing.T) {
	var r oneRow
	r.data = make([][]Datum, 2)
	for _, c := range everyType {
		for _, typ := range []*catalog.Type{c.t, notNull(c.t)} {
			var d Datum
			if err := BindText(&d, typ, LiteralString, c.text, nil); err != nil {
				t.Fatal(err)
			}
			null := Datum{Null: true}
			if typ.NotNull {
				null = d
			}
			r.types = append(r.types, typ)
			r.data[0], r.data[1] = append(r.data[0], d), append(r.data[1], null)
			if got := Info(typ); got.DatabaseTypeName != c.word || got.Nullable == typ.NotNull || got.GoIn == "" || got.GoOut == "" {
				t.Errorf("%v: got %+v, want %s", typ, got, c.word)
			}
		}
	}
	rows := r.query(t)
	columns, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; rows.Next(); n++ {
		dest := make([]any, len(columns))
		for i, c := range columns {
			dest[i] = reflect.New(c.ScanType()).Interface()
		}
		if err := rows.Scan(dest...); err != nil {
			t.Errorf("row %d: %v", n, err)
		}
	}
	if err := rows.Err(); err != nil || n != 2 {
		t.Errorf("got %d rows, error %v, want 2", n, err)
	}
	t.Logf("%d types", len(r.types))
}

func TestInfoSizes(t *testing.T) {
	for _, c := range []struct {
		t         *catalog.Type
		length    int64
		hasLength bool
		p, s      int64
		hasSize   bool
	}{
		{tChar3, 3, true, 0, 0, false},
		{tBinary3, 3, true, 0, 0, false},
		{tString, math.MaxInt64, true, 0, 0, false},
		{tBytes, math.MaxInt64, true, 0, 0, false},
		{tDecimal(38, 18), 0, false, 38, 18, true},
		{tStamp(6), 0, false, 0, 0, false},
		{tInt, 0, false, 0, 0, false},
	} {
		i := Info(c.t)
		if i.Length != c.length || i.HasLength != c.hasLength || i.Precision != c.p || i.Scale != c.s || i.HasDecimal != c.hasSize {
			t.Errorf("%v: got %+v, want %+v", c.t, i, c)
		}
	}
	if got := Info(&catalog.Type{}).DatabaseTypeName; got != "INVALID" {
		t.Errorf("got %s for no type", got)
	}
}

// A DECIMAL scans into all that reads its text. Into an int64 it does not, not even 2.00: its text has a point.
func TestDecimalScans(t *testing.T) {
	for _, c := range []struct {
		dest any
		want any // nil: refused
	}{
		{new(string), "2.00"},
		{new([]byte), []byte("2.00")},
		{new(float64), 2.0},
		{new(int64), nil},
		{new(any), "2.00"},
		{new(sql.NullString), sql.NullString{String: "2.00", Valid: true}},
		{new(sql.NullFloat64), sql.NullFloat64{Float64: 2, Valid: true}},
		{new(decimal.Decimal), decimal.New(200, -2)},
		{new(decimal.NullDecimal), decimal.NewNullDecimal(decimal.New(200, -2))},
	} {
		r := oneRow{types: []*catalog.Type{tDecimal(10, 2)}, data: [][]Datum{{{I: 200}}}}
		rows := r.query(t)
		rows.Next()
		err := rows.Scan(c.dest)
		got := reflect.ValueOf(c.dest).Elem().Interface()
		if c.want == nil && err == nil || c.want != nil && (err != nil || !reflect.DeepEqual(got, c.want)) {
			t.Errorf("%T: got %v, error %v, want %v", c.dest, got, err, c.want)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	for _, c := range everyType {
		b.Run(c.word, func(b *testing.B) {
			b.ReportAllocs()
			var d Datum
			if err := BindText(&d, c.t, LiteralString, c.text, nil); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				Value(&d, c.t, nil)
			}
		})
	}
}
