package fluss

import (
	"database/sql/driver"
	"fmt"
	"io"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// BenchmarkTableRows makes the rows of a bucket's answer of 1,000 rows; figures are per row.
func BenchmarkTableRows(b *testing.B) {
	const n = 1000
	schema := &catalog.Schema{ID: 1, Columns: []catalog.Column{
		{Name: "id", Type: catalog.Type{Kind: catalog.BigInt, NotNull: true}}, {Name: "name", Type: catalog.Type{Kind: catalog.String}},
		{Name: "balance", Type: catalog.Type{Kind: catalog.Decimal, Precision: 15, Scale: 2}}, {Name: "d", Type: catalog.Type{Kind: catalog.Date}}}}
	table := &catalog.Table{Descriptor: catalog.Descriptor{Schema: schema, BucketCount: 1}}
	layout, err := newLayout(table)
	if err != nil {
		b.Fatal(err)
	}
	var records []byte
	for i := range int64(n) {
		stored := layout.codec.Append(nil, []row.Datum{{I: i}, {B: fmt.Appendf(nil, "customer#%09d", i)}, {I: i * 7919 % 10_000_000}, {I: 8035 + i%2500}})
		records = record.AppendValueRecord(records, 1, stored)
	}
	batch, err := record.ReadValueBatch(record.AppendValueBatch(nil, n, records))
	if err != nil {
		b.Fatal(err)
	}
	r := &rows{left: -1}
	r.run = selection{Select: &plan.Select{Table: table}, layout: layout, conn: &conn{c: &Connector{}}}
	for i := range schema.Columns {
		r.columns = append(r.columns, plan.Output{Name: "c", Column: i, Type: &schema.Columns[i].Type})
	}
	r.width(r.run.Width())
	r.run.values = row.NewValueReader(layout.codec, schema.Types(), []int{0, 1, 2, 3})
	src := &tableSource{s: &r.run, cancel: func() {}, limit: n}
	dest := make([]driver.Value, len(r.columns))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%n == 0 {
			src.rows, src.reading, r.src, r.stored, r.err = batch.Records(), true, src, src, nil
		}
		if err := r.Next(dest); err != nil && err != io.EOF {
			b.Fatal(err)
		}
	}
}
