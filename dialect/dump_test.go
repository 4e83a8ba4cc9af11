package dialect

import (
	"fmt"
	"reflect"
	"strings"
)

// dump prints a statement field by field, without zero values, positions and SelectItem.Text. Pointers to
// structs are named by their type; the kind of an operand is its own name.
func dump(s any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(s))
	return b.String()
}

var kindNames = map[OperandKind]string{Param: "Param", Null: "Null", Bool: "Bool", Number: "Number", String: "String",
	HexBytes: "Hex", DateLit: "Date", TimeLit: "Time", TimestampLit: "Timestamp", Default: "Default", ArrayLit: "Array",
	MapLit: "Map", RowLit: "Row", ValuesOf: "ValuesOf"}

func dumpOperand(b *strings.Builder, o Operand) {
	b.WriteString(kindNames[o.Kind])
	switch o.Kind {
	case Param:
		fmt.Fprintf(b, "(%d)", o.Index)
	case Null, Default:
	case ArrayLit, MapLit, RowLit:
		dumpValue(b, reflect.ValueOf(o.Args))
	default:
		fmt.Fprintf(b, "(%q)", o.Text)
	}
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		dumpValue(b, v.Elem())
	case reflect.Pointer:
		if v.Elem().Kind() == reflect.Struct && v.Elem().Type() != reflect.TypeFor[Operand]() {
			b.WriteString(v.Elem().Type().Name())
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Struct:
		if o, ok := v.Interface().(Operand); ok {
			dumpOperand(b, o)
			return
		}
		dumpStruct(b, v)
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func dumpStruct(b *strings.Builder, v reflect.Value) {
	b.WriteByte('{')
	first := true
	for i := range v.NumField() {
		f := v.Type().Field(i)
		parameter := f.Name == "P" || f.Name == "S"
		if f.Name == "Pos" || f.Name == "Text" || parameter && v.Field(i).Int() < 0 || !parameter && v.Field(i).IsZero() {
			continue
		}
		if !first {
			b.WriteByte(' ')
		}
		first = false
		b.WriteString(f.Name + ":")
		dumpValue(b, v.Field(i))
	}
	b.WriteByte('}')
}
