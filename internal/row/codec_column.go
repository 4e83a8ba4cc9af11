package row

import "github.com/gofluss/fluss/internal/catalog"

// codecOp says how a value is laid out, as far as both formats, the arrays and the keys agree.
type codecOp uint8

const (
	opBool    codecOp = iota
	opInt8            // TINYINT
	opInt16           // SMALLINT
	opInt32           // INT, DATE, TIME
	opInt64           // BIGINT, DECIMAL up to 18 digits, TIMESTAMP up to milliseconds
	opFloat           // I holds the bits
	opDouble          // I holds the bits
	opNanos           // TIMESTAMP beyond milliseconds
	opPadded          // CHAR, BINARY: padded to size bytes where sizes are fixed
	opBytes           // STRING, BYTES
	opDecimal         // DECIMAL beyond 18 digits
	opArray
	opMap
	opRow
)

// codecColumn is one type, compiled. Fields that the op does not use are zero.
type codecColumn struct {
	op    codecOp
	size  int          // opPadded: declared length in bytes
	key   *codecColumn // opMap
	elem  *codecColumn // opArray, opMap
	inner *Codec       // opRow
}

// variable reports whether the column has a slot in the length list of an INDEXED row.
func (c *codecColumn) variable() bool { return c.op >= opBytes }

func compileColumn(f Format, t *catalog.Type) codecColumn {
	switch t.Kind {
	case catalog.Boolean:
		return codecColumn{op: opBool}
	case catalog.TinyInt:
		return codecColumn{op: opInt8}
	case catalog.SmallInt:
		return codecColumn{op: opInt16}
	case catalog.Int, catalog.Date, catalog.Time:
		return codecColumn{op: opInt32}
	case catalog.BigInt:
		return codecColumn{op: opInt64}
	case catalog.Float:
		return codecColumn{op: opFloat}
	case catalog.Double:
		return codecColumn{op: opDouble}
	case catalog.Char, catalog.Binary:
		return codecColumn{op: opPadded, size: t.Length}
	case catalog.Decimal:
		if t.IsCompactDecimal() {
			return codecColumn{op: opInt64}
		}
		return codecColumn{op: opDecimal}
	case catalog.Timestamp, catalog.TimestampLTZ:
		if t.Precision <= catalog.MaxCompactTimestamp {
			return codecColumn{op: opInt64}
		}
		return codecColumn{op: opNanos}
	case catalog.Array:
		elem := compileColumn(f, t.Elem)
		return codecColumn{op: opArray, elem: &elem}
	case catalog.Map:
		key, elem := compileColumn(f, t.Key), compileColumn(f, t.Elem)
		return codecColumn{op: opMap, key: &key, elem: &elem}
	case catalog.Row:
		return codecColumn{op: opRow, inner: NewCodec(f, fieldTypes(t))}
	}
	return codecColumn{op: opBytes}
}

func fieldTypes(t *catalog.Type) []*catalog.Type {
	types := make([]*catalog.Type, len(t.Fields))
	for i := range t.Fields {
		types[i] = &t.Fields[i].Type
	}
	return types
}

// codecDepth is how many bodies enclose one another in a value of type t: 0 for a scalar, 2 for the map and the
// arrays of a MAP of scalars.
func codecDepth(t *catalog.Type) int {
	switch t.Kind {
	case catalog.Array:
		return 1 + codecDepth(t.Elem)
	case catalog.Map:
		return 2 + max(codecDepth(t.Key), codecDepth(t.Elem))
	case catalog.Row:
		depth := 0
		for i := range t.Fields {
			depth = max(depth, codecDepth(&t.Fields[i].Type))
		}
		return 1 + depth
	}
	return 0
}

// trimDecimal drops leading bytes that only repeat the sign, so that a DECIMAL has one form. Values of more than
// 16 bytes are beyond any precision.
func trimDecimal(b []byte) ([]byte, fault) {
	if len(b) == 0 {
		return nil, faultDecimal
	}
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	if len(b) > maxDecimalBytes {
		return nil, faultDecimal
	}
	return b, faultNone
}

const (
	maxDecimalBytes = 16
	maxNanos        = 999_999
)
