package record

import (
	"encoding/binary"
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
)

// Projector cuts whole ARROW batches of one schema down to some columns, as the server does for a fetch with a
// projection: header and change types stay as they are, the CRC included, which is then wrong; the buffers are
// not decompressed; and the message names the table's codec whatever the batch was compressed with.
// Source: FileLogProjection (Java, v0.9.1-incubating).
type Projector struct {
	nodes    []int // of the whole message, those to keep
	buffers  []int
	wholeN   int // nodes and buffers of the whole message
	wholeB   int
	template *template
}

// NewProjector compiles a projector for batches of that schema. positions ascend.
func NewProjector(t *catalog.Table, schema *catalog.Schema, positions []int) (*Projector, error) {
	if t.LogFormat != catalog.LogArrow {
		return nil, fmt.Errorf("table %s: only ARROW logs can be projected", t.Path)
	}
	if _, err := project(schema, positions); err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Path, err)
	}
	fields, err := layout(schema.Columns)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Path, err)
	}
	p := &Projector{}
	next := 0
	for i, f := range fields {
		nodes, buffers := count([]*field{f})
		if next < len(positions) && positions[next] == i {
			p.nodes = appendRange(p.nodes, p.wholeN, nodes)
			p.buffers = appendRange(p.buffers, p.wholeB, buffers)
			next++
		}
		p.wholeN += nodes
		p.wholeB += buffers
	}
	p.template = newTemplate(len(p.nodes), len(p.buffers), t.Compression)
	return p, nil
}

func appendRange(dst []int, from, n int) []int {
	for i := range n {
		dst = append(dst, from+i)
	}
	return dst
}

// Append appends the projected batch. A batch without records is copied.
func (p *Projector) Append(dst []byte, b *LogBatch) ([]byte, error) {
	if b.Count == 0 {
		return append(dst, b.Bytes...), nil
	}
	at := len(dst)
	head := len(b.Bytes) - len(b.Payload)
	if !b.AppendOnly {
		head += int(b.Count)
	}
	if b.Count < 0 || head > len(b.Bytes) {
		return dst, corruptf("%d change types in %d bytes", b.Count, len(b.Payload))
	}
	m, err := readMessage(b.Bytes[head:])
	if err != nil {
		return dst, err
	}
	if len(m.nodes) != p.wholeN*nodeSize || len(m.buffers) != p.wholeB*bufferSize {
		return dst, corruptf("Arrow message of %d nodes, the schema has %d", len(m.nodes)/nodeSize, p.wholeN)
	}
	dst = append(dst, b.Bytes[:head]...)
	if dst, err = p.appendMessage(dst, &m); err != nil {
		return dst[:at], err
	}
	binary.LittleEndian.PutUint32(dst[at+8:], uint32(len(dst)-at-logPrefix))
	return dst, nil
}

func (p *Projector) appendMessage(dst []byte, m *message) ([]byte, error) {
	le := binary.LittleEndian
	at := len(dst)
	dst = append(dst, p.template.bytes...)
	for i, n := range p.nodes {
		copy(dst[at+p.template.nodes+i*nodeSize:], m.nodes[n*nodeSize:(n+1)*nodeSize])
	}
	body := len(dst)
	for i, n := range p.buffers {
		from := le.Uint64(m.buffers[n*bufferSize:])
		end := uint64(len(m.body))
		if n+1 < p.wholeB {
			end = le.Uint64(m.buffers[(n+1)*bufferSize:])
		}
		if from > end || end > uint64(len(m.body)) {
			return dst, corruptf("Arrow buffer from %d to %d in a body of %d", from, end, len(m.body))
		}
		slot := dst[at+p.template.buffers+i*bufferSize:]
		le.PutUint64(slot, uint64(len(dst)-body))
		copy(slot[8:16], m.buffers[n*bufferSize+8:])
		dst = append(dst, m.body[from:end]...)
	}
	le.PutUint64(dst[at+p.template.length:], uint64(m.length))
	le.PutUint64(dst[at+p.template.bodyLength:], uint64(len(dst)-body))
	return dst, nil
}
