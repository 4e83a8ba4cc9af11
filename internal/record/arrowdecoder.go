package record

import (
	"strconv"

	"github.com/gofluss/fluss/internal/catalog"
)

// arrowPayload decodes the payload of ARROW logs: a change type per record unless the batch is append-only,
// then one Arrow message.
type arrowPayload struct {
	fields         []*field
	nodes, buffers int
	want           []bool // nil: all
	reader         vectorReader
	vectors        []Vector
}

func newArrowPayload(columns []catalog.Column) (*arrowPayload, error) {
	fields, err := layout(columns)
	if err != nil {
		return nil, err
	}
	p := &arrowPayload{fields: fields, vectors: make([]Vector, len(fields))}
	p.nodes, p.buffers = count(fields)
	return p, nil
}

func (p *arrowPayload) selectColumns(want []bool) { p.want = want }

func (p *arrowPayload) decode(d *LogDecoder, b *LogBatch) error {
	payload := b.Payload
	if !b.AppendOnly {
		if len(payload) < int(b.Count) {
			return corruptf("%d change types in %d bytes", b.Count, len(payload))
		}
		d.rows.changes, payload = payload[:b.Count], payload[b.Count:]
		for i, c := range d.rows.changes {
			if ChangeType(c) >= changeTypes {
				return corruptf("record %d has change type %d", i, c)
			}
		}
	}
	m, err := readMessage(payload)
	if err != nil {
		return err
	}
	if m.length != int64(b.Count) {
		return corruptf("Arrow batch of %d rows, the header counts %d", m.length, b.Count)
	}
	if err := p.reader.begin(m, p.nodes, p.buffers, d.MaxBytes); err != nil {
		return err
	}
	for i, f := range p.fields {
		if p.want != nil && !p.want[i] {
			p.reader.skip(f, &p.vectors[i])
			continue
		}
		if err := p.reader.read(f, &p.vectors[i], int(b.Count), true); err != nil {
			return within("column "+strconv.Quote(f.name), err)
		}
	}
	d.rows.vectors, d.rows.taken = p.vectors, &p.reader.dec
	return nil
}
