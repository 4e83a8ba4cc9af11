package flusstest

import "encoding/binary"

// putBatch is a kv batch that is read as the server does, which takes its lengths on trust.
// The layout is that of record.AppendKVBatch.
type putBatch struct {
	schemaID int16
	writerID int64
	sequence int32
	count    int32
	rest     []byte
}

const putHeaderSize = 28

func readPutBatch(b []byte) (p putBatch, err error) {
	if len(b) < putHeaderSize {
		return p, brokenf(indexOutOfBounds, "")
	}
	le := binary.LittleEndian
	p = putBatch{
		schemaID: int16(le.Uint16(b[9:])),
		writerID: int64(le.Uint64(b[12:])),
		sequence: int32(le.Uint32(b[20:])),
		count:    int32(le.Uint32(b[24:])),
		rest:     b[putHeaderSize:],
	}
	if p.count < 0 {
		return p, brokenf(illegalArgument, "Found invalid record count %d in magic v0 batch", p.count)
	}
	return p, nil
}

// next returns the next record; sent is nil for a delete.
func (p *putBatch) next() (key, sent []byte, err error) {
	if len(p.rest) < 4 {
		return nil, nil, recordBeyond()
	}
	n := int32(binary.LittleEndian.Uint32(p.rest))
	if n < 0 || int64(n) > int64(len(p.rest)-4) {
		return nil, nil, recordBeyond()
	}
	r := p.rest[4 : 4+n]
	p.rest = p.rest[4+n:]
	k, size := binary.Uvarint(r)
	if size <= 0 || k > uint64(len(r)-size) {
		return nil, nil, recordBeyond()
	}
	end := size + int(k)
	if key = r[size:end:end]; end < len(r) {
		sent = r[end:]
	}
	return key, sent, nil
}

func recordBeyond() error {
	return brokenf(indexOutOfBounds, "")
}
