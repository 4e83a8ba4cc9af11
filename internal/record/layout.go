package record

import (
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
)

// shape is how the values of a field lie in its buffers. The comment names the buffers behind the validity.
type shape uint8

const (
	bitmap shape = iota // data: one bit a value
	fixed               // data: width bytes a value
	varlen              // offsets: rows+1 int32; data
	list                // offsets: rows+1 int32; the child holds the elements
	group               // none; one child per member, as long as the group
)

// unit is the resolution of a TIME or TIMESTAMP column in Arrow.
type unit uint8

const (
	noUnit unit = iota
	seconds
	millis
	micros
	nanos
)

// field is one node of the depth-first Arrow layout of a schema. MAP is a list of groups of key and value.
//
//	BOOLEAN                       bool            TINYINT..BIGINT  int8..int64
//	FLOAT, DOUBLE                 float32/64      DATE             date32 (days)
//	CHAR, STRING                  utf8            BYTES            binary
//	BINARY(n)                     fixed_size_binary(n)
//	DECIMAL                       decimal128, 16 bytes little-endian two's complement
//	TIME(p)                       p 0: time32 s; 1-3: time32 ms; 4-6: time64 us; 7-9: time64 ns
//	TIMESTAMP(p), TIMESTAMP_LTZ   int64, no zone; p 0: s; 1-3: ms; 4-6: us; 7-9: ns
//	ARRAY, MAP, ROW               list, map, struct
//
// Source: ArrowUtils.toArrowType (Java, v0.9.1-incubating).
type field struct {
	typ      *catalog.Type
	name     string // of the member or column; "" inside ARRAY and MAP
	shape    shape
	width    int // bytes of a fixed value
	unit     unit
	children []*field
}

// layout compiles the types of columns.
func layout(columns []catalog.Column) ([]*field, error) {
	fields := make([]*field, len(columns))
	for i := range columns {
		f, err := newField(columns[i].Name, &columns[i].Type)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", columns[i].Name, err)
		}
		fields[i] = f
	}
	return fields, nil
}

func newField(name string, t *catalog.Type) (*field, error) {
	f := &field{typ: t, name: name}
	switch t.Kind {
	case catalog.Boolean:
		f.shape = bitmap
	case catalog.TinyInt:
		f.setFixed(1, noUnit)
	case catalog.SmallInt:
		f.setFixed(2, noUnit)
	case catalog.Int, catalog.Float, catalog.Date:
		f.setFixed(4, noUnit)
	case catalog.BigInt, catalog.Double:
		f.setFixed(8, noUnit)
	case catalog.Decimal:
		f.setFixed(16, noUnit)
	case catalog.Binary:
		f.setFixed(t.Length, noUnit)
		if t.Length < 1 {
			return nil, fmt.Errorf("%s has no length", t.Name())
		}
	case catalog.Time:
		f.setFixed(8, unitOf(t.Precision))
		if f.unit <= millis {
			f.width = 4
		}
	case catalog.Timestamp, catalog.TimestampLTZ:
		f.setFixed(8, unitOf(t.Precision))
	case catalog.Char, catalog.String, catalog.Bytes:
		f.shape = varlen
	case catalog.Array:
		f.shape = list
		return f, f.add("", t.Elem)
	case catalog.Map:
		f.shape = list
		return f, f.addEntries(t)
	case catalog.Row:
		return f, f.addMembers(t)
	default:
		return nil, fmt.Errorf("type %s has no Arrow form", t.Name())
	}
	return f, nil
}

func unitOf(precision int) unit {
	switch {
	case precision <= 0:
		return seconds
	case precision <= 3:
		return millis
	case precision <= 6:
		return micros
	}
	return nanos
}

func (f *field) setFixed(width int, u unit) { f.shape, f.width, f.unit = fixed, width, u }

func (f *field) add(name string, t *catalog.Type) error {
	child, err := newField(name, t)
	f.children = append(f.children, child)
	return err
}

func (f *field) addMembers(t *catalog.Type) error {
	f.shape = group
	if len(t.Fields) == 0 {
		return fmt.Errorf("a ROW without fields is not supported")
	}
	for i := range t.Fields {
		if err := f.add(t.Fields[i].Name, &t.Fields[i].Type); err != nil {
			return err
		}
	}
	return nil
}

// addEntries puts the group of key and value under a MAP. Neither an entry nor a key is ever null.
func (f *field) addEntries(t *catalog.Type) error {
	key := *t.Key
	key.NotNull = true
	entries := &catalog.Type{Kind: catalog.Row, NotNull: true, Fields: []catalog.Field{
		{Name: "key", Type: key}, {Name: "value", Type: *t.Elem},
	}}
	return f.add("entries", entries)
}

// count returns how many nodes and buffers the fields take in a message.
func count(fields []*field) (nodes, buffers int) {
	for _, f := range fields {
		n, b := count(f.children)
		nodes += n + 1
		buffers += b + f.ownBuffers()
	}
	return nodes, buffers
}

func (f *field) ownBuffers() int {
	switch f.shape {
	case group:
		return 1
	case varlen:
		return 3
	}
	return 2
}
