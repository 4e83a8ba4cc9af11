package flusstest

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
)

// logDescriptor is a log table of those columns.
func logDescriptor(t testing.TB, columns string, props map[string]string) catalog.Descriptor {
	t.Helper()
	s := script{columns: columns, props: props}
	d := s.descriptor(t)
	delete(d.Properties, "table.kv.format-version")
	d.Schema.PrimaryKey, d.BucketKeys = nil, nil
	return d
}

// logBatch makes a batch of rows in text form.
func logBatch(t testing.TB, table *catalog.Table, writer int64, sequence int32, rows ...string) []byte {
	t.Helper()
	e, err := record.NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range rows {
		if err := e.Append(parseRow(t, table.Schema.Types(), text)); err != nil {
			t.Fatal(err)
		}
	}
	return e.Finish(nil, record.LogHeader{WriterID: writer, Sequence: sequence})
}

func produced(t testing.TB, target storeTarget, records []byte) string {
	t.Helper()
	base, err := target.produce(records)
	return answer(t, base, err)
}

func expect(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func TestProduce(t *testing.T) {
	for _, format := range []string{"arrow", "indexed", "compacted"} {
		t.Run(format, func(t *testing.T) {
			target := newTarget(t, logDescriptor(t, "a INT, b STRING", map[string]string{"table.log.format": format}))
			table := target.table()
			b := func(writer int64, sequence int32, rows ...string) []byte {
				return logBatch(t, table, writer, sequence, rows...)
			}
			one := b(-1, -1, "1,a", "2,b")
			expect(t, "one", produced(t, target, one), "0")
			expect(t, "again, without a writer", produced(t, target, one), "2")
			expect(t, "two", produced(t, target, slices.Concat(b(-1, -1, "3,c"), b(-1, -1, "4,d", "5,e"))), "4")
			expect(t, "nothing", produced(t, target, nil), "-1")
			expect(t, "a part", produced(t, target, one[:30]), "-1")
			expect(t, "a longer part", produced(t, target, one[:len(one)-1]), "-1")
			expect(t, "one and a part", produced(t, target, append(slices.Clone(b(-1, -1, "6,f")), one[:50]...)), "7")
			expect(t, "without rows", produced(t, target, b(-1, -1)), "8")
			bad := slices.Clone(one)
			bad[len(bad)-1] ^= 1
			expect(t, "wrong CRC", produced(t, target, bad), "E14")
			expect(t, "good, then wrong CRC", produced(t, target, append(slices.Clone(one), bad...)), "E14")
			expect(t, "log", logText(t, target, nil),
				"0+A(1,a) 1+A(2,b) 2+A(1,a) 3+A(2,b) 4+A(3,c) 5+A(4,d) 6+A(5,e) 7+A(6,f) 8.")
			n, err := target.stats()
			expect(t, "stats", answer(t, n, err), "9")
		})
	}
}

// TestProduceUnchecked pins what a server takes that nobody should send.
func TestProduceUnchecked(t *testing.T) {
	target := newTarget(t, logDescriptor(t, "a INT, b STRING", nil))
	one := logBatch(t, target.table(), -1, -1, "1,a", "2,b")
	edit := func(f func(b []byte)) []byte {
		b := slices.Clone(one)
		f(b)
		binary.LittleEndian.PutUint32(b[21:], crc32.Checksum(b[25:], crc32.MakeTable(crc32.Castagnoli)))
		return b
	}
	for _, c := range []struct {
		name string
		b    []byte
		want string
		end  int64
	}{
		{"schema id", edit(func(b []byte) { b[25] = 9 }), "0", 2},
		{"delta", edit(func(b []byte) { b[28] = 4 }), "2", 7},
		{"count", edit(func(b []byte) { b[44] = 7 }), "7", 9},
		{"garbage", edit(func(b []byte) { clear(b[48:]) }), "9", 11},
		{"not append-only", edit(func(b []byte) { b[27] = 0 }), "11", 13},
		{"negative delta", edit(func(b []byte) { binary.LittleEndian.PutUint32(b[28:], 0xffffffff) }), "13", 13},
		{"magic 1", edit(func(b []byte) { b[12] = 1 }), "E14", 13},
		{"magic 9", edit(func(b []byte) { b[12] = 9 }), "E-1", 13},
		{"length 1 GiB", edit(func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 1<<30) }), "-1", 13},
		{"length 20", edit(func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 20) }), "E14", 13},
		{"length 0", edit(func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 0) }), "E14", 13},
		{"length -1", edit(func(b []byte) { binary.LittleEndian.PutUint32(b[8:], 0xffffffff) }), "E14", 13},
		{"sequence without writer", logBatch(t, target.table(), -1, 5, "1,a"), "13", 14},
		{"writer without sequence", logBatch(t, target.table(), 900001, -1, "1,a"), "E31", 14},
		{"writer -2", logBatch(t, target.table(), -2, 0, "1,a"), "14", 15},
	} {
		expect(t, c.name, produced(t, target, c.b), c.want)
		end, err := target.offset(listLatest, 0)
		expect(t, c.name+": end", answer(t, end, err), fmt.Sprint(c.end))
	}
}

// TestWriters runs the rules for sequences on both kinds of tables.
func TestWriters(t *testing.T) {
	for _, kind := range []string{"log", "key"} {
		t.Run(kind, func(t *testing.T) {
			s := script{columns: "a INT, b STRING"}
			d := s.descriptor(t)
			if kind == "log" {
				d = logDescriptor(t, s.columns, nil)
			}
			target := newTarget(t, d)
			send := func(writer int64, sequence int32, rows ...string) string {
				t.Helper()
				if kind == "log" {
					return produced(t, target, logBatch(t, target.table(), writer, sequence, rows...))
				}
				end, err := target.put(batchOf(t, target.table(), target.table().Schema, writer, sequence, rows), nil, false)
				if err != nil {
					return answer(t, 0, err)
				}
				return answer(t, end-int64(len(rows)), nil) // where it begins: all keys are new
			}
			const w, v = 4000000001, 4000000002
			expect(t, "unknown, 1", send(w, 1, "1,a"), "E31")
			expect(t, "0", send(w, 0, "1,a", "2,b"), "0")
			expect(t, "0 again", send(w, 0, "1,a", "2,b"), "0")
			expect(t, "2", send(w, 2, "3,c"), "E31")
			for i := int32(1); i <= 6; i++ {
				expect(t, fmt.Sprint(i), send(w, i, fmt.Sprintf("%d,x", 10+i)), fmt.Sprint(1+i))
			}
			expect(t, "1 again: forgotten", send(w, 1, "11,x"), "E31")
			expect(t, "2 again", send(w, 2, "12,x"), "3")
			expect(t, "6 again", send(w, 6, "16,x"), "7")
			expect(t, "2 again, other bytes", send(w, 2, "99,z"), "3")
			expect(t, "other writer", send(v, 0, "30,p"), "8")
			expect(t, "8", send(w, 8, "31,p"), "E31")
			expect(t, "7", send(w, 7, "32,p"), "9")
		})
	}
}

// TestProduceSeveral: one known batch decides over all of a request, and sequences go on within it.
func TestProduceSeveral(t *testing.T) {
	target := newTarget(t, logDescriptor(t, "a INT", nil))
	const w = 4000000003
	b := func(sequence int32, row string) []byte { return logBatch(t, target.table(), w, sequence, row) }
	expect(t, "0 1", produced(t, target, slices.Concat(b(0, "0"), b(1, "1"))), "0")
	expect(t, "1 2", produced(t, target, slices.Concat(b(1, "1"), b(2, "2"))), "1")
	expect(t, "2 1", produced(t, target, slices.Concat(b(2, "2"), b(1, "1"))), "1")
	expect(t, "2 4", produced(t, target, slices.Concat(b(2, "2"), b(4, "4"))), "E31")
	expect(t, "2 2", produced(t, target, slices.Concat(b(2, "2"), b(2, "2"))), "E31")
	expect(t, "2 3", produced(t, target, slices.Concat(b(2, "2"), b(3, "3"))), "2")
	expect(t, "log", logText(t, target, nil), "0+A(0) 1+A(1) 2+A(2) 3+A(3)")
}

func TestFetch(t *testing.T) {
	target := newTarget(t, logDescriptor(t, "a INT, b STRING, c BIGINT", nil))
	var batches [][]byte
	for i := range 4 {
		b := logBatch(t, target.table(), -1, -1, fmt.Sprintf("%d,%s,7", i, strings.Repeat("x", 50*i)), "9,y,~")
		expect(t, "produce", produced(t, target, b), fmt.Sprint(2*i))
		batches = append(batches, b)
	}
	size := func(n int) (sum int) {
		for _, b := range batches[:n] {
			sum += len(b)
		}
		return sum
	}
	for _, c := range []struct {
		name   string
		offset int64
		max    int
		want   string // bytes and end, or an error
	}{
		{"all", 0, 1 << 20, fmt.Sprintf("%d 8", size(4))},
		{"earliest", -2, 1 << 20, fmt.Sprintf("%d 8", size(4))},
		{"inside a batch", 3, 1 << 20, fmt.Sprintf("%d 8", size(4)-size(1))},
		{"the end", 8, 1 << 20, "0 8"},
		{"behind the end", 9, 1 << 20, "E19"},
		{"-1", -1, 1 << 20, "E19"},
		{"-3", -3, 1 << 20, "E19"},
		{"one byte", 0, 1, fmt.Sprintf("%d 8", size(1))},
		{"no byte", 0, 0, fmt.Sprintf("%d 8", size(1))},
		{"negative", 0, -1, "E-1"},
		{"negative, the end", 8, -1, "0 8"},
		{"a byte more", 0, size(1) + 1, fmt.Sprintf("%d 8", size(1)+1)},
		{"a cut header", 0, size(1) + 5, fmt.Sprintf("%d 8", size(1)+5)},
		{"a byte less than two", 2, len(batches[1]) + len(batches[2]) - 1, fmt.Sprintf("%d 8", len(batches[1])+len(batches[2])-1)},
		{"two", 2, len(batches[1]) + len(batches[2]), fmt.Sprintf("%d 8", len(batches[1])+len(batches[2]))},
	} {
		records, end, err := target.fetch(c.offset, c.max, nil)
		got := fmt.Sprintf("%d %d", len(records), end)
		if err != nil {
			got = answer(t, 0, err)
		}
		expect(t, c.name, got, c.want)
	}
}

// TestFetchEmptyBatch: a limit of no more than a header gives nothing even where a header is all there is.
func TestFetchEmptyBatch(t *testing.T) {
	s := script{columns: "k INT, v STRING"}
	target := newTarget(t, s.descriptor(t))
	runStep(t, target, "put 1,a")
	runStep(t, target, "put !2")
	runStep(t, target, "put 2,b")
	for max, want := range map[int]string{0: "0", 48: "0", 49: "49"} {
		records, _, err := target.fetch(1, max, nil)
		expect(t, fmt.Sprint(max), answer(t, int64(len(records)), err), want)
	}
	expect(t, "projected", logText(t, target, []int32{1}), "0+I(a) 1. 2+I(b)")
}

func TestProjection(t *testing.T) {
	for _, codec := range []string{"zstd", "lz4_frame", "none"} {
		t.Run(codec, func(t *testing.T) {
			target := newTarget(t, logDescriptor(t, "a INT, b STRING, c BIGINT, d BOOLEAN",
				map[string]string{"table.log.arrow.compression.type": codec}))
			long := strings.Repeat("x", 500)
			for i := range 3 {
				produced(t, target, logBatch(t, target.table(), -1, -1, fmt.Sprintf("%d,%s,%d,true", i, long, 10*i), "5,~,~,~"))
			}
			expect(t, "a c", logText(t, target, []int32{0, 2}), "0+A(0,0) 1+A(5,~) 2+A(1,10) 3+A(5,~) 4+A(2,20) 5+A(5,~)")
			expect(t, "d", logText(t, target, []int32{3}), "0+A(true) 1+A(~) 2+A(true) 3+A(~) 4+A(true) 5+A(~)")
			whole := logText(t, target, nil)
			expect(t, "all", logText(t, target, []int32{0, 1, 2, 3}), whole)
			stored := fetchAll(t, target, nil)
			for i, b := range fetchAll(t, target, []int32{0}) {
				if b.CRC != stored[i].CRC || b.CommitMillis != stored[i].CommitMillis {
					t.Errorf("batch %d: header %+v, stored %+v", i, b, stored[i])
				}
			}
			for name, columns := range map[string][]int32{"descending": {1, 0}, "twice": {1, 1}, "beyond": {0, 4}, "negative": {-1}} {
				_, _, err := target.fetch(0, 1<<20, columns)
				expect(t, name, answer(t, 0, err), "E34")
			}
			// The limit counts what is sent, and room for the whole of the first batch is always there.
			records, _, err := target.fetch(0, 100, []int32{0})
			if err != nil || len(records) == 0 || len(records) > len(stored[0].Bytes) {
				t.Errorf("limit 100: %d bytes, the first batch has %d stored, %v", len(records), len(stored[0].Bytes), err)
			}
			for len(records) > 0 {
				if _, records, err = record.NextLogBatch(records); err != nil {
					t.Fatal(err) // projected batches come whole
				}
			}
			_, _, err = target.fetch(6, 1<<20, []int32{1, 0})
			expect(t, "descending, at the end", answer(t, 0, err), "0")
		})
	}
	for _, format := range []string{"indexed", "compacted"} {
		target := newTarget(t, logDescriptor(t, "a INT, b STRING", map[string]string{"table.log.format": format}))
		_, _, err := target.fetch(0, 1<<20, []int32{0})
		expect(t, format, answer(t, 0, err), "E34")
	}
}

func TestProjectionOfOldBatches(t *testing.T) {
	s := script{columns: "k INT, v STRING"}
	target := newTarget(t, s.descriptor(t))
	runStep(t, target, "put 1,a")
	target.addColumn(parseColumn(t, "n INT"))
	runStep(t, target, "put 2,b,5")
	expect(t, "old column", logText(t, target, []int32{1}), "0+I(a) 1+I(b)")
	_, _, err := target.fetch(0, 1<<20, []int32{0, 2})
	expect(t, "new column from the start", answer(t, 0, err), "E34")
	records, _, err := target.fetch(1, 1<<20, []int32{0, 2})
	b, _, e := record.NextLogBatch(records)
	if err != nil || e != nil {
		t.Fatal(err, e)
	}
	expect(t, "new column", strings.Join(batchText(t, target, &b, []int32{0, 2}), " "), "1+I(2,5)")
}

// TestProjectionOfGarbage: what a server stores without a look it cannot project.
func TestProjectionOfGarbage(t *testing.T) {
	target := newTarget(t, logDescriptor(t, "a INT, b STRING", nil))
	b := logBatch(t, target.table(), -1, -1, "1,a")
	b[25] = 9
	binary.LittleEndian.PutUint32(b[21:], crc32.Checksum(b[25:], crc32.MakeTable(crc32.Castagnoli)))
	expect(t, "produce", produced(t, target, b), "0")
	_, _, err := target.fetch(0, 1<<20, []int32{0})
	expect(t, "unknown schema", answer(t, 0, err), "E9")
	_, _, err = target.fetch(0, 1<<20, nil)
	expect(t, "whole", answer(t, 0, err), "0")
}

func TestOffsets(t *testing.T) {
	target := newTarget(t, logDescriptor(t, "a INT", nil))
	offset := func(kind int32, millis int64) string {
		t.Helper()
		n, err := target.offset(kind, millis)
		return answer(t, n, err)
	}
	expect(t, "earliest", offset(listEarliest, 0), "0")
	expect(t, "latest", offset(listLatest, 0), "0")
	expect(t, "empty, 0", offset(listTimestamp, 0), "0")
	expect(t, "empty, -1", offset(listTimestamp, -1), "E-1")
	expect(t, "empty, -5", offset(listTimestamp, -5), "E-1")
	before := time.Now().UnixMilli()
	for i := range 3 {
		produced(t, target, logBatch(t, target.table(), -1, -1, fmt.Sprint(i), "9"))
		for now := time.Now().UnixMilli(); time.Now().UnixMilli() <= now+1; { // the next batch gets another time
		}
	}
	batches := fetchAll(t, target, nil)
	if batches[0].CommitMillis < before {
		t.Errorf("time of the first batch: %d, before %d", batches[0].CommitMillis, before)
	}
	for i, b := range batches {
		expect(t, "at", offset(listTimestamp, b.CommitMillis), fmt.Sprint(2*i))
		expect(t, "behind", offset(listTimestamp, b.CommitMillis+1), fmt.Sprint(2*i+2))
	}
	expect(t, "0", offset(listTimestamp, 0), "0")
	expect(t, "-5", offset(listTimestamp, -5), "0")
	expect(t, "latest", offset(listLatest, 0), "6")
	expect(t, "now", offset(listTimestamp, time.Now().UnixMilli()-1), "6")
	expect(t, "future", offset(listTimestamp, time.Now().UnixMilli()+60000), "E38")
}

// TestLogLimitScan: batches from the one that holds the offset limit before the end.
func TestLogLimitScan(t *testing.T) {
	target := newTarget(t, logDescriptor(t, "a INT", nil))
	scan := func(limit int) string {
		t.Helper()
		records, err := target.limitScan(limit)
		if err != nil {
			return answer(t, 0, err)
		}
		var words []string
		for {
			b, rest, err := record.NextLogBatch(records)
			if err == io.EOF {
				return strings.Join(words, " ")
			}
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, batchText(t, target, &b, nil)...)
			records = rest
		}
	}
	expect(t, "empty", scan(5), "")
	for i := range 3 {
		produced(t, target, logBatch(t, target.table(), -1, -1, fmt.Sprint(2*i), fmt.Sprint(2*i+1)))
	}
	expect(t, "0", scan(0), "")
	expect(t, "1", scan(1), "4+A(4) 5+A(5)")
	expect(t, "2", scan(2), "4+A(4) 5+A(5)")
	expect(t, "3", scan(3), "2+A(2) 3+A(3) 4+A(4) 5+A(5)")
	expect(t, "100", scan(100), "0+A(0) 1+A(1) 2+A(2) 3+A(3) 4+A(4) 5+A(5)")
	expect(t, "-1", scan(-1), "E19")
}
