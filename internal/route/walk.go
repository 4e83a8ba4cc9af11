package route

import (
	"errors"
	"io"
	"math"

	"github.com/gofluss/fluss/internal/record"
)

// walked is what a walk over the batches of an answer gave.
type walked struct {
	records []byte // whole batches that hold wanted offsets, with empty ones between them
	count   int    // records in them
	next    int64  // offset to go on at
	oldest  int16  // lowest schema id
	needed  int64  // bytes of the batch that is cut off, as far as they can be read
	err     error  // the batch at next is damaged
	behind  int64  // where the batch behind the damaged one begins; -1 when nothing tells
	late    bool   // the batch at next was committed too late to be wanted
}

// span is what is wanted of a log: offsets from next, to end (exclusive), committed from since, to until (exclusive).
type span struct {
	next, end    int64 // end is MaxInt64 when there is none
	since, until int64 // milliseconds since the epoch; until is MaxInt64 when there is none
}

// walk looks at the batches in b: it drops those wholly below next and those that come before the first of since, stops at
// end and at a batch of until or later, and leaves a cut-off tail out. Offsets must go on without a gap and never go back.
func walk(b []byte, of span, crc bool) (w walked) {
	next, end := of.next, of.end
	w.next, w.oldest, w.behind = next, math.MaxInt16, -1
	start, stop := -1, 0
	for rest := b; w.next < end; {
		batch, tail, err := record.NextLogBatch(rest)
		if err != nil {
			if errors.Is(err, record.ErrTruncated) {
				w.needed = batchLength(rest)
			} else if !errors.Is(err, io.EOF) {
				w.err = err
			}
			break
		}
		at := len(b) - len(rest)
		rest = tail
		if batch.NextOffset() <= next && w.next == next {
			continue
		}
		if batch.BaseOffset > w.next {
			w.err, w.behind = malformed("offsets %d to %d are missing", w.next, batch.BaseOffset-1), batch.BaseOffset
			break
		}
		if batch.BaseOffset < w.next && w.next > next {
			w.err = malformed("offsets go back to %d", batch.BaseOffset)
			break
		}
		if crc {
			if w.err = batch.CheckCRC(); w.err != nil {
				w.behind = behind(&batch, tail, end)
				break
			}
		}
		if batch.CommitMillis >= of.until {
			w.late = true
			break
		}
		w.next = batch.NextOffset()
		w.oldest = min(w.oldest, batch.SchemaID)
		if batch.Count > 0 && (start >= 0 || batch.CommitMillis >= of.since) {
			if start < 0 {
				start = at
			}
			stop = len(b) - len(rest)
			w.count += int(batch.Count)
		}
	}
	if start >= 0 {
		w.records = b[start:stop:stop]
	}
	return w
}

// behind is where the batch behind a damaged one begins: where the header of that one says, since what the damaged one says
// of itself may be damaged too, or else where the damaged one ends, if that can be.
func behind(damaged *record.LogBatch, tail []byte, end int64) int64 {
	next, _, err := record.NextLogBatch(tail)
	switch {
	case err == nil && next.BaseOffset > damaged.BaseOffset:
		return next.BaseOffset
	case errors.Is(err, io.EOF), errors.Is(err, record.ErrTruncated):
		if damaged.NextOffset() <= end {
			return damaged.NextOffset()
		}
	}
	return -1
}

// batchLength is the length of the batch that b begins with and does not hold whole.
func batchLength(b []byte) int64 {
	if len(b) < 12 {
		return 0
	}
	return 12 + (int64(b[8]) | int64(b[9])<<8 | int64(b[10])<<16 | int64(b[11])<<24)
}

func reason(err error) string {
	if corrupt, ok := errors.AsType[*record.CorruptError](err); ok && corrupt.Cause == nil {
		return corrupt.Reason
	}
	return err.Error()
}
