package record

import (
	"encoding/binary"
	"math"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// builder collects the values of one field of the layout in the very bytes that go into a batch.
type builder struct {
	field    *field
	n        int
	nulls    int
	valid    []byte // empty until the first NULL comes
	data     []byte
	offsets  []byte // n+1 int32
	children []*builder
	lossy    bool
}

func newBuilder(f *field) *builder {
	b := &builder{field: f}
	for _, c := range f.children {
		b.children = append(b.children, newBuilder(c))
	}
	b.reset()
	return b
}

func newBuilders(fields []*field) []*builder {
	builders := make([]*builder, len(fields))
	for i, f := range fields {
		builders[i] = newBuilder(f)
	}
	return builders
}

func (b *builder) reset() {
	b.n, b.nulls = 0, 0
	b.valid, b.data, b.offsets = b.valid[:0], b.data[:0], b.offsets[:0]
	if b.hasOffsets() {
		b.offsets = append(b.offsets, 0, 0, 0, 0)
	}
	for _, c := range b.children {
		c.reset()
	}
}

func (b *builder) hasOffsets() bool { return b.field.shape == varlen || b.field.shape == list }

// append appends one value. After an error the builder holds anything; truncate brings it back.
func (b *builder) append(d *row.Datum) error {
	if d.Null {
		b.appendNull()
		return nil
	}
	if b.nulls > 0 {
		b.appendBit(&b.valid, 1)
	}
	var err error
	switch b.field.shape {
	case bitmap:
		b.appendBit(&b.data, byte(d.I&1))
	case fixed:
		err = b.appendFixed(d)
	case varlen:
		b.data = append(b.data, d.B...)
		err = b.appendOffset(len(b.data))
	case list:
		err = b.appendList(d)
	case group:
		for i, c := range b.children {
			if err = c.append(&d.L[i]); err != nil {
				break
			}
		}
	}
	b.n++
	return err
}

// appendBit appends bit number b.n to a bitmap.
func (b *builder) appendBit(to *[]byte, bit byte) {
	if b.n&7 == 0 {
		*to = append(*to, bit)
		return
	}
	(*to)[b.n>>3] |= bit << (b.n & 7)
}

func (b *builder) appendNull() {
	if b.nulls == 0 {
		b.startValidity()
	}
	b.appendBit(&b.valid, 0)
	b.nulls++
	switch b.field.shape {
	case bitmap:
		b.appendBit(&b.data, 0)
	case fixed:
		b.data = appendZeros(b.data, b.field.width)
	case varlen, list:
		b.offsets = append(b.offsets, b.offsets[len(b.offsets)-4:]...)
	case group:
		for _, c := range b.children {
			c.appendNull()
		}
	}
	b.n++
}

// startValidity sets the bits of the values so far.
func (b *builder) startValidity() {
	b.valid = b.valid[:0]
	for range b.n / 8 {
		b.valid = append(b.valid, 0xff)
	}
	if rest := b.n % 8; rest != 0 {
		b.valid = append(b.valid, 1<<rest-1)
	}
}

func (b *builder) appendOffset(end int) error {
	if end > math.MaxInt32 {
		return b.refuse("the batch is too large")
	}
	b.offsets = binary.LittleEndian.AppendUint32(b.offsets, uint32(end))
	return nil
}

func (b *builder) appendList(d *row.Datum) error {
	child := b.children[0]
	if b.field.typ.Kind == catalog.Array {
		for i := range d.L {
			if err := child.append(&d.L[i]); err != nil {
				return err
			}
		}
		return b.appendOffset(child.n)
	}
	for i := 0; i+1 < len(d.L); i += 2 {
		if d.L[i].Null {
			return b.refuse("a key is NULL")
		}
		entry := row.Datum{L: d.L[i : i+2]}
		if err := child.append(&entry); err != nil {
			return err
		}
	}
	return b.appendOffset(child.n)
}

// truncate drops all values from the n-th on.
func (b *builder) truncate(n int) {
	b.n = n
	b.valid = truncateBits(b.valid, n)
	b.nulls = 0
	if len(b.valid) > 0 {
		b.nulls = n - popcount(b.valid)
	}
	switch b.field.shape {
	case bitmap:
		b.data = truncateBits(b.data, n)
	case fixed:
		b.data = b.data[:n*b.field.width]
	case varlen:
		b.offsets = b.offsets[:4*(n+1)]
		b.data = b.data[:b.lastOffset()]
	case list:
		b.offsets = b.offsets[:4*(n+1)]
		b.children[0].truncate(b.lastOffset())
	case group:
		for _, c := range b.children {
			c.truncate(n)
		}
	}
}

func (b *builder) lastOffset() int {
	return int(binary.LittleEndian.Uint32(b.offsets[len(b.offsets)-4:]))
}

// size is what the values take uncompressed, without padding.
func (b *builder) size() int {
	n := len(b.valid) + len(b.data) + len(b.offsets)
	for _, c := range b.children {
		n += c.size()
	}
	return n
}

func (b *builder) refuse(reason string) error {
	return &ValueError{Type: b.field.typ.Name(), Reason: reason}
}
