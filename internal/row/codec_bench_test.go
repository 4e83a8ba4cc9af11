package row_test

import (
	"fmt"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/row/rowtest"
)

// benchRow is the row of the key-value benchmark: BIGINT, STRING, DECIMAL(15,2), DATE.
func benchRow() ([]*catalog.Type, []row.Datum) {
	types := []*catalog.Type{
		{Kind: catalog.BigInt, NotNull: true}, {Kind: catalog.String},
		{Kind: catalog.Decimal, Precision: 15, Scale: 2}, {Kind: catalog.Date},
	}
	return types, []row.Datum{{I: 123456}, {B: []byte("customer number 123456, gold")}, {I: 9_876_543}, {I: 20421}}
}

// wideRow is the row of 26 columns in the fixture, three of them nested.
func wideRow(tb testing.TB) ([]*catalog.Type, []row.Datum) {
	var f rowsFixture
	readFixture(tb, "rows.json", &f)
	for _, g := range f.Groups {
		if g.Name == "wide" {
			types := readSchema(tb, g.Schema).Types()
			data, err := rowtest.ParseRow(types, g.Cases[3].Row)
			if err != nil {
				tb.Fatal(err)
			}
			return types, data
		}
	}
	tb.Fatal("no wide group")
	return nil, nil
}

// flatRow is wideRow without its nested columns.
func flatRow(tb testing.TB) ([]*catalog.Type, []row.Datum) {
	types, data := wideRow(tb)
	n := 0
	for i := range types {
		if !types[i].IsNested() {
			types[n], data[n] = types[i], data[i]
			n++
		}
	}
	return types[:n], data[:n]
}

func BenchmarkCodec(b *testing.B) {
	for _, format := range []row.Format{row.Compacted, row.Indexed} {
		for _, wide := range []bool{false, true} {
			name := "4columns"
			types, data := benchRow()
			if wide {
				name = "26columns"
				types, data = wideRow(b)
			}
			c := row.NewCodec(format, types)
			src := c.Append(nil, data)
			b.Run(fmt.Sprintf("%s/%s/append", format, name), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(src)))
				buf := make([]byte, 0, 1024)
				for b.Loop() {
					buf = c.Append(buf[:0], data)
				}
			})
			b.Run(fmt.Sprintf("%s/%s/decode", format, name), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(src)))
				dst := make([]row.Datum, len(types))
				for b.Loop() {
					if err := c.Decode(dst, src); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("%s/%s/decode1", format, name), func(b *testing.B) {
				b.ReportAllocs()
				dst, want := make([]row.Datum, len(types)), []int{1}
				for b.Loop() {
					if err := c.DecodeColumns(dst, src, want); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// keyTable is a key table whose key is the first column of benchRow.
func keyTable(tb testing.TB) *catalog.Table {
	types, _ := benchRow()
	d := catalog.Descriptor{BucketCount: 16, BucketKeys: []string{"c0"}, Schema: &catalog.Schema{PrimaryKey: []string{"c0"}}}
	for i, t := range types {
		d.Schema.Columns = append(d.Schema.Columns, catalog.Column{Name: fmt.Sprint("c", i), Type: *t, ID: i})
	}
	table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
	if err != nil {
		tb.Fatal(err)
	}
	return table
}

func BenchmarkKeyAndBucket(b *testing.B) {
	table := keyTable(b)
	k, err := row.NewKeyEncoder(table)
	if err != nil {
		b.Fatal(err)
	}
	_, data := benchRow()
	bucketer := row.NewBucketer(table)
	b.ReportAllocs()
	buf := make([]byte, 0, 64)
	for b.Loop() {
		if buf, err = k.Append(buf[:0], data); err != nil {
			b.Fatal(err)
		}
		bucketer.Bucket(buf)
	}
}

// TestAllocations pins what the package promises: appending allocates only to grow the buffer, decoding only for
// nested values.
func TestAllocations(t *testing.T) {
	check := func(name string, want float64, f func()) {
		t.Helper()
		if got := testing.AllocsPerRun(100, f); got != want {
			t.Errorf("%s: got %v allocations, want %v", name, got, want)
		}
	}
	buf := make([]byte, 0, 4096)
	for _, format := range []row.Format{row.Compacted, row.Indexed} {
		types, data := wideRow(t)
		c := row.NewCodec(format, types)
		check(format.String()+" append, nested", 0, func() { buf = c.Append(buf[:0], data) })
		types, data = flatRow(t)
		c = row.NewCodec(format, types)
		check(format.String()+" append", 0, func() { buf = c.Append(buf[:0], data) })
		src := c.Append(nil, data)
		dst := make([]row.Datum, len(types))
		check(format.String()+" decode", 0, func() {
			if err := c.Decode(dst, src); err != nil {
				t.Fatal(err)
			}
		})
		want := []int{3, 7, len(types) - 1}
		check(format.String()+" decode columns", 0, func() {
			if err := c.DecodeColumns(dst, src, want); err != nil {
				t.Fatal(err)
			}
		})
	}
	table := keyTable(t)
	k, err := row.NewKeyEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	_, data := benchRow()
	bucketer := row.NewBucketer(table)
	check("key and bucket", 0, func() {
		buf, _ = k.Append(buf[:0], data)
		bucketer.Bucket(buf)
	})
}
