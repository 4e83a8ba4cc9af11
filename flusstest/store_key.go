package flusstest

import (
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// keyDecoder turns key bytes back into the key columns. It knows compacted keys alone: those are the fields of a
// COMPACTED row without its null bits.
type keyDecoder struct {
	codec     *row.Codec
	positions []int
	nulls     int
}

func newKeyDecoder(t *catalog.Table, latest *catalog.Schema) (*keyDecoder, error) {
	lake := t.DatalakeFormat != "" && t.DatalakeFormat != "lance"
	if lake && (t.KVFormatVersion == 1 || t.DefaultBucketKey()) {
		return nil, brokenf("java.lang.UnsupportedOperationException",
			"flusstest does not read keys in the %s encoding", t.DatalakeFormat)
	}
	d := &keyDecoder{positions: t.PhysicalKey, nulls: (len(t.PhysicalKey) + 7) / 8}
	types := make([]*catalog.Type, len(d.positions))
	for i, p := range d.positions {
		types[i] = &latest.Columns[p].Type
	}
	d.codec = row.NewCodec(row.Compacted, types)
	return d, nil
}

// decode fills values, a row of full width, with the key and NULL.
func (d *keyDecoder) decode(values []row.Datum, key []byte) error {
	fields := make([]row.Datum, len(d.positions))
	if err := d.codec.Decode(fields, slices.Concat(make([]byte, d.nulls), key)); err != nil {
		return brokenf("java.lang.IndexOutOfBoundsException", "%v", err)
	}
	for i := range values {
		values[i] = row.Datum{Null: true}
	}
	for i, p := range d.positions {
		values[p] = fields[i]
	}
	return nil
}
