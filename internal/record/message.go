package record

import (
	"encoding/binary"

	"github.com/gofluss/fluss/internal/catalog"
)

// Field ids and enum values of the Arrow format's Message.fbs and Schema.fbs (format version 1.5, metadata V5).
const (
	messageVersion    = 0
	messageHeaderType = 1
	messageHeader     = 2
	messageBodyLength = 3

	batchLength      = 0
	batchNodes       = 1
	batchBuffers     = 2
	batchCompression = 3

	compressionCodec  = 0
	compressionMethod = 1

	metadataV5      = 4
	typeRecordBatch = 3

	nodeSize   = 16 // int64 length, int64 null count
	bufferSize = 16 // int64 offset, int64 length

	codecLZ4  = 0
	codecZSTD = 1
)

// prefixSize is the continuation marker ffffffff and the int32 length of the metadata.
const prefixSize = 8

// message is the metadata of one encapsulated RecordBatch message. nodes, buffers and body alias the payload.
type message struct {
	length  int64
	nodes   []byte // nodeSize each
	buffers []byte // bufferSize each
	codec   catalog.Compression
	body    []byte
}

// readMessage takes p apart, which has to begin with an encapsulated IPC message that holds a record batch:
//
//	0    ffffffff
//	4    int32  length of the metadata, padding included
//	8    flatbuffer Message, padded to 8
//	8+n  body
//
// What lies behind the body is ignored, as the Java reader does.
func readMessage(p []byte) (m message, err error) {
	if len(p) < prefixSize || binary.LittleEndian.Uint32(p) != 0xffffffff {
		return m, corruptf("%d bytes of payload do not start an Arrow message", len(p))
	}
	n := int32(binary.LittleEndian.Uint32(p[4:]))
	if n < 0 || int64(n) > int64(len(p)-prefixSize) {
		return m, corruptf("Arrow metadata of %d bytes in %d", n, len(p)-prefixSize)
	}
	f := flat{b: p[prefixSize : prefixSize+n]}
	m.body = p[prefixSize+n:]
	root := f.root()
	if v := f.int16(root, messageVersion); v < metadataV5-1 && !f.bad {
		return m, corruptf("Arrow metadata version %d", v+1)
	}
	if t := f.byte(root, messageHeaderType); t != typeRecordBatch && !f.bad {
		return m, corruptf("Arrow message of type %d, not a record batch", t)
	}
	bodyLength := f.int64(root, messageBodyLength)
	batch, ok := f.sub(root, messageHeader)
	if !ok {
		return m, corruptf("Arrow message without a readable record batch")
	}
	m.length = f.int64(batch, batchLength)
	m.nodes = f.vector(batch, batchNodes, nodeSize)
	m.buffers = f.vector(batch, batchBuffers, bufferSize)
	if err = m.readCodec(&f, batch); err != nil {
		return m, err
	}
	if f.bad {
		return m, corruptf("Arrow metadata points outside itself")
	}
	if bodyLength < 0 || bodyLength > int64(len(m.body)) {
		return m, corruptf("Arrow body of %d bytes, %d are there", bodyLength, len(m.body))
	}
	m.body = m.body[:bodyLength]
	return m, nil
}

func (m *message) readCodec(f *flat, batch flatTable) error {
	m.codec = catalog.NoCompression
	c, ok := f.sub(batch, batchCompression)
	if !ok {
		return nil
	}
	if method := f.byte(c, compressionMethod); method != 0 {
		return corruptf("Arrow body compression method %d", method)
	}
	switch codec := f.byte(c, compressionCodec); codec {
	case codecLZ4:
		m.codec = catalog.LZ4Frame
	case codecZSTD:
		m.codec = catalog.ZSTD
	default:
		return corruptf("Arrow codec %d", codec)
	}
	return nil
}

// template is the metadata of the messages of one schema and codec with holes for the numbers. They are all
// of the same size, so a message is a copy with the holes filled in.
type template struct {
	bytes      []byte // with the prefix
	bodyLength int    // positions in bytes
	length     int
	nodes      int
	buffers    int
}

// newTemplate lays out the flatbuffer by hand, front to back, 8-byte values at multiples of 8 from the
// flatbuffer's start:
//
//	0   root reference          4   vtable of Message (4 fields)
//	16  Message                 36  vtable of RecordBatch (4 fields)
//	48  RecordBatch             72  vtable and BodyCompression, when compressed
//	..  nodes                   ..  buffers
func newTemplate(nodes, buffers int, codec catalog.Compression) *template {
	var w flatWriter
	w.u32(16)
	w.vtable(20, 16, 18, 4, 8) // version, header type, header, body length
	w.u32(12)                  // Message: 12 back to the vtable
	w.ref(48)
	t := &template{bodyLength: w.i64(0)}
	w.u16(metadataV5)
	w.u16(typeRecordBatch) // the type and a byte of padding
	w.vtable(24, 8, 4, 16, compressionSlot(codec))
	w.u32(12) // RecordBatch: 12 back to the vtable
	nodesRef := w.u32(0)
	t.length = w.i64(0)
	buffersRef := w.u32(0)
	compressionRef := w.u32(0)
	if codec != catalog.NoCompression {
		w.vtable(8, 4, 5) // codec, method
		w.patchRef(compressionRef)
		w.u32(8) // BodyCompression: 8 back to the vtable
		w.u16(uint16(codecByte(codec)))
		w.u16(0)
	}
	w.u32(0) // so that the elements behind the next count are aligned
	w.patchRef(nodesRef)
	w.u32(uint32(nodes))
	t.nodes = w.zeros(nodes * nodeSize)
	w.u32(0)
	w.patchRef(buffersRef)
	w.u32(uint32(buffers))
	t.buffers = w.zeros(buffers * bufferSize)
	t.seal(w.b)
	return t
}

func compressionSlot(codec catalog.Compression) uint16 {
	if codec == catalog.NoCompression {
		return 0
	}
	return 20
}

func codecByte(codec catalog.Compression) byte {
	if codec == catalog.LZ4Frame {
		return codecLZ4
	}
	return codecZSTD
}

// seal puts the prefix in front and moves the positions behind it.
func (t *template) seal(metadata []byte) {
	t.bytes = binary.LittleEndian.AppendUint32([]byte{0xff, 0xff, 0xff, 0xff}, uint32(len(metadata)))
	t.bytes = append(t.bytes, metadata...)
	for _, at := range []*int{&t.bodyLength, &t.length, &t.nodes, &t.buffers} {
		*at += prefixSize
	}
}

// flatWriter appends the pieces of a flatbuffer.
type flatWriter struct{ b []byte }

func (w *flatWriter) u16(v uint16) { w.b = binary.LittleEndian.AppendUint16(w.b, v) }

// u32, i64 and zeros return where they wrote.
func (w *flatWriter) u32(v uint32) int {
	w.b = binary.LittleEndian.AppendUint32(w.b, v)
	return len(w.b) - 4
}

func (w *flatWriter) i64(v int64) int {
	w.b = binary.LittleEndian.AppendUint64(w.b, uint64(v))
	return len(w.b) - 8
}

func (w *flatWriter) zeros(n int) int {
	w.b = append(w.b, make([]byte, n)...)
	return len(w.b) - n
}

// ref writes a reference to the position at.
func (w *flatWriter) ref(at int) { w.u32(uint32(at - len(w.b))) }

// patchRef makes the reference at ref point to what is written next.
func (w *flatWriter) patchRef(ref int) {
	binary.LittleEndian.PutUint32(w.b[ref:], uint32(len(w.b)-ref))
}

func (w *flatWriter) vtable(table uint16, places ...uint16) {
	w.u16(uint16(4 + 2*len(places)))
	w.u16(table)
	for _, p := range places {
		w.u16(p)
	}
}
