package fluss

import (
	"context"
	"sync"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// layout is how the rows of one table look in bytes, compiled once. It is safe for concurrent use.
type layout struct {
	table     *catalog.Table
	key       *row.KeyEncoder // nil for a log table
	bucketKey *row.KeyEncoder // nil for a log table without a bucket key
	prefix    *row.KeyEncoder // nil where prefix lookups are impossible
	sameKey   bool            // the bucket key's bytes are the key's bytes
	bucketer  row.Bucketer
	trial     bool       // the log format may refuse values that the columns allow
	codec     *row.Codec // rows of table.Schema in the kv format

	encoders sync.Pool // of *record.LogEncoder, for log tables

	mu    sync.RWMutex
	older map[int16]*reader // decoders of other schema versions
}

// reader decodes values that were written with one schema version.
type reader struct {
	codec *row.Codec
	from  []int // for each column of the table: its position in that version, or -1
	width int
}

func newLayout(t *catalog.Table) (*layout, error) {
	l := &layout{table: t, bucketer: row.NewBucketer(t), trial: record.MayRefuse(t)}
	var err error
	if t.IsKeyTable() {
		if l.key, err = row.NewKeyEncoder(t); err != nil {
			return nil, err
		}
	}
	if len(t.BucketCols) > 0 {
		if l.bucketKey, err = row.NewBucketKeyEncoder(t); err != nil {
			return nil, err
		}
	}
	if t.PrefixLookup() {
		if l.prefix, err = row.NewPrefixKeyEncoder(t); err != nil {
			return nil, err
		}
	}
	l.sameKey = t.IsKeyTable() && t.DefaultBucketKey() && t.DatalakeFormat == ""
	l.codec = row.NewCodec(kvFormat(t), t.Schema.Types())
	return l, nil
}

func kvFormat(t *catalog.Table) row.Format {
	if t.KVFormat == catalog.KVIndexed {
		return row.Indexed
	}
	return row.Compacted
}

// encoder returns an empty encoder for batches of the table's log. Give it back with encoderDone.
func (l *layout) encoder() (*record.LogEncoder, error) {
	if e, ok := l.encoders.Get().(*record.LogEncoder); ok {
		return e, nil
	}
	return record.NewLogEncoder(l.table)
}

func (l *layout) encoderDone(e *record.LogEncoder) {
	e.Reset()
	l.encoders.Put(e)
}

// decode reads a stored value, schema id in front, into the columns of the table. Datums alias value.
func (l *layout) decode(ctx context.Context, c *route.Client, dst []row.Datum, value []byte) error {
	id, body, err := record.ReadValue(value)
	if err != nil {
		return err
	}
	return l.decodeRow(ctx, c, dst, id, body)
}

// decodeRow is decode for a row whose schema id was read already.
func (l *layout) decodeRow(ctx context.Context, c *route.Client, dst []row.Datum, id int16, body []byte) error {
	width := len(l.table.Schema.Columns)
	if int(id) == l.table.Schema.ID {
		return l.codec.Decode(dst[:width], body)
	}
	r, err := l.reader(ctx, c, id)
	if err != nil {
		return err
	}
	old := make([]row.Datum, r.width)
	if err := r.codec.Decode(old, body); err != nil {
		return err
	}
	for i, from := range r.from {
		dst[i] = row.Datum{Null: true}
		if from >= 0 {
			dst[i] = old[from]
		}
	}
	return nil
}

// valueReader is nil for plans whose rows are not stored rows as they are.
func (l *layout) valueReader(p plan.Plan) *row.ValueReader {
	s, ok := p.(*plan.Select)
	if !ok || !l.table.IsKeyTable() || s.Access == plan.LogScan || s.Filter != nil || s.OrderBy != nil || s.Count || s.KeepMissing {
		return nil
	}
	out := make([]int, len(s.Out))
	for i := range s.Out {
		if out[i] = s.Out[i].Column; out[i] >= len(l.table.Schema.Columns) {
			return nil // a pseudo column
		}
	}
	return row.NewValueReader(l.codec, l.table.Schema.Types(), out)
}

// behind fails with a *route.TableChangedError when a row that was found is of a newer schema than the statement was planned
// for: planned again, it shows the new columns, and does not lose them when it writes the row back.
func (l *layout) behind(calls []*route.LookupCall) error {
	for _, call := range calls {
		if call.Value == nil {
			continue
		}
		if id, _, err := record.ReadValue(call.Value); err == nil && int(id) > l.table.Schema.ID {
			return &route.TableChangedError{Path: l.table.Path, Old: l.table.ID, New: l.table.ID}
		}
	}
	return nil
}

func (l *layout) reader(ctx context.Context, c *route.Client, id int16) (*reader, error) {
	l.mu.RLock()
	r := l.older[id]
	l.mu.RUnlock()
	if r != nil {
		return r, nil
	}
	s, err := c.Schema(ctx, l.table, int(id))
	if err != nil {
		return nil, err
	}
	if int(id) > l.table.Schema.ID { // the next statement knows the new columns
		c.Invalidate(l.table)
	}
	r = &reader{codec: row.NewCodec(kvFormat(l.table), s.Types()), from: columnMap(l.table.Schema, s), width: len(s.Columns)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.older == nil {
		l.older = map[int16]*reader{}
	}
	l.older[id] = r
	return r, nil
}

// columnMap gives, for each column of to, its position in from, or -1. Columns are the same when their ids are.
func columnMap(to, from *catalog.Schema) []int {
	at := make([]int, len(to.Columns))
	for i := range to.Columns {
		at[i] = from.IndexByID(to.Columns[i].ID)
	}
	return at
}

// bucketOf returns the bucket number of a row whose key bytes are key.
func (l *layout) bucketOf(scratch []byte, values []row.Datum, key []byte) (int32, error) {
	if l.sameKey {
		return l.bucketer.Bucket(key), nil
	}
	b, err := l.bucketKey.Append(scratch[:0], values)
	if err != nil {
		return 0, err
	}
	return l.bucketer.Bucket(b), nil
}
