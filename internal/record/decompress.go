package record

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Most that a compressed byte can stand for. A zstd block takes 4 bytes at least and gives 128 KiB at most; an
// LZ4 length byte stands for 255. A claim beyond that is refused before anything is allocated for it.
const (
	zstdMaxRatio = 128 << 10 / 4
	lz4MaxRatio  = 256
)

// decompressor turns the buffers of one batch after the other into plain bytes. What it returns is valid until
// the buffer of the same number is asked for again.
type decompressor struct {
	codec  catalog.Compression
	budget int // uncompressed bytes that the batch may still take
	slots  [][]byte
	lz4    *lz4.Reader
	lz4In  bytes.Reader
}

// zstdDecoder serves all; see zstdOfLevel3 for why it is made at once. It starts no goroutine.
var zstdDecoder = func() *zstd.Decoder {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return dec
}()

// plain returns the uncompressed bytes of buffer number slot, of which there have to be at least need. Any
// more than a writer's padding is refused: limit is what the buffer's type can want, or -1 where only the data
// tells.
func (d *decompressor) plain(slot int, src []byte, need, limit int) ([]byte, error) {
	if d.codec == catalog.NoCompression || len(src) == 0 {
		return atLeast(src, need)
	}
	if len(src) < lengthSize {
		return nil, corruptf("compressed Arrow buffer of %d bytes", len(src))
	}
	size := int64(binary.LittleEndian.Uint64(src))
	src = src[lengthSize:]
	if size == storedRaw {
		return atLeast(src, need)
	}
	if size == 0 {
		return atLeast(nil, need)
	}
	if err := d.plausible(size, len(src), limit); err != nil {
		return nil, err
	}
	d.budget -= int(size)
	out := d.slot(slot, int(size))
	if err := d.fill(out, src); err != nil {
		return nil, err
	}
	return atLeast(out, need)
}

func atLeast(b []byte, need int) ([]byte, error) {
	if len(b) < need {
		return nil, corruptf("Arrow buffer of %d bytes, %d are needed", len(b), need)
	}
	return b, nil
}

func (d *decompressor) plausible(size int64, compressed, limit int) error {
	ratio := int64(zstdMaxRatio)
	if d.codec == catalog.LZ4Frame {
		ratio = lz4MaxRatio
	}
	switch {
	case size < 0 || size > int64(d.budget):
		return corruptf("Arrow buffer claims %d bytes uncompressed, %d are allowed", size, d.budget)
	case size > int64(compressed)*ratio:
		return corruptf("Arrow buffer claims %d bytes out of %d", size, compressed)
	case limit >= 0 && size > 2*int64(limit)+1024:
		return corruptf("Arrow buffer claims %d bytes, its rows take %d", size, limit)
	}
	return nil
}

// slot returns the reused memory of a buffer.
func (d *decompressor) slot(i, size int) []byte {
	for len(d.slots) <= i {
		d.slots = append(d.slots, nil)
	}
	if cap(d.slots[i]) < size {
		d.slots[i] = make([]byte, size)
	}
	return d.slots[i][:size:size]
}

// owns reports whether b is the memory of a slot from its beginning.
func (d *decompressor) owns(b []byte) bool {
	for _, s := range d.slots {
		if len(b) > 0 && cap(s) > 0 && &b[0] == &s[:1][0] {
			return true
		}
	}
	return false
}

// forget gives all slots away.
func (d *decompressor) forget() { clear(d.slots) }

func (d *decompressor) fill(out, src []byte) error {
	if d.codec == catalog.ZSTD {
		return fillZSTD(out, src)
	}
	return d.fillLZ4(out, src)
}

func fillZSTD(out, src []byte) error {
	got, err := zstdDecoder.DecodeAll(src, out[:0])
	if err != nil {
		return &CorruptError{Reason: "Arrow buffer in zstd", Cause: err}
	}
	if len(got) != len(out) {
		return corruptf("Arrow buffer has %d bytes uncompressed and claims %d", len(got), len(out))
	}
	return nil
}

func (d *decompressor) fillLZ4(out, src []byte) error {
	d.lz4In.Reset(src)
	if d.lz4 == nil {
		d.lz4 = lz4.NewReader(&d.lz4In)
	} else {
		d.lz4.Reset(&d.lz4In)
	}
	if _, err := io.ReadFull(d.lz4, out); err != nil {
		return &CorruptError{Reason: "Arrow buffer in lz4", Cause: err}
	}
	var more [1]byte
	if n, err := d.lz4.Read(more[:]); n != 0 || err != io.EOF {
		return &CorruptError{Reason: "Arrow buffer in lz4 does not end where it claims", Cause: err}
	}
	return nil
}
