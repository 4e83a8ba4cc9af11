package flusstest

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"

	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/wire"
)

const (
	producePrefix    = 12 // base offset and length, which the length does not count
	produceMagic     = 12
	produceBody      = 25 // where the CRC's span begins; 4 further on for magic 1
	produceMinHeader = 48
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// produceLog appends the batches in records and returns the offset of the first record. It is -1, without an error,
// when nothing was stored: no bytes, or a batch shorter than its length field says, which ends the walk in silence.
//
// Checked are the CRC (code 14) and the writer's sequence (31) of all batches before any is stored. When one of them
// was stored before, the answer is its offset, and the others are dropped.
//
// Not checked, as on the real server: schema ids, counts, payloads, change types, and whether the table is a log
// table at all.
func (b *bucketStore) produceLog(records []byte) (baseOffset int64, err error) {
	batches, err := splitProduced(records)
	if err != nil || len(batches) == 0 {
		return -1, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	millis := max(b.log.newest, b.now().UnixMilli())
	if known, err := b.admitAll(batches, millis); err != nil || known != nil {
		if err != nil {
			return -1, err
		}
		return known.base, nil
	}
	baseOffset = b.log.end
	for i := range batches {
		p := &batches[i]
		base := b.log.end
		next := base + int64(p.delta) + 1
		b.log.append(p.bytes, p.schemaID, len(p.bytes) == p.header, next, millis)
		e := &b.log.batches[len(b.log.batches)-1]
		record.StampLogBatch(b.log.bytes(e), base, millis)
		b.writers.wrote(p.writerID, writtenBatch{p.sequence, base, next}, millis)
	}
	return baseOffset, nil
}

// producedBatch is the header of a batch as far as the server looks at it. The layout is that of record.LogBatch.
type producedBatch struct {
	bytes    []byte
	header   int // its length
	schemaID int16
	delta    int32
	writerID int64
	sequence int32
}

// splitProduced walks over the batches. What is cut off at the end is left out.
func splitProduced(b []byte) ([]producedBatch, error) {
	var batches []producedBatch
	for len(b) >= produceMinHeader {
		total := int64(int32(binary.LittleEndian.Uint32(b[8:]))) + producePrefix
		if total > int64(len(b)) || total > math.MaxInt32 {
			break
		}
		p, err := readProduced(b, total)
		if err != nil {
			return nil, err
		}
		batches = append(batches, p)
		b = b[total:]
	}
	return batches, nil
}

func readProduced(b []byte, total int64) (p producedBatch, err error) {
	body, header := produceBody, produceMinHeader
	switch b[produceMagic] {
	case record.Magic0:
	case record.Magic1:
		body, header = body+4, header+4
	default:
		return p, brokenf(illegalArgument, "Unsupported magic value %d", b[produceMagic])
	}
	le := binary.LittleEndian
	if total < int64(header) || crc32.Checksum(b[body:total], castagnoli) != le.Uint32(b[body-4:]) {
		return p, refusef(wire.CodeCorruptRecord, "Record is corrupt (stored crc = %d)", le.Uint32(b[body-4:]))
	}
	p = producedBatch{
		bytes:    b[:total],
		header:   header,
		schemaID: int16(le.Uint16(b[body:])),
		delta:    int32(le.Uint32(b[body+3:])),
		writerID: int64(le.Uint64(b[body+7:])),
		sequence: int32(le.Uint32(b[body+15:])),
	}
	if p.delta < -1 {
		// The real server goes back with its offsets.
		return p, brokenf(illegalState, "a last offset delta of %d", p.delta)
	}
	return p, nil
}

// admitAll asks for each batch whether its writer may write it now. Batches of one writer follow each other.
func (b *bucketStore) admitAll(batches []producedBatch, millis int64) (*writtenBatch, error) {
	end := b.log.end
	for i := range batches {
		p := &batches[i]
		end += int64(p.delta) + 1
		previous := slices.IndexFunc(batches[:i], func(q producedBatch) bool { return q.writerID == p.writerID })
		if previous < 0 {
			if known, err := b.writers.admit(p.writerID, p.sequence, end-1, millis); known != nil || err != nil {
				return known, err
			}
			continue
		}
		if p.writerID == noWriter {
			continue
		}
		if w := b.writers.state(p.writerID, millis); w != nil {
			if known := w.find(p.sequence); known != nil {
				return known, nil
			}
		}
		for j := i - 1; j >= 0; j-- {
			if batches[j].writerID == p.writerID {
				if err := checkSequence(p.writerID, batches[j].sequence, p.sequence, end-1); err != nil {
					return nil, err
				}
				break
			}
		}
	}
	return nil, nil
}
