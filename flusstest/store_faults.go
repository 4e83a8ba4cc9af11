package flusstest

import (
	"slices"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// What tests do to a bucket behind its clients' backs.

// forgetWriters leaves the newest batch of each writer alone in memory, as a clean restart does.
func (b *bucketStore) forgetWriters() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writers.forget()
}

// expireTo drops the head of the log up to offset, whole batches only, and makes offset the earliest one.
func (b *bucketStore) expireTo(offset int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &b.log
	offset = min(max(offset, l.start), l.end)
	i := l.find(offset)
	for j := range i {
		l.size -= int64(l.batches[j].size)
	}
	l.batches = slices.Clone(l.batches[i:])
	l.start = offset
	if len(l.batches) > 0 {
		clear(l.chunks[:l.batches[0].chunk]) // their bytes go when no answer holds them
	} else {
		clear(l.chunks[:max(len(l.chunks)-1, 0)])
	}
}

// corrupt changes one byte of the batch that holds offset, at that distance from its start. Answers that were given
// before keep the old bytes. It reports whether there is such a byte.
func (b *bucketStore) corrupt(offset int64, at int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &b.log
	if offset < l.start || offset >= l.end {
		return false
	}
	e := &l.batches[l.find(offset)]
	if at < 0 || at >= int(e.size) {
		return false
	}
	old := l.chunks[e.chunk]
	chunk := append(make([]byte, 0, cap(old)), old...)
	chunk[int(e.at)+at] ^= 0xff
	l.chunks[e.chunk] = chunk
	return true
}

// truncateTo drops the batches from the one on that holds offset, as a server does that comes back without what it
// had not made safe. The rows of a key table are made again from what is left of the change log, which must not have
// expired. Writers are remembered as after a clean restart.
func (b *bucketStore) truncateTo(offset int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &b.log
	i := l.find(max(offset, l.start))
	if i == len(l.batches) {
		return nil
	}
	l.end = l.batches[i].base
	for j := i; j < len(l.batches); j++ {
		l.size -= int64(l.batches[j].size)
	}
	l.batches = slices.Clone(l.batches[:i])
	l.newest = 0
	if i > 0 {
		l.newest = l.batches[i-1].millis
	}
	b.writers = storeWriters{}
	if b.rows != nil {
		b.rows, b.rowsLive = newStoreRows(), 0
	}
	for j := range l.batches {
		if err := b.replay(&l.batches[j]); err != nil {
			return err
		}
	}
	b.writers.forget()
	if b.rows != nil {
		b.rows.commit()
		b.rowsLive = int64(b.rows.live)
	}
	return nil
}

// replay does again what a batch of the log did to writers and rows.
func (b *bucketStore) replay(e *logEntry) error {
	lb, _, err := record.NextLogBatch(b.log.bytes(e))
	if err != nil {
		return err
	}
	b.writers.wrote(lb.WriterID, writtenBatch{lb.Sequence, lb.BaseOffset, lb.NextOffset()}, lb.CommitMillis)
	if b.rows == nil || lb.Count == 0 {
		return nil
	}
	h, err := b.shape(int(lb.SchemaID))
	if err != nil {
		return err
	}
	d, err := record.NewLogDecoder(h.table, h.schema, nil)
	if err != nil {
		return err
	}
	rows, err := d.Decode(&lb)
	if err != nil {
		return err
	}
	return b.replayRows(h, rows)
}

func (b *bucketStore) replayRows(h *shape, rows *record.LogRows) error {
	keys, err := row.NewKeyEncoder(h.table)
	if err != nil {
		return err
	}
	values := make([]row.Datum, h.width())
	for i := range rows.Len() {
		for c := range values {
			rows.Datum(&values[c], c, i)
		}
		key, err := keys.Append(nil, values)
		if err != nil {
			return err
		}
		switch rows.Change(i) {
		case record.Insert, record.UpdateAfter:
			b.rows.put(key, int16(h.schema.ID), h.codec.Append(nil, values))
		case record.Delete:
			if b.rows.get(key) != nil {
				b.rows.remove(key)
			}
		}
	}
	return nil
}

// storeSizes is what a bucket holds.
type storeSizes struct {
	LogBytes  int64 // of all batches
	LogMemory int64 // allocated for them
	Rows      int64 // live rows of a key table
	RowBytes  int64 // of their keys and values
	RowMemory int64 // allocated for them, what is out of use but not freed yet included
	Writers   int   // writers with a state
}

func (b *bucketStore) sizes() storeSizes {
	b.mu.RLock()
	defer b.mu.RUnlock()
	s := storeSizes{LogBytes: b.log.size, Writers: len(b.writers.byID)}
	for _, c := range b.log.chunks {
		s.LogMemory += int64(cap(c))
	}
	s.LogMemory += 40 * int64(cap(b.log.batches))
	if b.rows != nil {
		s.Rows = int64(b.rows.live)
		s.RowBytes = int64(b.rows.used - b.rows.dead)
		s.RowMemory = int64(b.rows.bytes())
	}
	return s
}
