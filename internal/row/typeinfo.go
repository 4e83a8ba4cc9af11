package row

import (
	"database/sql"
	"math"
	"reflect"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// TypeInfo says how a column of a type looks from database/sql. Value gives what it promises, Bind takes what
// it names.
type TypeInfo struct {
	DatabaseTypeName string       // the word of the DDL: "DECIMAL", "TIMESTAMP_LTZ"
	ScanType         reflect.Type // what scans every value of the column, its NULLs included
	Nullable         bool
	GoIn             string // the Go types that Bind takes, in words
	GoOut            string // the Go type that Value gives

	Length    int64 // CHAR, BINARY: the declared length; STRING, BYTES: math.MaxInt64, no limit
	HasLength bool

	Precision, Scale int64 // DECIMAL only
	HasDecimal       bool
}

// kindInfo is one line of the table that binding, decoding, column types and documentation share.
type kindInfo struct {
	notNull  reflect.Type
	nullable reflect.Type
	out      string
	in       string
}

var (
	typeBool   = [2]reflect.Type{reflect.TypeFor[bool](), reflect.TypeFor[sql.NullBool]()}
	typeInt    = [2]reflect.Type{reflect.TypeFor[int64](), reflect.TypeFor[sql.NullInt64]()}
	typeFloat  = [2]reflect.Type{reflect.TypeFor[float64](), reflect.TypeFor[sql.NullFloat64]()}
	typeString = [2]reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[sql.NullString]()}
	typeBytes  = [2]reflect.Type{reflect.TypeFor[[]byte](), reflect.TypeFor[[]byte]()}
	typeTime   = [2]reflect.Type{reflect.TypeFor[time.Time](), reflect.TypeFor[sql.NullTime]()}
)

const (
	inInt   = "an integer, or an integral float or text"
	inFloat = "a float, integer, decimal or text"
	inText  = "a string or []byte of UTF-8"
	inBytes = "a []byte or string"
	inStamp = "a time.Time, a Date, or text like 2006-01-02 15:04:05"
)

var kindInfos = [...]kindInfo{
	0:                    info(typeString, "string", "nothing: it is no type"),
	catalog.Boolean:      info(typeBool, "bool", "a bool, 0 or 1, or text"),
	catalog.TinyInt:      info(typeInt, "int64", inInt),
	catalog.SmallInt:     info(typeInt, "int64", inInt),
	catalog.Int:          info(typeInt, "int64", inInt),
	catalog.BigInt:       info(typeInt, "int64", inInt),
	catalog.Float:        info(typeFloat, "float64", inFloat),
	catalog.Double:       info(typeFloat, "float64", inFloat),
	catalog.Char:         info(typeString, "string", inText),
	catalog.String:       info(typeString, "string", inText),
	catalog.Binary:       info(typeBytes, "[]byte", inBytes),
	catalog.Bytes:        info(typeBytes, "[]byte", inBytes),
	catalog.Decimal:      info(typeString, "string, all digits of the scale", "a decimal.Decimal, *big.Rat, *big.Int, integer, float or text"),
	catalog.Date:         info(typeTime, "time.Time, midnight UTC", "a Date, time.Time, or text like 2006-01-02"),
	catalog.Time:         info(typeString, "string like 15:04:05.000", "a TimeOfDay, time.Duration since midnight, time.Time, or text like 15:04:05"),
	catalog.Timestamp:    info(typeTime, "time.Time, wall clock in UTC", inStamp),
	catalog.TimestampLTZ: info(typeTime, "time.Time, instant in loc", inStamp),
	catalog.Array:        info(typeString, "string, JSON", "a slice, array, or JSON text"),
	catalog.Map:          info(typeString, "string, JSON", "a map, or JSON text"),
	catalog.Row:          info(typeString, "string, JSON", "a struct, map by field name, slice in field order, or JSON text"),
}

func info(scan [2]reflect.Type, out, in string) kindInfo {
	return kindInfo{notNull: scan[0], nullable: scan[1], out: out, in: in}
}

// Info describes a type to database/sql.
func Info(t *catalog.Type) TypeInfo {
	k := kindInfos[t.Kind]
	i := TypeInfo{DatabaseTypeName: t.Kind.Word(), ScanType: k.nullable, Nullable: !t.NotNull, GoIn: k.in, GoOut: k.out}
	if t.NotNull {
		i.ScanType = k.notNull
	}
	switch t.Kind {
	case catalog.Char, catalog.Binary:
		i.Length, i.HasLength = int64(t.Length), true
	case catalog.String, catalog.Bytes:
		i.Length, i.HasLength = math.MaxInt64, true
	case catalog.Decimal:
		i.Precision, i.Scale, i.HasDecimal = int64(t.Precision), int64(t.Scale), true
	}
	return i
}
