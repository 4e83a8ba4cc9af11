package record

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/gofluss/fluss/internal/row"
)

// A batch that took the decoder's memory keeps its values while the decoder goes on, and is what Arrow copies.
func TestTakeArrow(t *testing.T) {
	for _, c := range benchCodecs {
		t.Run(c.name, func(t *testing.T) {
			table := benchTable(c.codec)
			e, err := NewLogEncoder(table)
			if err != nil {
				t.Fatal(err)
			}
			encode := func(rows [][]row.Datum) LogBatch {
				for _, r := range rows {
					if err := e.Append(r); err != nil {
						t.Fatal(err)
					}
				}
				b, _, err := NextLogBatch(e.Finish(nil, LogHeader{WriterID: -1, Sequence: -1}))
				if err != nil {
					t.Fatal(err)
				}
				e.Reset()
				return b
			}
			rows := benchRows(600)
			first, second := encode(rows[:300]), encode(rows[300:])
			d, err := NewLogDecoder(table, table.Schema, nil)
			if err != nil {
				t.Fatal(err)
			}
			decode := func(b *LogBatch) *LogRows {
				got, err := d.Decode(b)
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			want, err := decode(&first).Arrow()
			if err != nil {
				t.Fatal(err)
			}
			defer want.Release()
			got, err := decode(&first).TakeArrow()
			if err != nil {
				t.Fatal(err)
			}
			defer got.Release()
			for range 2 {
				other, err := decode(&second).TakeArrow()
				if err != nil {
					t.Fatal(err)
				}
				other.Release()
			}
			clear(first.Bytes)
			if !array.RecordEqual(got, want) {
				t.Errorf("got %v\nwant %v", got, want)
			}
		})
	}
}
