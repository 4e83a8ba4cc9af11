package flusstest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
)

// fromEarliest is the fetch offset that stands for the first one.
const fromEarliest = -2

// fetch returns batches from the one on that holds offset, as they were stored, and the end of the log. The bytes are
// cut at maxBytes without regard to batch borders, except that with first the first batch comes whole. A limit that
// has no room for more than a header gives nothing; a negative one is code -1 where there is something to read.
//
// projection holds ascending column positions, nil for all columns. Projected batches come whole. They keep the CRC
// of the batch that they were made from. A position that a batch's own schema does not have is code 34, however many
// batches with newer schemas follow.
func (b *bucketStore) fetch(offset int64, maxBytes int, first bool, projection []int32) (records []byte, highWatermark int64, err error) {
	if projection != nil && b.table.LogFormat != catalog.LogArrow {
		return nil, 0, refusef(wire.CodeInvalidColumnProjection, "Column projection is only supported for ARROW format, "+
			"but the table %s is %s format.", b.table.Path, [...]string{"ARROW", "INDEXED", "COMPACTED"}[b.table.LogFormat])
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	l := &b.log
	if offset == fromEarliest {
		offset = l.start
	}
	if offset < l.start || offset > l.end {
		return nil, l.end, b.outOfRange(offset)
	}
	i := l.find(offset)
	if i == len(l.batches) {
		return nil, l.end, nil
	}
	if maxBytes < 0 {
		return nil, l.end, brokenf(illegalArgument, "Invalid max size %d for log read from segment", maxBytes)
	}
	limit := maxBytes
	if first {
		limit = max(limit, int(l.batches[i].size))
	}
	switch {
	case limit <= produceMinHeader:
		return nil, l.end, nil
	case projection == nil:
		return l.read(i, limit), l.end, nil
	}
	records, err = b.project(i, limit, projection)
	return records, l.end, err
}

func (b *bucketStore) outOfRange(offset int64) error {
	return refusef(wire.CodeLogOffsetOutOfRange, "Received request for offset %d for table bucket of %s, "+
		"but we only have log segments from offset %d up to %d.", offset, b.table.Path, b.log.start, b.log.end)
}

// project returns whole projected batches from batch i on. Batches without records come as they are and do not count
// against the limit. Source: FileLogProjection (Java, v0.9.1-incubating).
func (b *bucketStore) project(i, limit int, projection []int32) ([]byte, error) {
	var out []byte
	for ; i < len(b.log.batches) && limit > produceMinHeader; i++ {
		e := &b.log.batches[i]
		stored := b.log.bytes(e)
		var p *record.Projector
		if len(projection) > 0 || !e.bare { // no columns at all are wrong for records alone
			var err error
			if p, err = b.projector(e.schemaID, projection); err != nil {
				return nil, err
			}
		}
		if e.bare {
			out = append(out, stored...)
			continue
		}
		lb, _, err := record.NextLogBatch(stored)
		if lb.Bytes == nil {
			return nil, brokenf(illegalState, "%v", err)
		} // else its numbers contradict each other at most, which the real server does not look at either
		at := len(out)
		if out, err = p.Append(out, &lb); err != nil {
			return nil, brokenf(illegalState, "%v", err)
		}
		if size := len(out) - at; size > limit {
			return out[:at], nil
		} else {
			limit -= size
		}
	}
	return out, nil
}

// projectorCache holds projectors by schema id and positions. It has a lock of its own, taken under the bucket's.
type projectorCache struct {
	mu   sync.Mutex
	list []cachedProjector
}

type cachedProjector struct {
	schemaID  int16
	positions []int32
	projector *record.Projector
}

const maxProjectors = 16

func (b *bucketStore) projector(schemaID int16, positions []int32) (*record.Projector, error) {
	c := &b.projectors
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.list {
		if e := &c.list[i]; e.schemaID == schemaID && slices.Equal(e.positions, positions) {
			return e.projector, nil
		}
	}
	p, err := b.newProjector(schemaID, positions)
	if err != nil {
		return nil, err
	}
	if len(c.list) == maxProjectors {
		c.list = append(c.list[:0], c.list[1:]...)
	}
	c.list = append(c.list, cachedProjector{schemaID, slices.Clone(positions), p})
	return p, nil
}

func (b *bucketStore) newProjector(schemaID int16, positions []int32) (*record.Projector, error) {
	s := b.schemas.byID(int(schemaID))
	if s == nil {
		return nil, b.noSchema(int(schemaID))
	}
	at, err := projected(positions, len(s.Columns))
	if err != nil {
		return nil, err
	}
	p, err := record.NewProjector(b.table, s, at)
	if err != nil {
		return nil, brokenf(illegalArgument, "%v", err)
	}
	return p, nil
}

// projected checks the positions against a schema of that width.
func projected(positions []int32, width int) ([]int, error) {
	at := make([]int, len(positions))
	if len(at) == 0 {
		return nil, brokenf(illegalState, "Invalid metadata length")
	}
	list := strings.ReplaceAll(fmt.Sprint(positions), " ", ", ")
	previous := int32(-1)
	for i, p := range positions {
		switch {
		case p < previous:
			return nil, refusef(wire.CodeInvalidColumnProjection, "The projection indexes should be in field order, but is %s", list)
		case p == previous:
			return nil, refusef(wire.CodeInvalidColumnProjection,
				"The projection indexes should not contain duplicated fields, but is %s", list)
		case int(p) >= width:
			return nil, refusef(wire.CodeInvalidColumnProjection,
				"Projected fields %s is out of bound for schema with %d fields.", list, width)
		}
		at[i], previous = int(p), p
	}
	return at, nil
}
