package flusstest

import (
	"math"

	"github.com/gofluss/fluss/internal/wire"
)

const (
	// rememberedBatches is how many batches of a writer a bucket recognizes when they are sent again.
	// Source: WriterStateEntry (Java, v0.9.1-incubating).
	rememberedBatches = 5
	// writerLifeMillis is server.writer-id.expiration-time: 7 days without a write.
	writerLifeMillis = 7 * 24 * 60 * 60 * 1000

	noWriter = -1
)

// writtenBatch is a batch that a bucket remembers.
type writtenBatch struct {
	sequence int32
	base     int64 // offset of its first record
	next     int64 // offset behind it
}

// writerState is what a bucket knows about a writer.
type writerState struct {
	batches [rememberedBatches]writtenBatch // oldest first
	n       int
	millis  int64 // commit timestamp of the newest
}

func (w *writerState) last() int32 {
	if w.n == 0 {
		return -1
	}
	return w.batches[w.n-1].sequence
}

func (w *writerState) add(b writtenBatch, millis int64) {
	if w.n == rememberedBatches {
		copy(w.batches[:], w.batches[1:])
		w.n--
	}
	w.batches[w.n] = b
	w.n++
	w.millis = millis
}

func (w *writerState) find(sequence int32) *writtenBatch {
	for i := range w.n {
		if w.batches[i].sequence == sequence {
			return &w.batches[i]
		}
	}
	return nil
}

// storeWriters is the state of the writers of a bucket, by writer id.
type storeWriters struct{ byID map[int64]*writerState }

// state returns what is known about a writer, nil for one that is unknown or was silent for too long.
func (s *storeWriters) state(id, nowMillis int64) *writerState {
	w := s.byID[id]
	if w != nil && nowMillis-w.millis > writerLifeMillis {
		delete(s.byID, id)
		return nil
	}
	return w
}

// follows reports whether sequence is the one that comes behind last.
func follows(last, sequence int32) bool {
	return int64(sequence) == int64(last)+1 || sequence == 0 && last == math.MaxInt32
}

// admit says whether a batch is new (nil), was written already (then as which), or must be refused with code 31. A
// batch without a writer is always new. lastOffset is where the batch would end.
func (s *storeWriters) admit(id int64, sequence int32, lastOffset, nowMillis int64) (*writtenBatch, error) {
	if id == noWriter {
		return nil, nil
	}
	last := int32(-1)
	if w := s.state(id, nowMillis); w != nil {
		if known := w.find(sequence); known != nil {
			return known, nil
		}
		last = w.last()
	}
	return nil, checkSequence(id, last, sequence, lastOffset)
}

func checkSequence(id int64, last, sequence int32, lastOffset int64) error {
	if follows(last, sequence) {
		return nil
	}
	return refusef(wire.CodeOutOfOrderSequence,
		"Out of order batch sequence for writer %d at offset %d: %d (incoming batch seq.), %d (current batch seq.)",
		id, lastOffset, sequence, last)
}

// wrote remembers a batch.
func (s *storeWriters) wrote(id int64, b writtenBatch, millis int64) {
	if id == noWriter {
		return
	}
	w := s.byID[id]
	if w == nil {
		if s.byID == nil {
			s.byID = make(map[int64]*writerState)
		}
		w = &writerState{}
		s.byID[id] = w
	}
	w.add(b, millis)
}

// forget keeps the newest batch of each writer alone, which is what a server remembers after a clean restart.
func (s *storeWriters) forget() {
	for _, w := range s.byID {
		if w.n > 1 {
			w.batches[0] = w.batches[w.n-1]
			w.n = 1
		}
	}
}
