package record

import (
	"encoding/binary"
	"math"

	"github.com/gofluss/fluss/internal/catalog"
)

// vectorReader reads the nodes and buffers of a message in the order of the layout and leaves nothing
// unchecked. Its memory is reused from batch to batch.
type vectorReader struct {
	msg      message
	node     int // next node
	buffer   int // next buffer
	dec      decompressor
	bigs     [][]byte // by node: the memory of Vector.big
	allNulls []byte   // zeros, for a column of NULLs whose validity is left out
}

// begin takes a message whose numbers of nodes and buffers have to be those of the layout.
func (r *vectorReader) begin(m message, nodes, buffers, budget int) error {
	if len(m.nodes) != nodes*nodeSize || len(m.buffers) != buffers*bufferSize {
		return corruptf("Arrow message of %d nodes and %d buffers, the schema has %d and %d",
			len(m.nodes)/nodeSize, len(m.buffers)/bufferSize, nodes, buffers)
	}
	r.msg, r.node, r.buffer = m, 0, 0
	r.dec.codec, r.dec.budget = m.codec, budget
	return nil
}

// skip passes over a field without looking at it.
func (r *vectorReader) skip(f *field, v *Vector) {
	nodes, buffers := count([]*field{f})
	r.node += nodes
	r.buffer += buffers
	*v = Vector{field: f, skipped: true}
}

// read reads a field of rows values; of at least that many where exact is false.
func (r *vectorReader) read(f *field, v *Vector, rows int, exact bool) error {
	node := r.node
	n, nulls, err := r.nextNode(rows, exact)
	if err != nil {
		return err
	}
	*v = Vector{field: f, n: n, nulls: nulls, children: v.children}
	if err := r.readValidity(v); err != nil {
		return err
	}
	switch f.shape {
	case bitmap:
		v.data, err = r.nextBuffer((n + 7) / 8)
	case fixed:
		err = r.readFixed(v, node)
	case varlen:
		err = r.readVariable(v)
	case list:
		err = r.readList(v)
	case group:
		err = r.readGroup(v)
	}
	return err
}

func (r *vectorReader) nextNode(rows int, exact bool) (n, nulls int, err error) {
	p := r.msg.nodes[r.node*nodeSize:]
	r.node++
	length := int64(binary.LittleEndian.Uint64(p))
	null := int64(binary.LittleEndian.Uint64(p[8:]))
	if length < int64(rows) || exact && length != int64(rows) || length > math.MaxInt32-8 {
		return 0, 0, corruptf("Arrow field of %d values for %d rows", length, rows)
	}
	if null < 0 || null > length {
		return 0, 0, corruptf("Arrow field of %d values with %d nulls", length, null)
	}
	return int(length), int(null), nil
}

// rawBuffer returns the next buffer as it lies in the body.
func (r *vectorReader) rawBuffer() ([]byte, error) {
	p := r.msg.buffers[r.buffer*bufferSize:]
	r.buffer++
	offset := binary.LittleEndian.Uint64(p)
	length := binary.LittleEndian.Uint64(p[8:])
	size := uint64(len(r.msg.body))
	if offset > size || length > size-offset {
		return nil, corruptf("Arrow buffer at %d of %d bytes in a body of %d", offset, length, size)
	}
	return r.msg.body[offset : offset+length], nil
}

// nextBuffer returns the next buffer's plain bytes, need of them.
func (r *vectorReader) nextBuffer(need int) ([]byte, error) {
	raw, err := r.rawBuffer()
	if err != nil {
		return nil, err
	}
	b, err := r.dec.plain(r.buffer-1, raw, need, need)
	if err != nil {
		return nil, err
	}
	return b[:need], nil
}

// readValidity leaves valid nil when there are no NULLs, whatever the buffer holds: Java does the same. When
// all are NULL the buffer may be missing.
func (r *vectorReader) readValidity(v *Vector) error {
	need := (v.n + 7) / 8
	if v.nulls == 0 {
		_, err := r.rawBuffer()
		return err
	}
	raw, err := r.rawBuffer()
	if err != nil {
		return err
	}
	b, err := r.dec.plain(r.buffer-1, raw, 0, need)
	if err != nil {
		return err
	}
	if len(b) == 0 && v.nulls == v.n {
		if need > r.dec.budget {
			return corruptf("Arrow field of %d nulls", v.n)
		}
		if len(r.allNulls) < need {
			r.allNulls = make([]byte, need)
		}
		b = r.allNulls
	}
	if v.valid, err = atLeast(b, need); err == nil {
		v.valid = v.valid[:need]
	}
	return err
}

func (r *vectorReader) readFixed(v *Vector, node int) (err error) {
	if int64(v.n)*int64(v.field.width) > math.MaxInt32 {
		return corruptf("Arrow field of %d values of %d bytes", v.n, v.field.width)
	}
	if v.data, err = r.nextBuffer(v.n * v.field.width); err != nil {
		return err
	}
	switch t := v.field.typ; {
	case t.IsCompactDecimal():
		return v.checkCompact()
	case t.Kind == catalog.Decimal:
		v.big = r.bigEndian(v.data, node)
	case v.field.unit == seconds && v.field.width == 8:
		return v.checkSeconds()
	}
	return nil
}

// checkCompact checks that every DECIMAL of precision 18 or less fits an int64.
func (v *Vector) checkCompact() error {
	rest := v.data[:16*v.n]
	for ; len(rest) >= 16; rest = rest[16:] {
		if binary.LittleEndian.Uint64(rest[8:]) != uint64(int64(binary.LittleEndian.Uint64(rest))>>63) {
			if i := v.n - len(rest)/16; !v.IsNull(i) {
				return corruptf("value %d is too large for %s", i, v.field.typ.Name())
			}
		}
	}
	return nil
}

// checkSeconds checks that every TIMESTAMP(0) can be given in milliseconds.
func (v *Vector) checkSeconds() error {
	for i := range v.n {
		s := int64(binary.LittleEndian.Uint64(v.data[i*8:]))
		if (s > math.MaxInt64/1000 || s < math.MinInt64/1000) && !v.IsNull(i) {
			return corruptf("value %d is too large for %s", i, v.field.typ.Name())
		}
	}
	return nil
}

// bigEndian turns every 16 bytes of data around.
func (r *vectorReader) bigEndian(data []byte, node int) []byte {
	for len(r.bigs) <= node {
		r.bigs = append(r.bigs, nil)
	}
	b := r.bigs[node][:0]
	for i := 0; i < len(data); i += 16 {
		b = binary.BigEndian.AppendUint64(b, binary.LittleEndian.Uint64(data[i+8:]))
		b = binary.BigEndian.AppendUint64(b, binary.LittleEndian.Uint64(data[i:]))
	}
	r.bigs[node] = b
	return b
}

// readOffsets returns the last offset. A field without values may have no offsets at all.
func (r *vectorReader) readOffsets(v *Vector) (int, error) {
	if v.n == 0 {
		_, err := r.rawBuffer()
		return 0, err
	}
	b, err := r.nextBuffer(4 * (v.n + 1))
	if err != nil {
		return 0, err
	}
	last := int32(binary.LittleEndian.Uint32(b))
	if last < 0 {
		return 0, corruptf("Arrow offset %d", last)
	}
	for i := 4; i < len(b); i += 4 {
		next := int32(binary.LittleEndian.Uint32(b[i:]))
		if next < last {
			return 0, corruptf("Arrow offset %d after %d", next, last)
		}
		last = next
	}
	v.offsets = b
	return int(last), nil
}

func (r *vectorReader) readVariable(v *Vector) error {
	last, err := r.readOffsets(v)
	if err != nil {
		return err
	}
	raw, err := r.rawBuffer()
	if err != nil {
		return err
	}
	v.data, err = r.dec.plain(r.buffer-1, raw, last, -1)
	return err
}

func (r *vectorReader) readList(v *Vector) error {
	last, err := r.readOffsets(v)
	if err != nil {
		return err
	}
	v.needChildren()
	return r.read(v.field.children[0], &v.children[0], last, false)
}

func (r *vectorReader) readGroup(v *Vector) error {
	v.needChildren()
	for i, f := range v.field.children {
		if err := r.read(f, &v.children[i], v.n, false); err != nil {
			return err
		}
	}
	return nil
}

// needChildren keeps the children of the batch before, whose own children are reused in turn.
func (v *Vector) needChildren() {
	if len(v.children) != len(v.field.children) {
		v.children = make([]Vector, len(v.field.children))
	}
}
