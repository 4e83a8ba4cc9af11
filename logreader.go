package fluss

import (
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// logReader decodes the batches of a scan, those that come next while the rows of the current one are consumed.
type logReader struct {
	s          *selection
	scanner    *route.Scanner
	projection []int
	names      *partitionNames
	discovery  *discovery // nil: no further partitions are looked for
	floor      int64      // offsets below are not wanted
	decoders   map[decoderKey]*logDecoder

	chunk     route.Chunk // being cut into batches
	partition []byte
	rest      []byte // of chunk
	offset    int64  // where rest begins

	batches []logBatch  // the current one and those ahead of it
	turn    int         // which of them is cut next
	ahead   []*logBatch // being decoded, in order
	ended   bool        // by a batch that makes those behind it useless
}

// newLogReader decodes one batch ahead.
func newLogReader(s *selection, scanner *route.Scanner) logReader {
	return logReader{s: s, scanner: scanner, decoders: map[decoderKey]*logDecoder{}, batches: make([]logBatch, 2)}
}

// maxAhead bounds the batches that are decoded ahead of who takes them whole.
const maxAhead = 4

// whole decodes a batch ahead for each processor: whoever takes batches as they are has little to do with one. It is called
// before the first batch.
func (l *logReader) whole() { l.batches = make([]logBatch, 1+min(runtime.GOMAXPROCS(0), maxAhead)) }

// logBatch is a decoded batch, or what is wrong with it. It is good until the next one is asked for.
type logBatch struct {
	chunk     route.Chunk
	partition []byte
	head      record.LogBatch
	decoder   *logDecoder
	rows      *record.LogRows
	err       error
	done      chan struct{} // capacity 1: gets a value when a batch was decoded ahead
}

// aheadRows is from how many rows on a batch is worth a goroutine.
const aheadRows = 256

// next returns the next batch, nil at the end.
func (l *logReader) next() (*logBatch, error) {
	b := l.wait()
	if b == nil {
		var err error
		if b, err = l.cut(l.scanner.Next); b == nil {
			return nil, err
		}
		l.decode(b)
	}
	if b.err == nil {
		l.begin()
	}
	return b, b.err
}

// begin starts to decode what is there already.
func (l *logReader) begin() {
	for len(l.ahead) < len(l.batches)-1 && !l.ended {
		b, _ := l.cut(l.scanner.TryNext)
		if b == nil {
			return
		}
		if b.done == nil {
			b.done = make(chan struct{}, 1)
		}
		l.ahead = append(l.ahead, b)
		decode := func() {
			l.decode(b)
			b.done <- struct{}{}
		}
		if l.ended = b.err != nil; l.ended || b.head.Count < aheadRows {
			decode()
			continue
		}
		go decode() // ends with the batch; next or close waits for it
	}
}

// wait waits for the first batch that is being decoded ahead, nil where there is none.
func (l *logReader) wait() *logBatch {
	if len(l.ahead) == 0 {
		return nil
	}
	b := l.ahead[0]
	<-b.done
	l.ahead = append(l.ahead[:0], l.ahead[1:]...)
	return b
}

// cut takes the next batch off the current chunk, or off that which more gives. It returns nil when there is none. What is
// wrong with a batch is in it, for those before it may still be read.
func (l *logReader) cut(more func(ctx context.Context) (route.Chunk, error)) (*logBatch, error) {
	for len(l.rest) == 0 {
		chunk, err := more(l.s.ctx)
		if err == io.EOF {
			return nil, nil
		}
		if damaged, ok := errors.AsType[*route.PoisonError](err); ok {
			damaged.Partition = string(l.names.text(damaged.Bucket.PartitionID))
		}
		if err != nil {
			return nil, err
		}
		l.chunk, l.rest, l.offset = chunk, chunk.Records, chunk.Start
		l.chunk.Start = max(chunk.Start, l.floor)
		l.partition = l.names.text(chunk.Bucket.PartitionID)
	}
	b := &l.batches[l.turn]
	b.chunk, b.partition, b.rows = l.chunk, l.partition, nil
	if b.head, l.rest, b.err = record.NextLogBatch(l.rest); b.err != nil {
		b.err = b.poison(l.s, l.offset, -1, b.err)
		l.rest = nil
		return b, nil
	}
	l.offset = b.head.NextOffset()
	b.decoder, b.err = l.decoderOf(b.head.SchemaID)
	l.turn = (l.turn + 1) % len(l.batches)
	return b, nil
}

// decode decodes a batch, whose CRC the scanner has checked. It may run beside everything but another decode of the same place in l.batches.
func (l *logReader) decode(b *logBatch) {
	if b.err != nil {
		return
	}
	if b.rows, b.err = b.decoder.Decode(&b.head); b.err != nil {
		b.err = b.poison(l.s, b.head.BaseOffset, b.head.NextOffset(), b.err)
	}
}

func (b *logBatch) poison(s *selection, offset, next int64, err error) error {
	return &route.PoisonError{Table: s.Table.Path, Bucket: b.chunk.Bucket, Partition: string(b.partition), Offset: offset, Next: next, Reason: err.Error()}
}

// poison is the error of a record that does not fit those around it.
func poison(s *selection, b catalog.Bucket, offset int64, reason string) error {
	return &route.PoisonError{Table: s.Table.Path, Bucket: b, Partition: string(s.partitionText(&b)), Offset: offset, Next: offset + 1, Reason: reason}
}

// poisonRow is the error of a stored row of a key table, if that is what err is about.
func poisonRow(s *selection, b catalog.Bucket, err error) error {
	if !as[*row.DecodeError](err) && !as[*record.CorruptError](err) {
		return err
	}
	return &route.PoisonError{Table: s.Table.Path, Bucket: b, Partition: string(s.partitionText(&b)), Offset: -1, Next: -1, Reason: err.Error()}
}

func (l *logReader) close() {
	for l.wait() != nil {
	}
	if l.discovery != nil {
		l.discovery.stop()
	}
	l.scanner.Close()
}

type decoderKey struct {
	schema    int16
	projected bool
	turn      int // decoders reuse their memory, and several batches are in use
}

// logDecoder decodes the batches of one schema version into the table's columns.
type logDecoder struct {
	*record.LogDecoder
	from []int // for each of the table's columns: its position in the decoded rows, or -1 when it is not there
}

func (l *logReader) decoderOf(schemaID int16) (*logDecoder, error) {
	key := decoderKey{schemaID, l.chunk.Projected, l.turn}
	if d := l.decoders[key]; d != nil {
		return d, nil
	}
	t := l.s.Table
	schema := t.Schema
	if int(schemaID) != schema.ID {
		if int(schemaID) > schema.ID { // the next statement knows the new columns
			l.s.conn.c.client.Invalidate(t)
		}
		var err error
		if schema, err = l.s.conn.c.client.Schema(l.s.ctx, t, int(schemaID)); err != nil {
			return nil, err
		}
	}
	d := &logDecoder{}
	var projection []int
	if l.chunk.Projected {
		projection = l.projection
	}
	var err error
	if d.LogDecoder, err = record.NewLogDecoder(t, schema, projection); err != nil {
		return nil, err
	}
	d.MaxBytes = int(l.s.conn.c.cfg.MaxScanBytes)
	d.from = decodedColumns(t.Schema, l.s.Columns, d.Columns())
	if !l.chunk.Projected {
		d.Select(present(d.from))
	}
	l.decoders[key] = d
	return d, nil
}

// decodedColumns finds each column of the table that is wanted among the decoded ones, by its id.
func decodedColumns(s *catalog.Schema, want []int, have []catalog.Column) []int {
	from := make([]int, len(s.Columns))
	for i := range from {
		from[i] = -1
	}
	for _, col := range want {
		for j := range have {
			if have[j].ID == s.Columns[col].ID {
				from[col] = j
			}
		}
	}
	return from
}

// present leaves out what is not there.
func present(from []int) []int {
	out := []int{}
	for _, i := range from {
		if i >= 0 {
			out = append(out, i)
		}
	}
	return out
}
