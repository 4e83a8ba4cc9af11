package record

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

const (
	kvHeaderSize = 28
	kvMagicAt    = 4
	kvCRCAt      = 5
	kvBodyAt     = 9 // schema id: where the CRC's span begins
)

// KVHeader is what the writer of a kv batch decides about its header.
type KVHeader struct {
	SchemaID int16
	WriterID int64 // -1: none
	Sequence int32 // -1: none
	Count    int32 // records
}

// KVBatch is a kv batch whose header was read. It aliases the bytes it was read from.
type KVBatch struct {
	KVHeader
	CRC     uint32
	Bytes   []byte // the whole batch
	Payload []byte // the records
}

// AppendKVRecord appends one record of a kv batch:
//
//	int32    bytes that follow
//	uvarint  key length, then the key
//	         row in the table's kv format; no bytes at all delete the key
//
// A nil value deletes. Source: DefaultKvRecord (Java, v0.9.1-incubating).
func AppendKVRecord(dst, key, value []byte) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = append(dst, key...)
	dst = append(dst, value...)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// AppendKVBatch appends a kv batch around records, which AppendKVRecord made. All little-endian:
//
//	 0  int32   bytes that follow
//	 4  int8    magic 0
//	 5  uint32  CRC-32C of everything behind it
//	 9  int16   schema id of the rows
//	11  int8    attributes, 0
//	12  int64   writer id, or -1
//	20  int32   batch sequence, or -1
//	24  int32   record count
//	28          records
//
// Source: DefaultKvRecordBatch (Java, v0.9.1-incubating).
func AppendKVBatch(dst []byte, h KVHeader, records []byte) []byte {
	le := binary.LittleEndian
	at := len(dst)
	dst = le.AppendUint32(dst, uint32(kvHeaderSize-4+len(records)))
	dst = append(dst, 0)
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint16(dst, uint16(h.SchemaID))
	dst = append(dst, 0)
	dst = le.AppendUint64(dst, uint64(h.WriterID))
	dst = le.AppendUint32(dst, uint32(h.Sequence))
	dst = le.AppendUint32(dst, uint32(h.Count))
	dst = append(dst, records...)
	le.PutUint32(dst[at+kvCRCAt:], crc32.Checksum(dst[at+kvBodyAt:], castagnoli))
	return dst
}

// ReadKVBatch reads the header of the batch at the start of b. It returns ErrTruncated when b ends inside
// the batch. Bytes behind the batch are not looked at: compare len(b) with len(Bytes).
func ReadKVBatch(b []byte) (KVBatch, error) {
	if len(b) < 4 {
		return KVBatch{}, ErrTruncated
	}
	le := binary.LittleEndian
	n := int32(le.Uint32(b))
	if n < kvHeaderSize-4 || n > math.MaxInt32-4 {
		return KVBatch{}, corruptf("kv batch length %d", n)
	}
	if len(b) > kvMagicAt && b[kvMagicAt] != 0 {
		return KVBatch{}, corruptf("kv batch magic %d is not known", b[kvMagicAt])
	}
	total := int(n) + 4
	if len(b) < total {
		return KVBatch{}, ErrTruncated
	}
	b = b[:total:total]
	k := KVBatch{
		KVHeader: KVHeader{
			SchemaID: int16(le.Uint16(b[9:])),
			WriterID: int64(le.Uint64(b[12:])),
			Sequence: int32(le.Uint32(b[20:])),
			Count:    int32(le.Uint32(b[24:])),
		},
		CRC:     le.Uint32(b[kvCRCAt:]),
		Bytes:   b,
		Payload: b[kvHeaderSize:],
	}
	if k.Count < 0 {
		return KVBatch{}, corruptf("kv batch counts %d records", k.Count)
	}
	return k, nil
}

// CheckCRC compares the CRC with the content. A Fluss server does not.
func (k *KVBatch) CheckCRC() error {
	if got := crc32.Checksum(k.Bytes[kvBodyAt:], castagnoli); got != k.CRC {
		return corruptf("kv batch: CRC %08x, the content has %08x", k.CRC, got)
	}
	return nil
}

// Records starts a walk over the records.
func (k *KVBatch) Records() KVIterator { return KVIterator{in: items{rest: k.Payload, left: k.Count}} }

// KVIterator walks over the records of a kv batch. Key and Value alias the batch.
type KVIterator struct {
	Key   []byte
	Value []byte // nil: the key is deleted
	in    items
}

// Next moves to the next record. It returns false at the end and at the first damage; see Err.
func (it *KVIterator) Next() bool {
	p, ok := it.in.next("kv batch")
	if !ok {
		return false
	}
	n, size := binary.Uvarint(p)
	if size <= 0 || size > binary.MaxVarintLen32 || n > uint64(len(p)-size) {
		it.in.err = corruptf("kv batch: key length of the record with %d behind it", it.in.left)
		return false
	}
	end := size + int(n)
	it.Key, it.Value = p[size:end:end], nil
	if end < len(p) {
		it.Value = p[end:]
	}
	return true
}

// Delete reports whether the record deletes its key.
func (it *KVIterator) Delete() bool { return it.Value == nil }

// Err returns the damage that ended the walk, a *CorruptError, or nil.
func (it *KVIterator) Err() error { return it.in.err }
