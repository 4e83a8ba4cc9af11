package row

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
)

// AppendPartitionValue appends the text of a value in a partition's name:
//
//	STRING, CHAR               as it is
//	BOOLEAN                    true, false
//	TINYINT .. BIGINT          decimal
//	BYTES, BINARY              lower-case hex
//	DATE                       yyyy-MM-dd
//	TIME                       HH-mm-ss_SSS
//	FLOAT, DOUBLE              as Java writes it, with '_' for the point: 1_5, 1_0E7; NaN, Inf, -Inf
//	TIMESTAMP, TIMESTAMP_LTZ   yyyy-MM-dd-HH-mm-ss_ and the fraction of the second without trailing zeros, UTC
//
// It fails for NULL, DECIMAL and nested types, which partition columns cannot have. Whether the text is fit for a
// name is another question: see CheckPartitionValue.
// Source: PartitionUtils.convertValueOfType, PartitionNameConverters (Java, v0.9.1-incubating).
func AppendPartitionValue(dst []byte, t *catalog.Type, d *Datum) ([]byte, error) {
	if d.Null {
		return dst, &PartitionValueError{Value: "NULL", Reason: "a partition column must not be NULL"}
	}
	switch t.Kind {
	case catalog.String, catalog.Char:
		return append(dst, d.B...), nil
	case catalog.Boolean:
		return strconv.AppendBool(dst, d.I != 0), nil
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		return strconv.AppendInt(dst, d.I, 10), nil
	case catalog.Bytes, catalog.Binary:
		return hex.AppendEncode(dst, d.B), nil
	case catalog.Date:
		return appendPartitionDate(dst, d.I), nil
	case catalog.Time:
		return appendPartitionTime(dst, d.I), nil
	case catalog.Float:
		return appendPartitionFloat(dst, float64(math.Float32frombits(uint32(d.I))), 32), nil
	case catalog.Double:
		return appendPartitionFloat(dst, math.Float64frombits(uint64(d.I)), 64), nil
	case catalog.Timestamp, catalog.TimestampLTZ:
		return appendPartitionTimestamp(dst, d.I, d.N), nil
	}
	return dst, errPartitionType(t)
}

func errPartitionType(t *catalog.Type) error {
	return fmt.Errorf("a partition column cannot be of type %s", t.Name())
}

// ParsePartitionValue reads the text that AppendPartitionValue writes into d. For STRING and CHAR d.B is a copy.
func ParsePartitionValue(t *catalog.Type, s string, d *Datum) error {
	var err error
	*d = Datum{}
	switch t.Kind {
	case catalog.String, catalog.Char:
		d.B = []byte(s)
	case catalog.Boolean:
		if s != "true" && s != "false" {
			err = strconv.ErrSyntax
		} else if s == "true" {
			d.I = 1
		}
	case catalog.TinyInt:
		d.I, err = strconv.ParseInt(s, 10, 8)
	case catalog.SmallInt:
		d.I, err = strconv.ParseInt(s, 10, 16)
	case catalog.Int:
		d.I, err = strconv.ParseInt(s, 10, 32)
	case catalog.BigInt:
		d.I, err = strconv.ParseInt(s, 10, 64)
	case catalog.Bytes, catalog.Binary:
		d.B, err = hex.DecodeString(s)
	case catalog.Date:
		d.I, err = parsePartitionDate(s)
	case catalog.Time:
		d.I, err = parsePartitionTime(s)
	case catalog.Float:
		var f float64
		f, err = parsePartitionFloat(s, 32)
		d.I = int64(canonicalFloat(math.Float32bits(float32(f))))
	case catalog.Double:
		var f float64
		f, err = parsePartitionFloat(s, 64)
		d.I = int64(canonicalDouble(math.Float64bits(f)))
	case catalog.Timestamp, catalog.TimestampLTZ:
		d.I, d.N, err = parsePartitionTimestamp(s)
	default:
		return errPartitionType(t)
	}
	if err != nil {
		return fmt.Errorf("partition value %q is no %s", s, t.Name())
	}
	return nil
}

func appendPartitionFloat(dst []byte, f float64, size int) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case f > math.MaxFloat64:
		return append(dst, "Inf"...)
	case f < -math.MaxFloat64:
		return append(dst, "-Inf"...)
	}
	from := len(dst)
	dst = appendJavaFloat(dst, f, size)
	dst[from+bytes.IndexByte(dst[from:], '.')] = '_'
	return dst
}

func parsePartitionFloat(s string, size int) (float64, error) {
	switch s {
	case "NaN":
		return math.NaN(), nil
	case "Inf":
		return math.Inf(1), nil
	case "-Inf":
		return math.Inf(-1), nil
	}
	whole, rest, ok := strings.Cut(s, "_")
	// ParseFloat also takes hex, "infinity" and underscores: nothing but the text of a number passes here.
	if !ok || whole == "" || rest == "" || strings.Trim(whole, "0123456789-") != "" || strings.Trim(rest, "0123456789-E") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(whole+"."+rest, size)
}
