package route

import (
	"bytes"
	"math"
	"testing"

	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/record"
)

// A walk never goes back, gives only whole batches that touch the range, and without an error or a cut-off tail
// comes to the end of the bytes or of the range.
func FuzzWalk(f *testing.F) {
	var log []byte
	for _, b := range []fakeBatch{logBatch(0, 3, 10, 1), logBatch(3, 0, 0, 1), logBatch(4, 2, 50, 2), logBatch(6, 1, 0, 2)} {
		log = append(log, b.bytes...)
	}
	f.Add(log, int64(0), int64(7), true)
	f.Add(log, int64(4), int64(5), false)
	f.Add(log[:len(log)-5], int64(2), int64(100), true)
	f.Add(log[:30], int64(0), int64(100), true)
	fuzzbound.Fuzz(f, func(t *testing.T, b []byte, next, end int64, crc bool) {
		if next < 0 || end <= next {
			return
		}
		var w walked
		fuzzbound.Check(t, len(b), func() { w = walk(b, span{next: next, end: end, until: math.MaxInt64}, crc) })
		if w.next < next {
			t.Fatalf("went from %d to %d", next, w.next)
		}
		if w.count > 0 != (len(w.records) > 0) || !bytes.Contains(b, w.records) {
			t.Fatalf("%d records in %d bytes", w.count, len(w.records))
		}
		count, at := 0, int64(-1)
		for rest := w.records; len(rest) > 0; {
			batch, tail, err := record.NextLogBatch(rest)
			if err != nil {
				t.Fatalf("records hold %v", err)
			}
			if at >= 0 && batch.BaseOffset != at || batch.BaseOffset >= end || batch.NextOffset() <= next {
				t.Fatalf("batch [%d, %d) after offset %d", batch.BaseOffset, batch.NextOffset(), at)
			}
			count += int(batch.Count)
			at = batch.NextOffset()
			rest = tail
		}
		if count != w.count || at > w.next {
			t.Fatalf("%d records to %d, the walk says %d to %d", count, at, w.count, w.next)
		}
	})
}
