package record

import (
	"fmt"
	"strconv"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// DefaultMaxBytes is what a batch may take uncompressed unless LogDecoder.MaxBytes says otherwise.
const DefaultMaxBytes = 256 << 20

// LogDecoder decodes the log batches of one table that carry one schema id and were fetched with one
// projection. It reuses its memory from batch to batch and is for one goroutine at a time.
type LogDecoder struct {
	// MaxBytes limits the uncompressed size of a batch; a batch that claims more is refused before
	// anything is allocated for it.
	MaxBytes int

	rows    LogRows
	payload payloadDecoder
}

// payloadDecoder fills d.rows from what follows the change types of an ARROW batch, or the whole payload of
// the other formats.
type payloadDecoder interface {
	decode(d *LogDecoder, b *LogBatch) error
	selectColumns(want []bool)
}

// NewLogDecoder compiles a decoder for batches of the table's log format whose schema is the given one: the
// caller finds it by LogBatch.SchemaID. projection holds the ascending positions that the server was asked
// for and has to be nil for batches that came whole, as those of INDEXED and COMPACTED logs always do.
func NewLogDecoder(t *catalog.Table, schema *catalog.Schema, projection []int) (*LogDecoder, error) {
	d := &LogDecoder{MaxBytes: DefaultMaxBytes, rows: LogRows{columns: schema.Columns}}
	if projection != nil {
		if t.LogFormat != catalog.LogArrow {
			return nil, fmt.Errorf("table %s: only ARROW logs can be fetched with a projection", t.Path)
		}
		var err error
		if d.rows.columns, err = project(schema, projection); err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Path, err)
		}
	}
	var err error
	switch t.LogFormat {
	case catalog.LogArrow:
		d.payload, err = newArrowPayload(d.rows.columns)
	case catalog.LogIndexed:
		d.payload = newRowPayload(row.NewCodec(row.Indexed, schema.Types()), len(d.rows.columns))
	case catalog.LogCompacted:
		d.payload = newRowPayload(row.NewCodec(row.Compacted, schema.Types()), len(d.rows.columns))
	default:
		err = fmt.Errorf("log format %d is not known", t.LogFormat)
	}
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Path, err)
	}
	return d, nil
}

func project(schema *catalog.Schema, positions []int) ([]catalog.Column, error) {
	columns := make([]catalog.Column, len(positions))
	last := -1
	for i, p := range positions {
		if p <= last || p >= len(schema.Columns) {
			return nil, fmt.Errorf("projection %v is not ascending within %d columns", positions, len(schema.Columns))
		}
		columns[i], last = schema.Columns[p], p
	}
	return columns, nil
}

// Columns are the columns of the decoded rows: those of the schema, or of the projection.
func (d *LogDecoder) Columns() []catalog.Column { return d.rows.columns }

// Select limits decoding to these positions in Columns, nil being all of them. The others read as NULL; in an
// ARROW batch they are neither decompressed nor checked. It saves what a projection would where the server
// cannot do one. Rows decoded before are no longer valid.
func (d *LogDecoder) Select(columns []int) {
	want := make([]bool, len(d.rows.columns))
	for i := range want {
		want[i] = columns == nil
	}
	for _, c := range columns {
		want[c] = true
	}
	d.payload.selectColumns(want)
}

// Decode checks and decodes a batch; the CRC is the caller's to check. The rows are valid until the next call
// of Decode and alias b. Every damage is a *CorruptError.
func (d *LogDecoder) Decode(b *LogBatch) (*LogRows, error) {
	r := &d.rows
	r.n, r.base, r.changes = int(b.Count), b.BaseOffset, nil
	if b.Count == 0 {
		// Such a batch is its header alone, save that nobody looks at what follows.
		return r, nil
	}
	if len(d.rows.columns) == 0 {
		return nil, corruptf("log batch of %d records without columns", b.Count)
	}
	if err := d.payload.decode(d, b); err != nil {
		r.n = 0
		return nil, within("offset "+strconv.FormatInt(b.BaseOffset, 10), err)
	}
	return r, nil
}
