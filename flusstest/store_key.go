package flusstest

import (
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// keyDecoder turns key bytes back into values, which an inserting lookup needs. Which encoding a table has is told at
// row.KeyEncoder.
//
// As on the real server it wants all columns of the primary key, which the bytes of a partitioned table do not have:
// there it fails. Source: KeyRecordBatch (Java, v0.9.1-incubating).
type keyDecoder struct {
	positions []int
	types     []*catalog.Type
	read      func(types []*catalog.Type, key []byte) ([]row.Datum, error)
}

func newKeyDecoder(t *catalog.Table, latest *catalog.Schema) *keyDecoder {
	d := &keyDecoder{positions: t.PrimaryKey, read: readCompactedKey}
	if t.KVFormatVersion == 1 || t.DefaultBucketKey() {
		switch t.DatalakeFormat {
		case "paimon":
			d.read = readPaimonKey
		case "iceberg":
			d.read = readIcebergKey
		}
	}
	for _, p := range d.positions {
		d.types = append(d.types, &latest.Columns[p].Type)
	}
	return d
}

// decode fills values, a row of full width, with the key and NULL.
func (d *keyDecoder) decode(values []row.Datum, key []byte) error {
	fields, err := d.read(d.types, key)
	if err != nil {
		return err
	}
	for i := range values {
		values[i] = row.Datum{Null: true}
	}
	for i, p := range d.positions {
		values[p] = fields[i]
	}
	return nil
}

func badKey() error {
	return brokenf(indexOutOfBounds, "")
}

// readCompactedKey reads what are the fields of a COMPACTED row without its null bits.
func readCompactedKey(types []*catalog.Type, key []byte) ([]row.Datum, error) {
	fields := make([]row.Datum, len(types))
	nulls := make([]byte, (len(types)+7)/8)
	if err := row.NewCodec(row.Compacted, types).Decode(fields, slices.Concat(nulls, key)); err != nil {
		return nil, badKey()
	}
	return fields, nil
}
