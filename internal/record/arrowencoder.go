package record

import (
	"encoding/binary"
	"slices"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// arrowEncoder writes one Arrow message per batch.
type arrowEncoder struct {
	builders []*builder
	compress *compressor
	template *template
	fields   []*field
	lossy    bool
}

func newArrowEncoder(t *catalog.Table) (*arrowEncoder, error) {
	fields, err := layout(t.Schema.Columns)
	if err != nil {
		return nil, err
	}
	nodes, buffers := count(fields)
	return &arrowEncoder{
		fields:   fields,
		builders: newBuilders(fields),
		compress: newCompressor(t.Compression, t.CompressionLevel),
		template: newTemplate(nodes, buffers, t.Compression),
	}, nil
}

func (a *arrowEncoder) append(_ ChangeType, values []row.Datum, lossy bool) error {
	if a.lossy != lossy {
		a.lossy = lossy
		for _, b := range a.builders {
			b.setLossy(lossy)
		}
	}
	for i, b := range a.builders {
		if err := b.append(&values[i]); err != nil {
			a.undo(i)
			return named(err, b.field.name)
		}
	}
	return nil
}

// undo drops what columns 0 to failed took of the last row.
func (a *arrowEncoder) undo(failed int) {
	for _, b := range a.builders[:failed+1] {
		b.truncate(b.n - 1)
	}
}

func named(err error, column string) error {
	if v, ok := err.(*ValueError); ok {
		v.Column = column
	}
	return err
}

func (b *builder) setLossy(lossy bool) {
	b.lossy = lossy
	for _, c := range b.children {
		c.setLossy(lossy)
	}
}

func (a *arrowEncoder) size() int {
	n := len(a.template.bytes)
	for _, b := range a.builders {
		n += b.size()
	}
	return n
}

func (a *arrowEncoder) reset() {
	for _, b := range a.builders {
		b.reset()
	}
}

func (a *arrowEncoder) finish(dst []byte, e *LogEncoder) []byte {
	if !e.plain {
		dst = append(dst, e.changes...)
	}
	dst = slices.Grow(dst, a.size()/2)
	m := messageWriter{at: len(dst), template: a.template, compress: a.compress}
	dst = append(dst, a.template.bytes...)
	m.body = len(dst)
	for _, b := range a.builders {
		dst = m.field(dst, b)
	}
	return m.close(dst, e.count)
}

// messageWriter appends the body of a message and fills in the holes of its metadata.
type messageWriter struct {
	at, body int // where message and body start
	node     int
	buffer   int
	template *template
	compress *compressor
}

func (m *messageWriter) field(dst []byte, b *builder) []byte {
	p := dst[m.at+m.template.nodes+m.node*nodeSize:]
	binary.LittleEndian.PutUint64(p, uint64(b.n))
	binary.LittleEndian.PutUint64(p[8:], uint64(b.nulls))
	m.node++
	var valid []byte
	if b.nulls > 0 {
		valid = b.valid
	}
	dst = m.append(dst, valid)
	if b.hasOffsets() {
		dst = m.append(dst, b.offsets)
	}
	if b.field.shape <= varlen {
		dst = m.append(dst, b.data)
	}
	for _, c := range b.children {
		dst = m.field(dst, c)
	}
	return dst
}

// append appends one buffer and pads it to 8. Padding is not part of its length.
func (m *messageWriter) append(dst, raw []byte) []byte {
	from := len(dst)
	dst = m.compress.appendBuffer(dst, raw)
	p := dst[m.at+m.template.buffers+m.buffer*bufferSize:]
	binary.LittleEndian.PutUint64(p, uint64(from-m.body))
	binary.LittleEndian.PutUint64(p[8:], uint64(len(dst)-from))
	m.buffer++
	return appendZeros(dst, -(len(dst)-m.body)&7)
}

func (m *messageWriter) close(dst []byte, rows int) []byte {
	p := dst[m.at:]
	binary.LittleEndian.PutUint64(p[m.template.length:], uint64(rows))
	binary.LittleEndian.PutUint64(p[m.template.bodyLength:], uint64(len(dst)-m.body))
	return dst
}
