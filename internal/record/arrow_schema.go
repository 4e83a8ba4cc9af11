package record

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/gofluss/fluss/internal/catalog"
)

// ArrowSchema is the Arrow schema of columns as Fluss keeps them in an ARROW log: what a schema message in
// front of a batch's payload would say.
func ArrowSchema(columns []catalog.Column) (*arrow.Schema, error) {
	fields, err := layout(columns)
	if err != nil {
		return nil, err
	}
	return arrowSchema(fields), nil
}

func arrowSchema(fields []*field) *arrow.Schema {
	list := make([]arrow.Field, len(fields))
	for i, f := range fields {
		list[i] = arrowField(f, f.name)
	}
	return arrow.NewSchema(list, nil)
}

func arrowField(f *field, name string) arrow.Field {
	return arrow.Field{Name: name, Type: arrowType(f), Nullable: !f.typ.NotNull}
}

// arrowType is the Arrow type of a field; see the table at field.
func arrowType(f *field) arrow.DataType {
	switch f.typ.Kind {
	case catalog.Boolean:
		return arrow.FixedWidthTypes.Boolean
	case catalog.TinyInt:
		return arrow.PrimitiveTypes.Int8
	case catalog.SmallInt:
		return arrow.PrimitiveTypes.Int16
	case catalog.Int:
		return arrow.PrimitiveTypes.Int32
	case catalog.BigInt:
		return arrow.PrimitiveTypes.Int64
	case catalog.Float:
		return arrow.PrimitiveTypes.Float32
	case catalog.Double:
		return arrow.PrimitiveTypes.Float64
	case catalog.Char, catalog.String:
		return arrow.BinaryTypes.String
	case catalog.Bytes:
		return arrow.BinaryTypes.Binary
	case catalog.Binary:
		return &arrow.FixedSizeBinaryType{ByteWidth: f.width}
	case catalog.Decimal:
		return &arrow.Decimal128Type{Precision: int32(f.typ.Precision), Scale: int32(f.typ.Scale)}
	case catalog.Date:
		return arrow.FixedWidthTypes.Date32
	case catalog.Time:
		if f.width == 4 {
			return &arrow.Time32Type{Unit: arrowUnit(f.unit)}
		}
		return &arrow.Time64Type{Unit: arrowUnit(f.unit)}
	case catalog.Timestamp, catalog.TimestampLTZ:
		return &arrow.TimestampType{Unit: arrowUnit(f.unit)}
	case catalog.Array:
		return arrow.ListOfField(arrowField(f.children[0], "element"))
	case catalog.Map:
		entry := f.children[0]
		return arrow.MapOfFields(arrowField(entry.children[0], "key"), arrowField(entry.children[1], "value"))
	}
	members := make([]arrow.Field, len(f.children))
	for i, c := range f.children {
		members[i] = arrowField(c, c.name)
	}
	return arrow.StructOf(members...)
}

func arrowUnit(u unit) arrow.TimeUnit {
	switch u {
	case seconds:
		return arrow.Second
	case millis:
		return arrow.Millisecond
	case micros:
		return arrow.Microsecond
	}
	return arrow.Nanosecond
}
