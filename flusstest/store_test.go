package flusstest

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
)

func memoryKeyTable(t testing.TB, columns string) *memoryTarget {
	t.Helper()
	s := script{columns: columns}
	return newMemoryTarget(t, s.descriptor(t))
}

// TestRestart: the newest batch of each writer is what a server remembers after a clean restart.
func TestRestart(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	const w, v = 11, 12
	for i := range int32(5) {
		produced(t, m, logBatch(t, m.table(), w, i, fmt.Sprint(i)))
	}
	produced(t, m, logBatch(t, m.table(), v, 0, "9"))
	m.store.forgetWriters()
	for i := range int32(4) {
		expect(t, fmt.Sprint(i), produced(t, m, logBatch(t, m.table(), w, i, "0")), "E31")
	}
	expect(t, "4", produced(t, m, logBatch(t, m.table(), w, 4, "0")), "4")
	expect(t, "other writer", produced(t, m, logBatch(t, m.table(), v, 0, "0")), "5")
	expect(t, "5", produced(t, m, logBatch(t, m.table(), w, 5, "5")), "6")
	expect(t, "4 again", produced(t, m, logBatch(t, m.table(), w, 4, "0")), "4")
}

// TestWriterExpiry: a writer is forgotten after seven days of silence and begins at 0 again.
func TestWriterExpiry(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	now := time.UnixMilli(1_700_000_000_000)
	m.clock = func() time.Time { return now }
	produced(t, m, logBatch(t, m.table(), 5, 0, "0"))
	now = now.Add(7 * 24 * time.Hour)
	expect(t, "after seven days", produced(t, m, logBatch(t, m.table(), 5, 1, "1")), "1")
	now = now.Add(7*24*time.Hour + time.Millisecond)
	expect(t, "after more", produced(t, m, logBatch(t, m.table(), 5, 2, "2")), "E31")
	expect(t, "from 0", produced(t, m, logBatch(t, m.table(), 5, 0, "2")), "2")
}

func TestSequenceWraps(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	m.store.writers.wrote(5, writtenBatch{sequence: math.MaxInt32 - 1}, m.clock().UnixMilli())
	expect(t, "last", produced(t, m, logBatch(t, m.table(), 5, math.MaxInt32, "0")), "0")
	expect(t, "1", produced(t, m, logBatch(t, m.table(), 5, 1, "0")), "E31")
	expect(t, "0", produced(t, m, logBatch(t, m.table(), 5, 0, "0")), "1")
}

// TestTimestampsNeverGoBack even when the clock does.
func TestTimestampsNeverGoBack(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	now := time.UnixMilli(1_700_000_000_000)
	m.clock = func() time.Time { return now }
	produced(t, m, logBatch(t, m.table(), -1, -1, "0"))
	now = now.Add(-time.Hour)
	produced(t, m, logBatch(t, m.table(), -1, -1, "1"))
	b := fetchAll(t, m, nil)
	if b[1].CommitMillis != b[0].CommitMillis {
		t.Errorf("times %d and %d", b[0].CommitMillis, b[1].CommitMillis)
	}
}

// TestRefusedBatch: what a batch with an error inside leaves behind is nothing, its sequence included.
func TestRefusedBatch(t *testing.T) {
	s := script{columns: "k INT, n DECIMAL(3;0) sum", props: aggregationOnly}
	target := newTarget(t, s.descriptor(t))
	send := func(sequence int32, rows ...string) string {
		end, err := target.put(batchOf(t, target.table(), target.table().Schema, 4000000009, sequence, rows), nil, false)
		return answer(t, end, err)
	}
	expect(t, "0", send(0, "1,900", "2,5"), "2")
	expect(t, "1: 1001 does not fit", send(1, "3,1", "2,5", "1,101", "2,7"), "E-1")
	expect(t, "rows", rowsText(t, target), "1(1,900) 1(2,5)")
	expect(t, "1 once more", send(1, "3,1", "2,5", "1,99"), "7")
	expect(t, "2 behind a gap", send(3, "4,1"), "E31")
	expect(t, "rows", rowsText(t, target), "1(1,999) 1(2,10) 1(3,1)")
	expect(t, "1 again", send(1, "3,1", "2,5", "1,99"), "E-1") // merged before it is known as sent again
	expect(t, "1 again, harmless", send(1, "3,1", "2,5", "1,-99"), "7")
	expect(t, "rows", rowsText(t, target), "1(1,999) 1(2,10) 1(3,1)")
}

func TestExpiredHead(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	for i := range 5 {
		produced(t, m, logBatch(t, m.table(), -1, -1, fmt.Sprint(2*i), fmt.Sprint(2*i+1)))
	}
	m.store.expireTo(5)
	expect(t, "log", logText(t, m, nil), "4+A(4) 5+A(5) 6+A(6) 7+A(7) 8+A(8) 9+A(9)")
	_, _, err := m.fetch(4, 1<<20, nil)
	expect(t, "below", answer(t, 0, err), "E19")
	n, err := m.stats()
	expect(t, "stats", answer(t, n, err), "5")
	m.store.expireTo(100)
	expect(t, "earliest", fmt.Sprint(m.store.earliest(), m.store.logEnd()), "10 10")
	expect(t, "produce", produced(t, m, logBatch(t, m.table(), -1, -1, "7")), "10")
	expect(t, "log", logText(t, m, nil), "10+A(7)")
}

func TestCorrupt(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	for i := range 3 {
		produced(t, m, logBatch(t, m.table(), -1, -1, fmt.Sprint(i)))
	}
	before, _, _ := m.fetch(0, 1<<20, nil)
	held := slices.Clone(before)
	if !m.store.corrupt(1, 50) || m.store.corrupt(3, 0) || m.store.corrupt(1, 1<<20) {
		t.Error("corrupt says the wrong thing")
	}
	if !slices.Equal(before, held) {
		t.Error("an answer that was given has changed")
	}
	for i, b := range fetchBatches(t, m) {
		if (b.CheckCRC() != nil) != (i == 1) {
			t.Errorf("batch %d: %v", i, b.CheckCRC())
		}
	}
}

func fetchBatches(t *testing.T, m *memoryTarget) (list []record.LogBatch) {
	t.Helper()
	records, _, err := m.fetch(fromEarliest, 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	for len(records) > 0 {
		b, rest, err := record.NextLogBatch(records)
		if err != nil {
			t.Fatal(err)
		}
		list, records = append(list, b), rest
	}
	return list
}

func TestTruncate(t *testing.T) {
	m := memoryKeyTable(t, "k INT, v STRING")
	table := m.table()
	send := func(sequence int32, rows ...string) string {
		end, err := m.put(batchOf(t, table, table.Schema, 77, sequence, rows), nil, false)
		return answer(t, end, err)
	}
	send(0, "1,a", "2,b")
	send(1, "1,c", "!2")
	want := rowsText(t, m)
	send(2, "3,x")
	send(3, "1,z")
	if err := m.store.truncateTo(5); err != nil {
		t.Fatal(err)
	}
	expect(t, "log", logText(t, m, nil), "0+I(1,a) 1+I(2,b) 2-U(1,a) 3+U(1,c) 4-D(2,b)")
	expect(t, "rows", rowsText(t, m), want)
	expect(t, "3", send(3, "1,z"), "E31")
	expect(t, "1", send(1, "1,c", "!2"), "5")
	expect(t, "2", send(2, "3,x"), "6")
	n, err := m.stats()
	expect(t, "stats", answer(t, n, err), "2")
}

func TestGrown(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT", nil))
	isClosed := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	}
	c := m.store.grown(0)
	if isClosed(c) {
		t.Error("closed before anything was written")
	}
	produced(t, m, logBatch(t, m.table(), -1, -1, "0", "1"))
	if !isClosed(c) || !isClosed(m.store.grown(1)) || isClosed(m.store.grown(2)) {
		t.Error("grown is wrong after a write")
	}
}

// TestLongLog reads a log of many chunks in pieces that cross their borders.
func TestLongLog(t *testing.T) {
	m := newMemoryTarget(t, logDescriptor(t, "a INT, b STRING", map[string]string{"table.log.arrow.compression.type": "none"}))
	text := strings.Repeat("x", 700)
	for i := range 300 {
		produced(t, m, logBatch(t, m.table(), -1, -1, fmt.Sprintf("%d,%s", i, text)))
	}
	offset, n := int64(0), 0
	for offset < 300 {
		records, _, err := m.fetch(offset, 5000, nil)
		if err != nil {
			t.Fatal(err)
		}
		for {
			b, rest, err := record.NextLogBatch(records)
			if err != nil {
				break
			}
			if err := b.CheckCRC(); err != nil || b.BaseOffset != offset {
				t.Fatal(b.BaseOffset, offset, err)
			}
			offset, records, n = b.NextOffset(), rest, n+1
		}
	}
	if n != 300 || len(m.store.log.chunks) < 3 {
		t.Errorf("%d batches in %d chunks", n, len(m.store.log.chunks))
	}
}

// TestConcurrent has writers, readers, scanners and fetchers at one bucket. Each writer owns keys and counts them up;
// a batch sets all its keys to one number, so whoever reads them together must find them equal.
func TestConcurrent(t *testing.T) {
	m := memoryKeyTable(t, "k INT, v BIGINT")
	table := m.table()
	const writers, keys, rounds = 4, 10, 15
	keyBytes := func(w, k int) []byte { return parseKeys(t, table, []string{fmt.Sprint(1 + w*keys + k)})[0] }
	all := make([][][]byte, writers)
	for w := range writers {
		for k := range keys {
			all[w] = append(all[w], keyBytes(w, k))
		}
	}
	var writing, reading sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		writing.Go(func() {
			for i := range rounds {
				var rows []string
				for k := range keys {
					rows = append(rows, fmt.Sprintf("%d,%d", 1+w*keys+k, i))
				}
				batch := batchOf(t, table, table.Schema, int64(w), int32(i), rows)
				for range 2 { // sent twice, applied once
					if _, err := m.put(batch, nil, false); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	until := func(f func()) {
		reading.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					f()
				}
			}
		})
	}
	for w := range writers {
		until(func() {
			values := m.store.lookups(nil, all[w])
			for _, v := range values {
				if (v == nil) != (values[0] == nil) || v != nil && string(v[4:]) != string(values[0][4:]) {
					t.Errorf("a batch is seen by half: %x", values)
				}
			}
		})
	}
	until(func() {
		records, _, err := m.store.limitScan(math.MaxInt32)
		b, err2 := record.ReadValueBatch(records)
		if err != nil || err2 != nil || b.Count%keys != 0 {
			t.Error(b.Count, err, err2)
		}
	})
	until(func() {
		if _, _, err := m.fetch(0, 1000, []int32{1}); err != nil {
			t.Error(err)
		}
		records, _, err := m.fetch(m.store.logEnd()/2, 3000, nil)
		if err != nil || len(records) > 0 && binary.LittleEndian.Uint64(records) > uint64(m.store.logEnd()) {
			t.Error(err)
		}
	})
	until(func() {
		<-m.store.grown(-1)
		m.store.prefix(nil)
		if _, err := m.store.rowCount(); err != nil {
			t.Error(err)
		}
	})
	writing.Wait()
	close(done)
	reading.Wait()
	n, err := m.stats()
	expect(t, "rows", answer(t, n, err), fmt.Sprint(writers*keys))
	expect(t, "end", fmt.Sprint(m.store.logEnd()), fmt.Sprint(writers*keys*(2*rounds-1)))
}

// TestMemory pins what the store promises: no more than four times the bytes that it holds, in many batches of one
// row or in few large ones, also while rows are updated, removed, and scanned in between.
func TestMemory(t *testing.T) {
	for _, size := range []int{1, 500} {
		m := memoryKeyTable(t, "k INT, v STRING, n INT")
		table := m.table()
		for round := range 6 {
			for from := 0; from < 4000; from += size {
				var rows []string
				for i := from; i < from+size; i++ {
					if round == 4 && i%2 == 0 {
						rows = append(rows, fmt.Sprintf("!%d", i))
						continue
					}
					rows = append(rows, fmt.Sprintf("%d,value %d,%d", i, i*round, round))
				}
				if _, err := m.put(batchOf(t, table, table.Schema, 3, int32(round*4000+from)/int32(size), rows), nil, false); err != nil {
					t.Fatal(err)
				}
			}
			m.store.prefix(nil)
			s := m.store.sizes()
			if memory, data := s.RowMemory+s.LogMemory, s.RowBytes+s.LogBytes; memory > 4*data {
				t.Errorf("batches of %d, round %d: %d bytes of memory for %d of data: %+v", size, round, memory, data, s)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	next := int64(1)
	n := numbers{size: 3, block: func(size int64) int64 { next += size; return next - size }}
	other := numbers{size: 3, block: n.block}
	var got []int64
	for range 4 {
		got = append(got, n.take(), other.take())
	}
	if want := []int64{1, 4, 2, 5, 3, 6, 7, 10}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	s := script{columns: "k INT, n INT", auto: "n"}
	m := newMemoryTarget(t, s.descriptor(t))
	m.counter = math.MaxInt32 - 1
	batch := func(k string) []byte { return batchOf(t, m.table(), m.table().Schema, -1, -1, []string{k + ",~"}) }
	if _, err := m.put(batch("1"), []int32{0}, false); err != nil {
		t.Error(err)
	}
	_, err := m.put(batch("2"), []int32{0}, false)
	if c := code(t, err); c != wire.CodeUnknownServerError {
		t.Errorf("a number beyond INT: %v", err)
	}
}
