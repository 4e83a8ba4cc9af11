package record

import (
	"errors"
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// MaxBatchSize is where a writer should start a new batch: a LogEncoder whose Size has reached it. The Java
// client's batches hold as much (client.writer.batch-size).
const MaxBatchSize = 2 << 20

// LogEncoder collects rows and turns them into log batches in the table's format and compression. It keeps
// its memory from batch to batch and is for one goroutine at a time.
type LogEncoder struct {
	// Lossy makes the encoder of an ARROW log do as the Java writer: times finer than the column's unit and
	// the end of a BINARY(n) longer than n are cut off, and a TIMESTAMP that does not fit 64 bits wraps
	// around. Otherwise such values are refused.
	Lossy bool

	schema     *catalog.Schema
	appendOnly bool // what the table's batches are
	plain      bool // the batch at hand is append-only
	count      int
	changes    []byte // a change type per row, kept in append-only batches too
	payload    payloadEncoder
}

// payloadEncoder collects the rows of one format.
type payloadEncoder interface {
	append(change ChangeType, values []row.Datum, lossy bool) error
	size() int
	finish(dst []byte, e *LogEncoder) []byte // appends what follows the header
	reset()
}

// NewLogEncoder compiles an encoder for rows of the table's schema.
func NewLogEncoder(t *catalog.Table) (*LogEncoder, error) {
	e := &LogEncoder{schema: t.Schema, appendOnly: !t.IsKeyTable()}
	switch t.LogFormat {
	case catalog.LogArrow:
		p, err := newArrowEncoder(t)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Path, err)
		}
		e.payload = p
	case catalog.LogIndexed:
		e.payload = newRowEncoder(t, row.Indexed)
	case catalog.LogCompacted:
		e.payload = newRowEncoder(t, row.Compacted)
	default:
		return nil, fmt.Errorf("table %s: log format %d is not known", t.Path, t.LogFormat)
	}
	e.Reset()
	return e, nil
}

// Append appends a row of full width, whose values were checked against their types. A *ValueError tells that
// the log format cannot hold one of them; the batch is then as it was before.
func (e *LogEncoder) Append(values []row.Datum) error {
	return e.append(Append, values)
}

// AppendChange appends a row with its change type: a record of a key table's changelog. A batch of a log table
// that was begun with Append cannot take any.
func (e *LogEncoder) AppendChange(c ChangeType, values []row.Datum) error {
	if e.count > 0 && e.plain {
		return errors.New("record: a batch is either append-only or has change types")
	}
	if err := e.append(c, values); err != nil {
		return err
	}
	e.plain = false
	return nil
}

func (e *LogEncoder) append(c ChangeType, values []row.Datum) error {
	if len(values) != len(e.schema.Columns) {
		return fmt.Errorf("record: a row of %d values for %d columns", len(values), len(e.schema.Columns))
	}
	if err := e.payload.append(c, values, e.Lossy); err != nil {
		return err
	}
	e.changes = append(e.changes, byte(c))
	e.count++
	return nil
}

// Count is the number of rows so far.
func (e *LogEncoder) Count() int { return e.count }

// Size is about the bytes that the batch would take, before compression.
func (e *LogEncoder) Size() int { return logHeaderSize + e.payload.size() }

// Reset drops all rows.
func (e *LogEncoder) Reset() {
	e.plain, e.count, e.changes = e.appendOnly, 0, e.changes[:0]
	e.payload.reset()
}

// Finish appends the batch of the rows so far and resets the encoder. Without rows the batch is a header that
// takes one offset, which is how a change that changes nothing is logged.
func (e *LogEncoder) Finish(dst []byte, h LogHeader) []byte {
	at := len(dst)
	dst = appendLogHeader(dst, &h, int16(e.schema.ID), e.plain, int32(e.count))
	if e.count > 0 {
		dst = e.payload.finish(dst, e)
	}
	sealLogBatch(dst[at:])
	e.Reset()
	return dst
}
