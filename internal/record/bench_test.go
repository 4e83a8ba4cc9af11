package record

import (
	"fmt"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// benchSchema is an order event: BIGINT, INT, DECIMAL(15,2), DATE, STRING, STRING.
func benchSchema() *catalog.Schema {
	return &catalog.Schema{ID: 1, Columns: []catalog.Column{
		{Name: "order_id", Type: catalog.Type{Kind: catalog.BigInt}, ID: 0},
		{Name: "customer_id", Type: catalog.Type{Kind: catalog.Int}, ID: 1},
		{Name: "total_price", Type: catalog.Type{Kind: catalog.Decimal, Precision: 15, Scale: 2}, ID: 2},
		{Name: "ordered_on", Type: catalog.Type{Kind: catalog.Date}, ID: 3},
		{Name: "order_priority", Type: catalog.Type{Kind: catalog.String}, ID: 4},
		{Name: "clerk", Type: catalog.Type{Kind: catalog.String}, ID: 5},
	}}
}

var priorities = []string{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"}

func benchRows(n int) [][]row.Datum {
	rows := make([][]row.Datum, n)
	for i := range rows {
		rows[i] = []row.Datum{
			{I: int64(i)}, {I: int64(i % 150000)}, {I: int64(i) * 104729 % 50_000_000}, {I: int64(8035 + i%2406)},
			{B: []byte(priorities[i%5])}, {B: fmt.Appendf(nil, "Clerk#%09d", i%1000)},
		}
	}
	return rows
}

const benchBatch = 16384

var benchCodecs = []struct {
	name  string
	codec catalog.Compression
}{{"none", catalog.NoCompression}, {"lz4", catalog.LZ4Frame}, {"zstd", catalog.ZSTD}}

func benchTable(codec catalog.Compression) *catalog.Table {
	return &catalog.Table{Descriptor: catalog.Descriptor{Schema: benchSchema()}, Compression: codec, CompressionLevel: 3}
}

func perRow(b *testing.B, bytes int) {
	b.ReportMetric(float64(b.N)*benchBatch/b.Elapsed().Seconds()/1e6, "Mrows/s")
	b.ReportMetric(float64(bytes)/benchBatch, "bytes/row")
}

func BenchmarkEncodeLog(b *testing.B) {
	rows := benchRows(benchBatch)
	for _, c := range benchCodecs {
		b.Run(c.name, func(b *testing.B) {
			e, err := NewLogEncoder(benchTable(c.codec))
			if err != nil {
				b.Fatal(err)
			}
			var out []byte
			b.ReportAllocs()
			for b.Loop() {
				for _, r := range rows {
					if err := e.Append(r); err != nil {
						b.Fatal(err)
					}
				}
				out = e.Finish(out[:0], LogHeader{WriterID: 1})
			}
			perRow(b, len(out))
		})
	}
}

func benchBatchBytes(b *testing.B, codec catalog.Compression) LogBatch {
	e, err := NewLogEncoder(benchTable(codec))
	if err != nil {
		b.Fatal(err)
	}
	for _, r := range benchRows(benchBatch) {
		if err := e.Append(r); err != nil {
			b.Fatal(err)
		}
	}
	lb, _, err := NextLogBatch(e.Finish(nil, LogHeader{WriterID: 1}))
	if err != nil {
		b.Fatal(err)
	}
	return lb
}

// BenchmarkDecodeLog decodes a batch and reads every value, once as Datums and once from the vectors.
func BenchmarkDecodeLog(b *testing.B) {
	for _, c := range benchCodecs {
		lb := benchBatchBytes(b, c.codec)
		b.Run(c.name+"/datums", func(b *testing.B) { benchDecode(b, c.codec, &lb, readDatums) })
		b.Run(c.name+"/vectors", func(b *testing.B) { benchDecode(b, c.codec, &lb, readVectors) })
	}
}

func benchDecode(b *testing.B, codec catalog.Compression, lb *LogBatch, read func(*LogRows) int64) {
	d, err := NewLogDecoder(benchTable(codec), benchSchema(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	sum := int64(0)
	for b.Loop() {
		if err := lb.CheckCRC(); err != nil {
			b.Fatal(err)
		}
		rows, err := d.Decode(lb)
		if err != nil {
			b.Fatal(err)
		}
		sum += read(rows)
	}
	if sum == 0 {
		b.Fatal("nothing read")
	}
	perRow(b, len(lb.Bytes))
}

func readDatums(rows *LogRows) int64 {
	var d row.Datum
	sum := int64(0)
	for i := range rows.Len() {
		for c := range 6 {
			rows.Datum(&d, c, i)
			sum += d.I + int64(len(d.B))
		}
	}
	return sum
}

func readVectors(rows *LogRows) int64 {
	id, customer, price := rows.Column(0), rows.Column(1), rows.Column(2)
	day, priority, clerk := rows.Column(3), rows.Column(4), rows.Column(5)
	sum := int64(0)
	for i := range rows.Len() {
		sum += id.Int64(i) + customer.Int64(i) + price.Unscaled(i) + day.Int64(i)
		sum += int64(len(priority.Bytes(i)) + len(clerk.Bytes(i)))
	}
	return sum
}

func BenchmarkAppendKVBatch(b *testing.B) {
	codec := row.NewCodec(row.Compacted, benchSchema().Types())
	rows := benchRows(1024)
	var value, records, out []byte
	b.ReportAllocs()
	for b.Loop() {
		records = records[:0]
		for _, r := range rows {
			value = codec.Append(value[:0], r)
			records = AppendKVRecord(records, value[1:4], value)
		}
		out = AppendKVBatch(out[:0], KVHeader{SchemaID: 1, WriterID: 1, Count: int32(len(rows))}, records)
	}
	b.ReportMetric(float64(b.N)*float64(len(rows))/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
