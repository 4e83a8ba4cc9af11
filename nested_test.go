package fluss_test

import (
	"database/sql"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss"
	"github.com/gofluss/fluss/flusstest"
	"github.com/shopspring/decimal"
)

type address struct {
	City  string
	Zip   *string `fluss:"zip"`
	Since time.Time
	Debt  decimal.Decimal
}

// TestNested: what is bound as a Go value is scanned back as one.
func TestNested(t *testing.T) {
	db, err := sql.Open("fluss", flusstest.Run(t).DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const ddl = `CREATE TABLE person (id INT, tags ARRAY<STRING>, prices ARRAY<DECIMAL(38, 2)>, photos ARRAY<BYTES>,
		at ARRAY<TIMESTAMP(6)>, seen ARRAY<TIMESTAMP_LTZ(3)>, days MAP<DATE, INT>, scores MAP<STRING, DECIMAL(10, 3)>,
		home ROW<city STRING, zip STRING, since TIMESTAMP(3), debt DECIMAL(20, 2)>, PRIMARY KEY (id) NOT ENFORCED)`
	if _, err := db.Exec(ddl); err != nil {
		t.Fatal(err)
	}
	type person struct {
		tags   fluss.Array[*string]
		prices fluss.Array[string]
		photos fluss.Array[[]byte]
		at     fluss.Array[time.Time]
		seen   fluss.Array[time.Time]
		days   fluss.Map[fluss.Date, int]
		scores fluss.Map[string, *string]
		home   *address
	}
	x, stamp := "x", time.Date(2024, 3, 10, 1, 2, 3, 456000, time.UTC)
	full := person{
		tags: fluss.Array[*string]{&x, nil}, prices: fluss.Array[string]{"123456789012345678901234567890123456.78"},
		photos: fluss.Array[[]byte]{{0, 255}, {}}, at: fluss.Array[time.Time]{stamp}, seen: fluss.Array[time.Time]{stamp.Truncate(time.Millisecond)},
		days:   fluss.Map[fluss.Date, int]{{Year: 2024, Month: 2, Day: 29}: 1},
		scores: fluss.Map[string, *string]{"a": nil, `q"`: func() *string { s := "0.100"; return &s }()},
		home:   &address{City: "Bern", Since: stamp.Truncate(time.Millisecond), Debt: decimal.RequireFromString("123456789012345678.90")},
	}
	empty := person{tags: fluss.Array[*string]{}, prices: fluss.Array[string]{}, photos: fluss.Array[[]byte]{}, at: fluss.Array[time.Time]{},
		seen: fluss.Array[time.Time]{}, days: fluss.Map[fluss.Date, int]{}, scores: fluss.Map[string, *string]{}, home: &address{Since: stamp.Truncate(time.Millisecond)}}
	for i, p := range []person{full, empty, {}} {
		if _, err := db.Exec("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", i, p.tags, p.prices, p.photos, p.at, p.seen, p.days, p.scores, fluss.Struct(&p.home)); err != nil {
			t.Fatal(err)
		}
		var got person
		err := db.QueryRow("SELECT tags, prices, photos, at, seen, days, scores, home FROM person WHERE id = ?", i).
			Scan(&got.tags, &got.prices, &got.photos, &got.at, &got.seen, &got.days, &got.scores, fluss.Struct(&got.home))
		if err != nil {
			t.Fatal(err)
		}
		if p.home != nil && got.home != nil && p.home.Debt.Equal(got.home.Debt) {
			got.home.Debt = p.home.Debt // equal as numbers
		}
		if !reflect.DeepEqual(got, p) {
			t.Errorf("row %d:\ngot  %+v\nwant %+v", i, got, p)
		}
	}
}

// TestNestedRefused: what does not fit is told with its place.
func TestNestedRefused(t *testing.T) {
	var tags fluss.Array[int]
	var m fluss.Map[string, int]
	var home struct{ City string }
	for _, c := range []struct {
		into  sql.Scanner
		src   any
		words string
	}{
		{&tags, `[1,null]`, "fluss: element 1: cannot scan NULL into int"},
		{&tags, `{"a":1}`, "cannot scan an object"},
		{&tags, int64(5), "cannot scan a int64 into *fluss.Array[int]"},
		{&m, []byte(`{"a":"b"}`), "value of key a"},
		{fluss.Struct(&home), `{"city":"Bern","zip":"3000"}`, `no field for "zip"`},
		{fluss.Struct(&home), nil, "cannot scan NULL into struct"},
		{fluss.Struct(home), `{}`, "Struct needs a pointer to a struct"},
		{fluss.Struct(&tags), `{}`, "Struct needs a pointer to a struct"},
		{fluss.Struct(nil), `{}`, "Struct needs a pointer to a struct"},
	} {
		if err := c.into.Scan(c.src); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%T from %v: %v, want %s", c.into, c.src, err, c.words)
		}
	}
	if tags != nil || m != nil || home.City != "" {
		t.Errorf("something was left behind: %v %v %v", tags, m, home)
	}
	if _, err := fluss.Struct(5).Value(); err == nil {
		t.Error("Struct(5) has a value")
	}
}
