//go:build go1.27

package fluss

import (
	"database/sql"
	"database/sql/driver"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/row"
)

// ScanColumn gives what database/sql makes of the value that Next gives, whatever the column and the destination.
func TestScanColumnLikeNext(t *testing.T) {
	columns := []struct {
		typ catalog.Type
		d   row.Datum
	}{
		{catalog.Type{Kind: catalog.Boolean}, row.Datum{I: 1}},
		{catalog.Type{Kind: catalog.TinyInt}, row.Datum{I: -7}},
		{catalog.Type{Kind: catalog.BigInt}, row.Datum{I: math.MaxInt64}},
		{catalog.Type{Kind: catalog.Float}, row.Datum{I: int64(math.Float32bits(1.5))}},
		{catalog.Type{Kind: catalog.Double}, row.Datum{I: int64(math.Float64bits(-2.25))}},
		{catalog.Type{Kind: catalog.String}, row.Datum{B: []byte("text")}},
		{catalog.Type{Kind: catalog.String}, row.Datum{B: []byte("")}},
		{catalog.Type{Kind: catalog.Bytes}, row.Datum{B: []byte{1, 2}}},
		{catalog.Type{Kind: catalog.Decimal, Precision: 15, Scale: 2}, row.Datum{I: -1205}},
		{catalog.Type{Kind: catalog.Decimal, Precision: 38, Scale: 2}, row.Datum{B: []byte{1, 0}}},
		{catalog.Type{Kind: catalog.Date}, row.Datum{I: 8035}},
		{catalog.Type{Kind: catalog.Time, Precision: 3}, row.Datum{I: 1234}},
		{catalog.Type{Kind: catalog.Timestamp, Precision: 6}, row.Datum{I: 1, N: 1000}},
		{catalog.Type{Kind: catalog.TimestampLTZ, Precision: 6}, row.Datum{I: -1, N: 1000}},
		{catalog.Type{Kind: catalog.Array, Elem: &catalog.Type{Kind: catalog.Int}}, row.Datum{L: []row.Datum{{I: 1}, {Null: true}}}},
		{catalog.Type{Kind: catalog.Int}, row.Datum{Null: true}},
	}
	dests := []func() any{
		func() any { return new(bool) }, func() any { return new(int64) }, func() any { return new(int8) }, func() any { return new(float64) },
		func() any { return new(string) }, func() any { return new([]byte) }, func() any { return new(time.Time) }, func() any { return new(any) },
		func() any { return new(sql.NullString) }, func() any { return new(*int64) }, func() any { return new(*string) }, func() any { return new(Date) },
	}
	for _, c := range columns {
		r := &rows{src: endless{c.d}, left: -1, loc: time.FixedZone("", 3600), columns: []plan.Output{{Name: "c", Type: &c.typ}}}
		r.width(1)
		for _, dest := range dests {
			value := make([]driver.Value, 1)
			if err := r.Next(value); err != nil {
				t.Fatal(err)
			}
			want, got := dest(), dest()
			wantErr := sql.ConvertAssign(driver.ScanContext{}, want, value[0])
			if err := r.NextRow(); err != nil {
				t.Fatal(err)
			}
			err := r.ScanColumn(driver.ScanContext{}, 0, got)
			if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
				t.Errorf("%s into %T: got %v, %v, want %v, %v", c.typ.Name(), got, got, err, want, wantErr)
			}
		}
	}
}

// A nil destination is an error of database/sql.
func TestScanColumnNil(t *testing.T) {
	r := usualRows()
	r.NextRow()
	if err := r.ScanColumn(driver.ScanContext{}, 1, (*string)(nil)); err == nil {
		t.Error("got no error")
	}
}

func BenchmarkScanColumn(b *testing.B) {
	r := usualRows()
	var id int64
	var name, balance string
	var day time.Time
	b.ReportAllocs()
	for b.Loop() {
		r.NextRow()
		for i, p := range []any{&id, &name, &balance, &day} {
			if err := r.ScanColumn(driver.ScanContext{}, i, p); err != nil {
				b.Fatal(err)
			}
		}
	}
}
