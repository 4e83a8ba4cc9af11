package flusstest

import "sort"

const (
	minLogChunk = 4 << 10
	maxLogChunk = 8 << 20
)

// storeLog is the log of a bucket: batches back to back in chunks. The bytes of a batch are written once, before the
// batch is published, and are handed out without a copy.
type storeLog struct {
	chunks  [][]byte // a chunk grows within its capacity and is never moved
	batches []logEntry
	start   int64 // first offset held
	end     int64 // offset of the next record
	newest  int64 // commit timestamp of the newest batch
	size    int64 // bytes of all batches held
	growth  chan struct{}
}

// logEntry is one batch of the log.
type logEntry struct {
	base     int64 // offset of its first record
	millis   int64 // commit timestamp
	chunk    int32
	at       int32 // where it starts in the chunk
	size     int32
	schemaID int16
	bare     bool // a header without records
}

// append copies a stamped batch to the end of the log. next is the offset behind it.
func (l *storeLog) append(batch []byte, schemaID int16, bare bool, next, millis int64) {
	c := l.room(len(batch))
	chunk := &l.chunks[c]
	l.batches = append(l.batches, logEntry{
		base: l.end, millis: millis, chunk: int32(c), at: int32(len(*chunk)), size: int32(len(batch)),
		schemaID: schemaID, bare: bare,
	})
	*chunk = append(*chunk, batch...)
	l.end, l.newest = next, max(l.newest, millis)
	l.size += int64(len(batch))
	if l.growth != nil {
		close(l.growth)
		l.growth = nil
	}
}

// room returns the index of a chunk with that many free bytes.
func (l *storeLog) room(size int) int {
	last := len(l.chunks) - 1
	if last >= 0 && cap(l.chunks[last])-len(l.chunks[last]) >= size {
		return last
	}
	// Doubling keeps what is allocated within twice of what is used.
	grow := min(max(int(l.size), minLogChunk), maxLogChunk)
	l.chunks = append(l.chunks, make([]byte, 0, max(grow, size)))
	return last + 1
}

func (l *storeLog) bytes(e *logEntry) []byte {
	end := e.at + e.size
	return l.chunks[e.chunk][e.at:end:end]
}

// find returns the index of the batch that holds offset, len(l.batches) when it is the end.
func (l *storeLog) find(offset int64) int {
	if offset >= l.end {
		return len(l.batches)
	}
	return sort.Search(len(l.batches), func(i int) bool { return l.batches[i].base > offset }) - 1
}

func (l *storeLog) offsetAt(millis int64) int64 {
	i := sort.Search(len(l.batches), func(i int) bool { return l.batches[i].millis >= millis })
	if i == len(l.batches) {
		return l.end
	}
	return l.batches[i].base
}

// read returns at most limit bytes from batch i on, the last batch cut off where the limit ends.
func (l *storeLog) read(i, limit int) []byte {
	first := &l.batches[i]
	total, contiguous := 0, true
	j := i
	for ; j < len(l.batches) && total < limit; j++ {
		total += int(l.batches[j].size)
		contiguous = contiguous && l.batches[j].chunk == first.chunk
	}
	total = min(total, limit)
	if contiguous {
		end := int(first.at) + total
		return l.chunks[first.chunk][first.at:end:end]
	}
	out := make([]byte, 0, total)
	for k := i; k < j; k++ {
		b := l.bytes(&l.batches[k])
		out = append(out, b[:min(len(b), total-len(out))]...)
	}
	return out
}

func (l *storeLog) grown(offset int64) <-chan struct{} {
	if l.end > offset {
		return closedChannel
	}
	if l.growth == nil {
		l.growth = make(chan struct{})
	}
	return l.growth
}

var closedChannel = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()
