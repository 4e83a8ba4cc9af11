package flusstest

import (
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/row"
)

// insertIfNotExists answers a LOOKUP that inserts: the values of keys in their order, after rows of the key alone were
// put for those that had none, numbered where the table has such a column. Either all or none are inserted.
//
// It writes as a partial update of the key columns does and is refused like that one.
func (b *bucketStore) insertIfNotExists(keys [][]byte, nextAutoIncrement func() int64) (values [][]byte, err error) {
	values = b.lookups(make([][]byte, 0, len(keys)), keys)
	var missing [][]byte
	for i, v := range values {
		if v == nil {
			missing = append(missing, keys[i])
		}
	}
	if missing == nil {
		return values, nil
	}
	target := make([]int32, len(b.table.PrimaryKey))
	for i, p := range b.table.PrimaryKey {
		target[i] = int32(p)
	}
	if e := b.table.MergeEngine; e == "first_row" || e == "versioned" { // refused before the keys are looked at
		return nil, noPartialUpdate(e)
	}
	batch, err := b.keyRows(missing)
	if err != nil {
		return nil, err
	}
	if _, err := b.putKV(batch, target, false, nextAutoIncrement); err != nil {
		return nil, err
	}
	return b.lookups(values[:0], keys), nil
}

// keyRows returns a kv batch of rows that hold what their keys tell and NULL otherwise. Their schema is the one that
// the table had when the bucket was made: the real server asks its replica, which does not hear of newer ones.
func (b *bucketStore) keyRows(keys [][]byte) ([]byte, error) {
	schema := b.table.Schema
	d := newKeyDecoder(b.table, schema)
	codec := newShape(b.table, schema).codec
	values := make([]row.Datum, len(schema.Columns))
	var records, encoded []byte
	for _, key := range keys {
		if err := d.decode(values, key); err != nil {
			return nil, err
		}
		encoded = codec.Append(encoded[:0], values)
		records = record.AppendKVRecord(records, key, encoded)
	}
	return record.AppendKVBatch(nil, record.KVHeader{
		SchemaID: int16(schema.ID), WriterID: noWriter, Sequence: -1, Count: int32(len(keys)),
	}, records), nil
}
