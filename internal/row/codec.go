package row

import (
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
)

// Format is the layout of a row's bytes.
type Format uint8

// The row formats.
const (
	Compacted Format = iota // kv rows by default: varints, no index (codec_compacted.go)
	Indexed                 // fixed sizes and a list of lengths (codec_indexed.go)
)

// String returns the name that table properties use.
func (f Format) String() string {
	if f == Indexed {
		return "INDEXED"
	}
	return "COMPACTED"
}

// Codec encodes and decodes whole rows of one list of types in one format. It is compiled once, immutable and
// safe for concurrent use.
type Codec struct {
	format    Format
	columns   []codecColumn
	nullBytes int  // ceil(columns/8)
	variable  int  // number of variable-length columns
	depth     int  // how deep values nest: 0 when all columns are scalar
	limited   bool // INDEXED with CHAR or BINARY columns, see Check
}

// NewCodec compiles a codec for rows of those types.
func NewCodec(f Format, types []*catalog.Type) *Codec {
	c := &Codec{format: f, columns: make([]codecColumn, len(types)), nullBytes: (len(types) + 7) / 8}
	for i, t := range types {
		col := compileColumn(f, t)
		c.columns[i] = col
		c.depth = max(c.depth, codecDepth(t))
		if col.variable() {
			c.variable++
		}
		c.limited = c.limited || f == Indexed && col.op == opPadded
	}
	return c
}

// Check reports the first value that the format has no room for: INDEXED keeps CHAR(n) and BINARY(n) in n bytes.
// Append cuts such a value, so whoever encodes INDEXED rows calls Check before. For COMPACTED it is always nil.
func (c *Codec) Check(row []Datum) error {
	if !c.limited {
		return nil
	}
	for i := range c.columns {
		if col := &c.columns[i]; col.op == opPadded && len(row[i].B) > col.size {
			return fmt.Errorf("column %d: %d bytes do not fit the %d bytes of its type in the INDEXED format", i, len(row[i].B), col.size)
		}
	}
	return nil
}

// Append appends the bytes of row, len(row) == len(types). The values must fit their types: nothing is checked
// here. It allocates only to grow dst.
func (c *Codec) Append(dst []byte, row []Datum) []byte {
	if c.format == Indexed {
		return c.appendIndexed(dst, row)
	}
	return c.appendCompacted(dst, row)
}

// Decode reads src, which must be exactly one row, into dst, len(dst) == len(types). Bytes and texts in dst alias
// src; lists of nested values are allocated, in proportion to len(src). The error is a *DecodeError, and dst is
// undefined then.
func (c *Codec) Decode(dst []Datum, src []byte) error {
	budget := len(src) * c.depth
	column, at, f := c.decode(dst, src, &budget)
	if f != faultNone {
		return c.fault(column, at, f)
	}
	return nil
}

// DecodeColumns is Decode for the columns in want alone, which must ascend: dst keeps its full width, the others
// are left as they are. What lies behind the last wanted column is not looked at.
func (c *Codec) DecodeColumns(dst []Datum, src []byte, want []int) error {
	budget := len(src) * c.depth
	column, at, f := c.decodeColumns(dst, src, want, &budget)
	if f != faultNone {
		return c.fault(column, at, f)
	}
	return nil
}

func (c *Codec) fault(column, at int, f fault) error {
	return &DecodeError{Format: c.format, Column: column, Offset: at, Reason: f.String()}
}

// decode returns the column at fault, where it starts, and the fault. budget is what nested values may still
// take, see nestedBody.
func (c *Codec) decode(dst []Datum, src []byte, budget *int) (column, at int, f fault) {
	if c.format == Indexed {
		return c.decodeIndexed(dst, src, budget)
	}
	return c.decodeCompacted(dst, src, budget)
}

func (c *Codec) decodeColumns(dst []Datum, src []byte, want []int, budget *int) (column, at int, f fault) {
	if c.format == Indexed {
		return c.decodeIndexedColumns(dst, src, want, budget)
	}
	return c.decodeCompactedColumns(dst, src, want, budget)
}

// appendZeros appends n zero bytes.
func appendZeros(dst []byte, n int) []byte {
	for ; n >= len(zeros); n -= len(zeros) {
		dst = append(dst, zeros[:]...)
	}
	return append(dst, zeros[:n]...)
}

var zeros [64]byte
