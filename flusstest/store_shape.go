package flusstest

import (
	"math/big"
	"slices"
	"sync"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
	"github.com/gofluss/fluss/internal/wire"
)

const imageWAL = "wal"

// shape is one schema version of a key table, compiled. It is immutable but for the pool.
type shape struct {
	table    *catalog.Table // the table at that version
	schema   *catalog.Schema
	codec    *row.Codec
	every    []int // all positions
	notNull  []int // positions that are NOT NULL
	decimals []decimalBound
	padded   []int     // CHAR, BINARY and ROW columns of INDEXED rows
	nulls    int       // bytes of the null bits
	encoders sync.Pool // of *record.LogEncoder
}

// decimalBound is the limit of a DECIMAL column: 10 to the power of its precision, which no unscaled value reaches.
type decimalBound struct {
	at    int
	typ   *catalog.Type
	limit *big.Int
	short int64 // limit, for a DECIMAL that is kept as an int64
}

func newDecimalBound(at int, t *catalog.Type) decimalBound {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Precision)), nil)
	return decimalBound{at: at, typ: t, limit: limit, short: limit.Int64()}
}

func (d *decimalBound) holds(v *row.Datum) bool {
	switch {
	case v.Null:
		return true
	case d.typ.IsCompactDecimal():
		return -d.short < v.I && v.I < d.short
	}
	return len(v.B) < 8 || unscaledDecimal(d.typ, v).CmpAbs(d.limit) < 0
}

func newShape(t *catalog.Table, s *catalog.Schema) *shape {
	table := *t
	table.Schema = s
	table.CompressionLevel = 1 // readers cannot tell, and a change log is written at the cost of upserts
	f := row.Compacted
	if t.KVFormat == catalog.KVIndexed {
		f = row.Indexed
	}
	h := &shape{table: &table, schema: s, codec: row.NewCodec(f, s.Types()), nulls: (len(s.Columns) + 7) / 8}
	for i := range s.Columns {
		typ := &s.Columns[i].Type
		h.every = append(h.every, i)
		if typ.NotNull || slices.Contains(s.PrimaryKey, s.Columns[i].Name) {
			h.notNull = append(h.notNull, i)
		}
		if f == row.Indexed && (typ.Kind == catalog.Char || typ.Kind == catalog.Binary || typ.Kind == catalog.Row) {
			h.padded = append(h.padded, i)
		}
		if typ.Kind == catalog.Decimal {
			h.decimals = append(h.decimals, newDecimalBound(i, typ))
		}
	}
	return h
}

func (h *shape) width() int { return len(h.schema.Columns) }

// decode reads a stored or sent row into dst, which may be wider: the columns behind the shape's become NULL. Bytes
// behind the row are not looked at.
//
// It reads as the Java deserializer does, which takes no notice of the null bit of a NOT NULL column, except that a
// row whose null bits are all set is not deserialized at all. Source: CompactedRow (Java, v0.9.1-incubating).
func (h *shape) decode(dst []row.Datum, src []byte) error {
	for i := h.width(); i < len(dst); i++ {
		dst[i] = row.Datum{Null: true}
	}
	marked := h.markedNull(src)
	if marked != nil {
		if h.allNull(dst, src) {
			return nil
		}
		src = slices.Clone(src)
		for _, i := range marked {
			src[i/8] &^= 1 << (i % 8)
		}
	}
	if err := h.codec.DecodeColumns(dst, src, h.every); err != nil {
		return brokenf(indexOutOfBounds, "")
	}
	for _, i := range h.padded {
		h.pad(&dst[i], i)
	}
	for _, i := range marked {
		dst[i] = row.Datum{Null: true}
	}
	return nil
}

// pad gives a CHAR or BINARY of an INDEXED row its full length again: the server logs the padding that readers strip.
func (h *shape) pad(d *row.Datum, column int) {
	t := &h.schema.Columns[column].Type
	if t.Kind == catalog.Row {
		if h.table.LogFormat == catalog.LogArrow {
			padFields(t, d)
		}
		return
	}
	if n := t.Length; !d.Null && len(d.B) < n {
		d.B = append(slices.Clip(d.B), make([]byte, n-len(d.B))...)
	}
}

// padFields does so for the CHARs in a ROW that an ARROW log gets. Short BINARYs stay: the log has no room for them.
func padFields(t *catalog.Type, d *row.Datum) {
	if d.Null {
		return
	}
	for i := range t.Fields {
		switch in, v := &t.Fields[i].Type, &d.L[i]; {
		case in.Kind == catalog.Row:
			padFields(in, v)
		case in.Kind == catalog.Char && !v.Null && len(v.B) < in.Length:
			v.B = append(slices.Clip(v.B), make([]byte, in.Length-len(v.B))...)
		}
	}
}

// markedNull returns the NOT NULL columns whose null bit is set.
func (h *shape) markedNull(src []byte) (marked []int) {
	if len(src) < h.nulls {
		return nil
	}
	for _, i := range h.notNull {
		if src[i/8]&(1<<(i%8)) != 0 {
			marked = append(marked, i)
		}
	}
	return marked
}

func (h *shape) allNull(dst []row.Datum, src []byte) bool {
	for _, i := range h.every {
		if src[i/8]&(1<<(i%8)) == 0 {
			return false
		}
	}
	for _, i := range h.every {
		dst[i] = row.Datum{Null: true}
	}
	return true
}

// checkLogged refuses a row that the real server has no way to log: any in an INDEXED change log, and a DECIMAL that
// the columns of an ARROW one have no room for.
func (h *shape) checkLogged(values []row.Datum) error {
	switch h.table.LogFormat {
	case catalog.LogIndexed:
		return brokenf(illegalArgument, "IndexWalBuilder requires the log row to be IndexedRow.")
	case catalog.LogCompacted:
		return nil
	}
	for i := range h.decimals {
		d := &h.decimals[i]
		if v := &values[d.at]; !d.holds(v) {
			if !d.typ.IsCompactDecimal() {
				return brokenf(nullPointerException, `Cannot invoke "org.apache.fluss.row.Decimal.toBigDecimal()" because the `+
					`return value of "org.apache.fluss.row.arrow.writers.ArrowDecimalWriter.readDecimal(`+
					`org.apache.fluss.row.DataGetters, int)" is null`)
			}
			digits := len(new(big.Int).Abs(big.NewInt(v.I)).Text(10))
			return brokenf(unsupportedOperation,
				"BigDecimal precision cannot be greater than that in the Arrow vector: %d > %d", digits, d.typ.Precision)
		}
	}
	return nil
}

// encoder returns an encoder for change log batches of that version. Give it back with release.
func (h *shape) encoder() (*record.LogEncoder, error) {
	if e, ok := h.encoders.Get().(*record.LogEncoder); ok {
		return e, nil
	}
	e, err := record.NewLogEncoder(h.table)
	if err != nil {
		return nil, brokenf(illegalArgument, "%v", err)
	}
	e.Lossy = true
	return e, nil
}

func (h *shape) release(e *record.LogEncoder) {
	e.Reset()
	h.encoders.Put(e)
}

func (b *bucketStore) noSchema(id int) error {
	return refusef(wire.CodeSchemaNotExist, "Schema for table %s with schema id %d does not exist.", b.table.Path, id)
}

// shapeCache holds the shapes of a table's versions. Its owner's lock guards it.
type shapeCache struct{ byID map[int]*shape }

// shape returns the version with that id.
func (b *bucketStore) shape(id int) (*shape, error) {
	if h := b.shapes.byID[id]; h != nil {
		return h, nil
	}
	s := b.schemas.byID(id)
	if s == nil {
		return nil, b.noSchema(id)
	}
	if b.shapes.byID == nil {
		b.shapes.byID = make(map[int]*shape)
	}
	h := newShape(b.table, s)
	b.shapes.byID[id] = h
	return h, nil
}
