package record

import (
	"encoding/binary"
	"runtime"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A compressed Arrow buffer is an int64 uncompressed length, then the data; the length -1 marks data that is
// stored as it is. An empty buffer has no bytes at all, or eight zero bytes as Java writes it.
const (
	lengthSize = 8
	storedRaw  = -1
)

// LZ4 frames are written as the Java client writes them, since its reader takes no other kind: independent
// blocks of at most 64 KiB, no checksums, no content size. The header is magic, flags 0x60, block size 0x40
// and the checksum byte of those two. Source: FlussLZ4BlockOutputStream (Java, v0.9.1-incubating).
const (
	lz4Header    = "\x04\x22\x4d\x18\x60\x40\x82"
	lz4Block     = 64 << 10
	lz4StoredBit = 1 << 31
)

// compressor compresses Arrow buffers. The zstd state costs more to set up than a batch costs to compress; all
// tables of the default level share one.
type compressor struct {
	codec catalog.Compression
	zstd  *zstd.Encoder // of all tables at the default level, of this compressor alone at another
	lz4   *lz4.Compressor
}

func newCompressor(codec catalog.Compression, level int) *compressor {
	c := &compressor{codec: codec}
	switch codec {
	case catalog.ZSTD:
		c.zstd = zstdOfLevel3
		if l := zstd.EncoderLevelFromZstd(level); l != zstd.SpeedDefault {
			c.zstd = newZSTD(l, 1)
		}
	case catalog.LZ4Frame:
		c.lz4 = new(lz4.Compressor)
	}
	return c
}

// appendBuffer appends raw in the form of the codec, without padding.
func (c *compressor) appendBuffer(dst, raw []byte) []byte {
	if c.codec == catalog.NoCompression || len(raw) == 0 {
		return append(dst, raw...)
	}
	at := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(raw)))
	if c.codec == catalog.ZSTD {
		dst = c.appendZSTD(dst, raw)
	} else {
		dst = c.appendLZ4(dst, raw)
	}
	if len(dst)-at-lengthSize < len(raw) {
		return dst
	}
	stored := int64(storedRaw)
	dst = binary.LittleEndian.AppendUint64(dst[:at], uint64(stored))
	return append(dst, raw...)
}

func (c *compressor) appendZSTD(dst, raw []byte) []byte {
	return c.zstd.EncodeAll(raw, dst)
}

func (c *compressor) appendLZ4(dst, raw []byte) []byte {
	dst = append(dst, lz4Header...)
	for len(raw) > 0 {
		block := raw[:min(len(raw), lz4Block)]
		raw = raw[len(block):]
		dst = c.appendLZ4Block(dst, block)
	}
	return append(dst, 0, 0, 0, 0)
}

func (c *compressor) appendLZ4Block(dst, block []byte) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = append(dst, block...) // as long as a block that does not shrink may become
	n, err := c.lz4.CompressBlock(block, dst[at+4:])
	if err != nil || n == 0 || n >= len(block) {
		copy(dst[at+4:], block)
		binary.LittleEndian.PutUint32(dst[at:], uint32(len(block))|lz4StoredBit)
		return dst
	}
	binary.LittleEndian.PutUint32(dst[at:], uint32(n))
	return dst[:at+4+n]
}

// maxZSTD bounds the states of the shared encoder, 1.5 MiB each, of which only those in use take memory.
const maxZSTD = 4

// zstdOfLevel3 serves all tables of the default level. It is made, and its first buffer compressed, when the package is
// initialized: an encoder first used within a testing/synctest bubble cannot be used outside of it, since it holds a
// channel. It starts no goroutine, and callers beyond its concurrency wait for each other.
var zstdOfLevel3 = func() *zstd.Encoder {
	enc := newZSTD(zstd.SpeedDefault, min(runtime.GOMAXPROCS(0), maxZSTD))
	enc.EncodeAll([]byte{0}, nil)
	return enc
}()

// zstdWindow bounds how far back a match may lie. It is about what one column of a full batch takes; the encoder keeps
// twice as much.
const zstdWindow = 1 << 20

// newZSTD returns the encoder of a level.
func newZSTD(level zstd.EncoderLevel, concurrency int) *zstd.Encoder {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(concurrency),
		zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true), zstd.WithWindowSize(zstdWindow))
	if err != nil {
		panic(err) // the options are constants
	}
	return enc
}
