package record

import (
	"encoding/binary"
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// rowEncoder writes records of whole rows; see rowPayload for their layout.
type rowEncoder struct {
	codec   *row.Codec
	columns []catalog.Column
	check   bool // INDEXED with CHAR or BINARY
	records []byte
}

func newRowEncoder(t *catalog.Table, f row.Format) *rowEncoder {
	return &rowEncoder{codec: row.NewCodec(f, t.Schema.Types()), columns: t.Schema.Columns, check: MayRefuse(t)}
}

func (r *rowEncoder) append(c ChangeType, values []row.Datum, _ bool) error {
	if r.check {
		for i := range r.columns {
			if err := checkPadded(&r.columns[i].Type, &values[i]); err != nil {
				return named(err, r.columns[i].Name)
			}
		}
	}
	at := len(r.records)
	r.records = append(r.records, 0, 0, 0, 0, byte(c))
	r.records = r.codec.Append(r.records, values)
	binary.LittleEndian.PutUint32(r.records[at:], uint32(len(r.records)-at-4))
	return nil
}

// checkPadded refuses values that an INDEXED row would cut: it keeps CHAR(n) and BINARY(n) in n bytes, except as
// elements of an ARRAY or MAP.
func checkPadded(t *catalog.Type, d *row.Datum) error {
	switch t.Kind {
	case catalog.Char, catalog.Binary:
		if len(d.B) > t.Length {
			return &ValueError{Type: t.Name(), Reason: fmt.Sprintf("it has %d bytes and INDEXED rows keep %d", len(d.B), t.Length)}
		}
	case catalog.Array, catalog.Map, catalog.Row:
		for i := range d.L {
			member := member(t, i)
			if t.Kind != catalog.Row && !member.IsNested() {
				continue
			}
			if err := checkPadded(member, &d.L[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// member is the type of element i of a Datum's L.
func member(t *catalog.Type, i int) *catalog.Type {
	switch {
	case t.Kind == catalog.Row:
		return &t.Fields[i].Type
	case t.Kind == catalog.Map && i%2 == 0:
		return t.Key
	}
	return t.Elem
}

func (r *rowEncoder) size() int { return len(r.records) }

func (r *rowEncoder) reset() { r.records = r.records[:0] }

func (r *rowEncoder) finish(dst []byte, _ *LogEncoder) []byte { return append(dst, r.records...) }
