package flusstest

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// benchColumns is a row as applications have them: some 60 bytes.
const benchColumns = "id BIGINT, name STRING, status STRING, amount DECIMAL(15;2), at TIMESTAMP(3), n INT"

// benchRow is a row of benchColumns and its key.
func benchRow(values []row.Datum, i, round int) {
	values[0] = row.Datum{I: int64(i)}
	values[1] = row.Datum{B: fmt.Appendf(values[1].B[:0], "customer number %08d", i*7919%100000007)}
	values[2] = row.Datum{B: []byte([]string{"new", "active", "closed"}[(i+round)%3])}
	values[3] = row.Datum{I: int64(i*37%1000000 + round)}
	values[4] = row.Datum{I: 1_700_000_000_000 + int64(i)}
	values[5] = row.Datum{I: int64(round)}
}

// benchBatches makes kv batches of size rows each for the keys 0 to n-1.
func benchBatches(b testing.TB, t *catalog.Table, n, size, round int) (batches [][]byte) {
	b.Helper()
	codec := row.NewCodec(row.Compacted, t.Schema.Types())
	values := make([]row.Datum, len(t.Schema.Columns))
	var encoded []byte
	for from := 0; from < n; from += size {
		var records []byte
		for i := from; i < from+size; i++ {
			benchRow(values, i, round)
			encoded = codec.Append(encoded[:0], values)
			records = record.AppendKVRecord(records, binary.AppendUvarint(nil, uint64(i)), encoded)
		}
		batches = append(batches, kvBatch(1, -1, -1, size, records))
	}
	return batches
}

func filled(b testing.TB, n int) *memoryTarget {
	b.Helper()
	m := memoryKeyTable(b, benchColumns)
	for _, batch := range benchBatches(b, m.table(), n, 10000, 0) {
		if _, err := m.put(batch, nil, false); err != nil {
			b.Fatal(err)
		}
	}
	return m
}

// BenchmarkLookups: requests of 64 keys, as a client makes them of many callers' lookups.
func BenchmarkLookups(b *testing.B) {
	const n, coalesced = 200000, 64
	m := filled(b, n)
	var keys [][]byte
	for i := range n {
		keys = append(keys, binary.AppendUvarint(nil, uint64(i*7919%n)))
	}
	var next atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		values := make([][]byte, 0, coalesced)
		for p.Next() {
			at := int(next.Add(coalesced)) % (n - coalesced)
			for _, v := range m.store.lookups(values[:0], keys[at:at+coalesced]) {
				if v == nil {
					b.Error("a key is missing")
				}
			}
		}
	})
	b.ReportMetric(float64(coalesced*b.N)/b.Elapsed().Seconds(), "keys/s")
}

func BenchmarkPut(b *testing.B) {
	for _, c := range []struct {
		name    string
		size    int
		updates bool
		props   map[string]string
	}{
		{"insert/10000", 10000, false, nil}, {"update/10000", 10000, true, nil}, {"update/1", 1, true, nil}, {"update/100", 100, true, nil},
		{"update/10000/uncompressed", 10000, true, map[string]string{"table.log.arrow.compression.type": "none"}},
		{"update/10000/wal", 10000, true, map[string]string{changelogImage: "wal"}},
		{"update/10000/compacted log", 10000, true, map[string]string{"table.log.format": "compacted"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := script{columns: benchColumns, props: c.props}
			d := s.descriptor(b)
			m := newMemoryTarget(b, d)
			n := max(c.size, 10000)
			batches := benchBatches(b, m.table(), n, c.size, 1)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if i%len(batches) == 0 && (!c.updates || m.store.log.size > 256<<20) {
					m = newMemoryTarget(b, d)
				}
				if _, err := m.put(batches[i%len(batches)], nil, false); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(c.size*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkProduce appends the same zstd batches over and over.
func BenchmarkProduce(b *testing.B) {
	for _, size := range []int{1, 100, 10000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			d := logDescriptor(b, benchColumns, nil)
			m := newMemoryTarget(b, d)
			batch := benchLogBatch(b, m.table(), size)
			b.SetBytes(int64(len(batch)))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				if m.store.log.size > 256<<20 {
					m = newMemoryTarget(b, d)
				}
				if _, err := m.produce(batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func benchLogBatch(b *testing.B, t *catalog.Table, size int) []byte {
	b.Helper()
	e, err := record.NewLogEncoder(t)
	if err != nil {
		b.Fatal(err)
	}
	values := make([]row.Datum, len(t.Schema.Columns))
	for i := range size {
		benchRow(values, i, 0)
		if err := e.Append(values); err != nil {
			b.Fatal(err)
		}
	}
	return e.Finish(nil, record.LogHeader{WriterID: -1, Sequence: -1})
}

// BenchmarkFetch reads a log of 100-row batches in answers of up to 1 MiB.
func BenchmarkFetch(b *testing.B) {
	for name, projection := range map[string][]int32{"whole": nil, "projected": {0, 3}} {
		b.Run(name, func(b *testing.B) {
			m := newMemoryTarget(b, logDescriptor(b, benchColumns, nil))
			batch := benchLogBatch(b, m.table(), 100)
			for range 5000 {
				if _, err := m.produce(batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			b.ResetTimer()
			offset, rows := int64(0), int64(0)
			for range b.N {
				records, end, err := m.fetch(offset, 1<<20, projection)
				if err != nil {
					b.Fatal(err)
				}
				was := offset
				for { // find the next offset, as a client does
					lb, rest, err := record.NextLogBatch(records)
					if err != nil {
						break
					}
					offset, records = lb.NextOffset(), rest
				}
				if rows += offset - was; offset >= end {
					offset = 0
				}
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkLimitScan(b *testing.B) {
	const n = 200000
	m := filled(b, n)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := m.store.limitScan(math.MaxInt32); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkPrefixAfterPut: a walk after each new key, among many.
func BenchmarkPrefixAfterPut(b *testing.B) {
	const n = 200000
	m := filled(b, n)
	codec := row.NewCodec(row.Compacted, m.table().Schema.Types())
	values := make([]row.Datum, len(m.table().Schema.Columns))
	m.store.prefix([]byte{1})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		key := binary.AppendUvarint(nil, uint64(n+i))
		benchRow(values, n+i, 0)
		records := record.AppendKVRecord(nil, key, codec.Append(nil, values))
		if _, err := m.put(kvBatch(1, -1, -1, 1, records), nil, false); err != nil {
			b.Fatal(err)
		}
		if values := m.store.prefix(key); len(values) != 1 {
			b.Fatal(len(values))
		}
		i++
	}
}

// BenchmarkMemory reports what rows cost: the memory of a key table without its change log, and of the change log,
// against the bytes of keys and values, after every row was written once and after it was updated four times.
func BenchmarkMemory(b *testing.B) {
	const n = 200000
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		m := filled(b, n)
		first := m.store.sizes()
		for round := range 4 {
			for _, batch := range benchBatches(b, m.table(), n, 10000, round+1) {
				if _, err := m.put(batch, nil, false); err != nil {
					b.Fatal(err)
				}
			}
		}
		s := m.store.sizes()
		runtime.GC()
		runtime.GC() // pools give back what two collections found unused
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(first.RowMemory)/n, "B/row")
		b.ReportMetric(float64(s.RowBytes)/n, "data-B/row")
		b.ReportMetric(float64(s.RowMemory)/n, "updated-B/row")
		b.ReportMetric(float64(s.LogMemory)/float64(s.LogBytes), "log-mem/data")
		b.ReportMetric(float64(s.RowMemory+s.LogMemory)/float64(s.RowBytes+s.LogBytes), "mem/data")
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(s.RowBytes+s.LogBytes), "heap/data")
		runtime.KeepAlive(m)
	}
}
