package record

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
)

// Magic bytes of log batches. This release of Fluss writes 0 and reads both.
const (
	Magic0 = 0
	Magic1 = 1
)

// MaxLogBatch is the length above which a batch is taken for damaged rather than for cut off: ten times the
// largest frame that a server accepts.
const MaxLogBatch = 1 << 30

const (
	logPrefix       = 12 // base offset and length: what the length does not count
	magicAt         = 12
	commitAt        = 13
	epochAt         = 21 // magic 1 only
	crcAt           = 21 // 4 further on for magic 1
	bodyAt          = 25 // schema id: where the CRC's span begins; 4 further on for magic 1
	epochSize       = 4
	logHeaderSize   = 48 // 4 more for magic 1
	appendOnlyMask  = 1
	noLeaderEpoch   = -1
	schemaAt        = 0 // from here on relative to bodyAt
	attributesAt    = 2
	lastDeltaAt     = 3
	writerAt        = 7
	sequenceAt      = 15
	countAt         = 19
	bodyFixed       = 23
	minLogBatchTail = logHeaderSize - logPrefix
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// LogBatch is a log batch whose header was read. It aliases the bytes it was read from.
//
// The header, all little-endian; for magic 1 everything from the CRC on lies 4 bytes further:
//
//	 0  int64   base offset; 0 from a client, set by the leader
//	 8  int32   bytes that follow this field
//	12  int8    magic
//	13  int64   commit timestamp, milliseconds since the epoch; 0 from a client, set by the leader
//	--  int32   leader epoch, at 21, in magic 1 only; -1 from a client
//	21  uint32  CRC-32C of everything behind it
//	25  int16   schema id of the rows
//	27  int8    attributes; bit 0: append-only
//	28  int32   last offset delta: records - 1, 0 without records
//	32  int64   writer id, or -1
//	40  int32   batch sequence of (writer, bucket), or -1
//	44  int32   record count
//	48          payload
//
// Source: LogRecordBatchFormat, DefaultLogRecordBatch (Java, v0.9.1-incubating).
type LogBatch struct {
	BaseOffset      int64
	Magic           uint8
	CommitMillis    int64
	LeaderEpoch     int32 // -1 when the magic has none
	CRC             uint32
	SchemaID        int16
	AppendOnly      bool
	LastOffsetDelta int32
	WriterID        int64
	Sequence        int32
	Count           int32  // records; may be 0
	Bytes           []byte // the whole batch
	Payload         []byte // what follows the header
}

// NextLogBatch reads the header of the batch at the start of b and returns what lies behind the batch.
// It returns io.EOF for empty b, ErrTruncated when b ends inside the batch, and a *CorruptError for a
// header that cannot be right. The CRC is not looked at: see CheckCRC.
func NextLogBatch(b []byte) (lb LogBatch, rest []byte, err error) {
	if len(b) == 0 {
		return lb, nil, io.EOF
	}
	if len(b) < logPrefix {
		return lb, nil, ErrTruncated
	}
	n := int32(binary.LittleEndian.Uint32(b[8:]))
	if n < minLogBatchTail || n > MaxLogBatch {
		return lb, nil, corruptf("log batch length %d", n)
	}
	if len(b) <= magicAt {
		return lb, nil, ErrTruncated
	}
	shift, ok := magicShift(b[magicAt])
	if !ok {
		return lb, nil, corruptf("log batch magic %d is not known", b[magicAt])
	}
	if int(n) < minLogBatchTail+shift {
		return lb, nil, corruptf("log batch length %d is shorter than its header", n)
	}
	total := logPrefix + int(n)
	if len(b) < total {
		return lb, nil, ErrTruncated
	}
	lb.parse(b[:total:total], shift)
	return lb, b[total:], lb.check()
}

// magicShift is how much further than in magic 0 the fields from the CRC on lie.
func magicShift(magic byte) (int, bool) {
	switch magic {
	case Magic0:
		return 0, true
	case Magic1:
		return epochSize, true
	}
	return 0, false
}

func (b *LogBatch) parse(p []byte, shift int) {
	body := p[bodyAt+shift:]
	*b = LogBatch{
		BaseOffset:      int64(binary.LittleEndian.Uint64(p)),
		Magic:           p[magicAt],
		CommitMillis:    int64(binary.LittleEndian.Uint64(p[commitAt:])),
		LeaderEpoch:     noLeaderEpoch,
		CRC:             binary.LittleEndian.Uint32(p[crcAt+shift:]),
		SchemaID:        int16(binary.LittleEndian.Uint16(body[schemaAt:])),
		AppendOnly:      body[attributesAt]&appendOnlyMask != 0,
		LastOffsetDelta: int32(binary.LittleEndian.Uint32(body[lastDeltaAt:])),
		WriterID:        int64(binary.LittleEndian.Uint64(body[writerAt:])),
		Sequence:        int32(binary.LittleEndian.Uint32(body[sequenceAt:])),
		Count:           int32(binary.LittleEndian.Uint32(body[countAt:])),
		Bytes:           p,
		Payload:         body[bodyFixed:],
	}
	if shift != 0 {
		b.LeaderEpoch = int32(binary.LittleEndian.Uint32(p[epochAt:]))
	}
}

// check refuses numbers that would make a reader go back or stand still.
func (b *LogBatch) check() error {
	switch {
	case b.BaseOffset < 0 || b.LastOffsetDelta < 0 || b.BaseOffset > math.MaxInt64-1-int64(b.LastOffsetDelta):
		return corruptf("log batch at offset %d spans %d", b.BaseOffset, b.LastOffsetDelta)
	case b.Count < 0 || int64(b.Count) > int64(b.LastOffsetDelta)+1:
		return corruptf("log batch at offset %d counts %d records over %d offsets", b.BaseOffset, b.Count, int64(b.LastOffsetDelta)+1)
	}
	return nil
}

// NextOffset is the offset behind the batch. A batch without records still takes one.
func (b *LogBatch) NextOffset() int64 { return b.BaseOffset + int64(b.LastOffsetDelta) + 1 }

// CheckCRC compares the CRC with the content. Do not ask it of a batch that was fetched with a projection: the
// server leaves the CRC of the whole batch in it.
func (b *LogBatch) CheckCRC() error {
	shift, _ := magicShift(b.Magic)
	if got := crc32.Checksum(b.Bytes[bodyAt+shift:], castagnoli); got != b.CRC {
		return corruptf("log batch at offset %d: CRC %08x, the content has %08x", b.BaseOffset, b.CRC, got)
	}
	return nil
}

// LogHeader is what the writer of a batch decides about its header. A client leaves all but the first two
// fields zero; a leader fills in base offset and commit timestamp.
type LogHeader struct {
	WriterID     int64 // -1: none
	Sequence     int32 // -1: none
	Magic        uint8
	BaseOffset   int64
	CommitMillis int64
	LeaderEpoch  int32 // magic 1 only; a client writes -1
}

// appendLogHeader appends a header whose length and CRC sealLogBatch fills in.
func appendLogHeader(dst []byte, h *LogHeader, schemaID int16, appendOnly bool, count int32) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint64(dst, uint64(h.BaseOffset))
	dst = le.AppendUint32(dst, 0) // length
	dst = append(dst, h.Magic)
	dst = le.AppendUint64(dst, uint64(h.CommitMillis))
	if h.Magic == Magic1 {
		dst = le.AppendUint32(dst, uint32(h.LeaderEpoch))
	}
	dst = le.AppendUint32(dst, 0) // CRC
	dst = le.AppendUint16(dst, uint16(schemaID))
	var attributes byte
	if appendOnly {
		attributes = appendOnlyMask
	}
	dst = append(dst, attributes)
	dst = le.AppendUint32(dst, uint32(max(count-1, 0)))
	dst = le.AppendUint64(dst, uint64(h.WriterID))
	dst = le.AppendUint32(dst, uint32(h.Sequence))
	return le.AppendUint32(dst, uint32(count))
}

// sealLogBatch fills in length and CRC of b, one whole batch.
func sealLogBatch(b []byte) {
	shift, _ := magicShift(b[magicAt])
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)-logPrefix))
	binary.LittleEndian.PutUint32(b[crcAt+shift:], crc32.Checksum(b[bodyAt+shift:], castagnoli))
}

// StampLogBatch sets base offset and commit timestamp of b, one whole batch, as the leader does. Both lie
// outside the CRC.
func StampLogBatch(b []byte, baseOffset, commitMillis int64) {
	binary.LittleEndian.PutUint64(b, uint64(baseOffset))
	binary.LittleEndian.PutUint64(b[commitAt:], uint64(commitMillis))
}
