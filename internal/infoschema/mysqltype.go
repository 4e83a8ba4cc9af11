package infoschema

import (
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
)

// mysql is a type as information_schema.columns has it. Values are nil where they do not apply.
type mysql struct {
	name             string // DATA_TYPE
	full             string // COLUMN_TYPE
	length, octets   any
	precision, scale any
	fraction         any // DATETIME_PRECISION
	text             bool
}

// plainTypes need no parameters.
var plainTypes = map[catalog.Kind]mysql{
	catalog.Boolean:  {name: "tinyint", full: "tinyint(1)", precision: 3, scale: 0},
	catalog.TinyInt:  {name: "tinyint", full: "tinyint", precision: 3, scale: 0},
	catalog.SmallInt: {name: "smallint", full: "smallint", precision: 5, scale: 0},
	catalog.Int:      {name: "int", full: "int", precision: 10, scale: 0},
	catalog.BigInt:   {name: "bigint", full: "bigint", precision: 19, scale: 0},
	catalog.Float:    {name: "float", full: "float", precision: 12},
	catalog.Double:   {name: "double", full: "double", precision: 22},
	catalog.String:   {name: "longtext", full: "longtext", text: true},
	catalog.Bytes:    {name: "longblob", full: "longblob"},
	catalog.Date:     {name: "date", full: "date"},
	catalog.Array:    {name: "json", full: "json"},
	catalog.Map:      {name: "json", full: "json"},
	catalog.Row:      {name: "json", full: "json"},
}

// mysqlType gives the MySQL type that a tool would create a column with that is stored as t. STRING and BYTES have no
// limit, so no length either. Instants are timestamps, wall clocks datetimes, and nested types the JSON that they scan as.
func mysqlType(t *catalog.Type) mysql {
	if m, ok := plainTypes[t.Kind]; ok {
		return m
	}
	switch t.Kind {
	case catalog.Char:
		return mysql{name: "char", full: fmt.Sprintf("char(%d)", t.Length), length: t.Length, octets: 4 * t.Length, text: true}
	case catalog.Binary:
		return mysql{name: "binary", full: fmt.Sprintf("binary(%d)", t.Length), length: t.Length, octets: t.Length}
	case catalog.Decimal:
		return mysql{name: "decimal", full: fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale), precision: t.Precision, scale: t.Scale}
	case catalog.Time:
		return withFraction("time", t.Precision)
	case catalog.Timestamp:
		return withFraction("datetime", t.Precision)
	case catalog.TimestampLTZ:
		return withFraction("timestamp", t.Precision)
	}
	return mysql{name: "unknown", full: t.Name()}
}

// withFraction leaves out a precision of 0, as MySQL does.
func withFraction(name string, p int) mysql {
	m := mysql{name: name, full: name, fraction: p}
	if p > 0 {
		m.full = fmt.Sprintf("%s(%d)", name, p)
	}
	return m
}
