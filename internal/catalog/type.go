package catalog

import (
	"strconv"
	"strings"
)

// Kind is the root of a logical type.
type Kind uint8

// The logical types of Fluss 0.9.1. The zero Kind is no type.
const (
	Boolean Kind = iota + 1
	TinyInt
	SmallInt
	Int
	BigInt
	Float
	Double
	Char         // Length
	String       //
	Binary       // Length
	Bytes        //
	Decimal      // Precision 1..38, Scale 0..Precision
	Date         // days since 1970-01-01
	Time         // Precision 0..9; held as milliseconds of the day whatever the precision
	Timestamp    // Precision 0..9; wall clock without a zone
	TimestampLTZ // Precision 0..9; an instant
	Array        // Elem
	Map          // Key, Elem
	Row          // Fields
)

// MaxCompactPrecision is the largest DECIMAL precision whose unscaled value is kept as an int64.
const MaxCompactPrecision = 18

// MaxCompactTimestamp is the largest TIMESTAMP precision that is kept as milliseconds alone.
const MaxCompactTimestamp = 3

// Type is a logical type. Fields that the Kind does not use are zero.
type Type struct {
	Kind      Kind
	NotNull   bool
	Length    int // CHAR, BINARY
	Precision int // DECIMAL, TIME, TIMESTAMP, TIMESTAMP_LTZ
	Scale     int // DECIMAL
	Key       *Type
	Elem      *Type // element of an ARRAY, value of a MAP
	Fields    []Field
}

// Field is one member of a ROW type.
type Field struct {
	Name    string
	Type    Type
	Comment string
	ID      int // -1: not numbered
}

// IsNested reports whether the type is ARRAY, MAP or ROW.
func (t *Type) IsNested() bool { return t.Kind == Array || t.Kind == Map || t.Kind == Row }

// IsCompactDecimal reports whether a DECIMAL of this type fits an int64.
func (t *Type) IsCompactDecimal() bool {
	return t.Kind == Decimal && t.Precision <= MaxCompactPrecision
}

// Name is the type's name in SQL without its nullability: "DECIMAL(15,2)", "ARRAY<INT NOT NULL>".
// A precision, length or scale is always written, whether it is the default or not.
func (t *Type) Name() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

// String is Name with " NOT NULL" behind it where the type says so.
func (t *Type) String() string {
	if t.NotNull {
		return t.Name() + " NOT NULL"
	}
	return t.Name()
}

// Word is the type's name without parameters, as in "DECIMAL" or "TIMESTAMP_LTZ".
func (k Kind) Word() string {
	if int(k) < len(kindWords) {
		return kindWords[k]
	}
	return "INVALID"
}

var kindWords = [...]string{
	0: "INVALID", Boolean: "BOOLEAN", TinyInt: "TINYINT", SmallInt: "SMALLINT", Int: "INT", BigInt: "BIGINT",
	Float: "FLOAT", Double: "DOUBLE", Char: "CHAR", String: "STRING", Binary: "BINARY", Bytes: "BYTES",
	Decimal: "DECIMAL", Date: "DATE", Time: "TIME", Timestamp: "TIMESTAMP", TimestampLTZ: "TIMESTAMP_LTZ",
	Array: "ARRAY", Map: "MAP", Row: "ROW",
}

func (t *Type) write(b *strings.Builder) {
	b.WriteString(t.Kind.Word())
	switch t.Kind {
	case Char, Binary:
		b.WriteString("(" + strconv.Itoa(t.Length) + ")")
	case Decimal:
		b.WriteString("(" + strconv.Itoa(t.Precision) + "," + strconv.Itoa(t.Scale) + ")")
	case Time, Timestamp, TimestampLTZ:
		b.WriteString("(" + strconv.Itoa(t.Precision) + ")")
	case Array:
		b.WriteString("<" + t.Elem.String() + ">")
	case Map:
		b.WriteString("<" + t.Key.String() + ", " + t.Elem.String() + ">")
	case Row:
		b.WriteByte('<')
		for i := range t.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("`" + strings.ReplaceAll(t.Fields[i].Name, "`", "``") + "` " + t.Fields[i].Type.String())
		}
		b.WriteByte('>')
	}
}
