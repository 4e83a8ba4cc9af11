package record

import (
	"encoding/binary"
	"math"
)

const valueHeaderSize = 9

// AppendValue appends a stored value as LOOKUP and PREFIX_LOOKUP answer it: int16 schema id, then the row in
// the table's kv format.
func AppendValue(dst []byte, schemaID int16, row []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(schemaID))
	return append(dst, row...)
}

// ReadValue takes a stored value apart. The row aliases b.
func ReadValue(b []byte) (schemaID int16, row []byte, err error) {
	if len(b) < 2 {
		return 0, nil, corruptf("a value of %d bytes has no schema id", len(b))
	}
	return int16(binary.LittleEndian.Uint16(b)), b[2:], nil
}

// AppendValueRecord appends one record of a value batch: int32 bytes that follow, then the stored value.
func AppendValueRecord(dst []byte, schemaID int16, row []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(2+len(row)))
	return AppendValue(dst, schemaID, row)
}

// AppendValueBatch appends a value batch around count records, which AppendValueRecord made:
//
//	0  int32  bytes that follow
//	4  int8   magic 0
//	5  int32  record count
//	9         records: int32 length, int16 schema id, row
//
// It is what LIMIT_SCAN answers for a key table. It has neither keys nor a checksum.
// Source: DefaultValueRecordBatch (Java, v0.9.1-incubating).
func AppendValueBatch(dst []byte, count int32, records []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint32(dst, uint32(valueHeaderSize-4+len(records)))
	dst = append(dst, 0)
	dst = le.AppendUint32(dst, uint32(count))
	return append(dst, records...)
}

// ValueBatch is a value batch whose header was read. It aliases the bytes it was read from.
type ValueBatch struct {
	Count   int32
	Payload []byte // the records
}

// ReadValueBatch reads b, which has to be one value batch and nothing else.
func ReadValueBatch(b []byte) (ValueBatch, error) {
	if len(b) < valueHeaderSize {
		return ValueBatch{}, corruptf("a value batch of %d bytes has no header", len(b))
	}
	le := binary.LittleEndian
	if n := int32(le.Uint32(b)); n > math.MaxInt32-4 || int(n)+4 != len(b) {
		return ValueBatch{}, corruptf("value batch length %d in %d bytes", n, len(b))
	}
	if b[4] != 0 {
		return ValueBatch{}, corruptf("value batch magic %d is not known", b[4])
	}
	v := ValueBatch{Count: int32(le.Uint32(b[5:])), Payload: b[valueHeaderSize:]}
	if v.Count < 0 {
		return ValueBatch{}, corruptf("value batch counts %d records", v.Count)
	}
	return v, nil
}

// Records starts a walk over the records.
func (v *ValueBatch) Records() ValueIterator {
	return ValueIterator{in: items{rest: v.Payload, left: v.Count}}
}

// ValueIterator walks over the records of a value batch. Row aliases the batch.
type ValueIterator struct {
	SchemaID int16
	Row      []byte
	in       items
}

// Next moves to the next record. It returns false at the end and at the first damage; see Err.
func (it *ValueIterator) Next() bool {
	p, ok := it.in.next("value batch")
	if !ok {
		return false
	}
	it.SchemaID, it.Row, it.in.err = ReadValue(p)
	return it.in.err == nil
}

// Err returns the damage that ended the walk, a *CorruptError, or nil.
func (it *ValueIterator) Err() error { return it.in.err }
