package row

import (
	"encoding/binary"
	"fmt"

	"github.com/gofluss/fluss/internal/catalog"
)

// checkIcebergKey refuses what Iceberg cannot hash: more than one column, BOOLEAN, TINYINT, SMALLINT, TIMESTAMP_LTZ.
func checkIcebergKey(types []*catalog.Type) error {
	if len(types) != 1 {
		return fmt.Errorf("a key of an iceberg table has exactly one column, not %d", len(types))
	}
	switch types[0].Kind {
	case catalog.Boolean, catalog.TinyInt, catalog.SmallInt, catalog.TimestampLTZ:
		return fmt.Errorf("a key of an iceberg table cannot be of type %s", types[0].Name())
	}
	return nil
}

// appendIcebergKey appends the bytes that Iceberg's bucket transform hashes:
//
//	INT, BIGINT, DATE              int64
//	TIME, TIMESTAMP                int64 microseconds, wrapping around
//	FLOAT, DOUBLE                  4, 8 bytes
//	DECIMAL                        the unscaled value, minimal big-endian two's complement
//	STRING, CHAR, BYTES, BINARY    the bytes, without a length
//
// Source: IcebergKeyEncoder, IcebergBinaryRowWriter (Java, v0.9.1-incubating).
func appendIcebergKey(dst []byte, t *catalog.Type, d *Datum) []byte {
	switch t.Kind {
	case catalog.Int, catalog.BigInt, catalog.Date, catalog.Double:
		return binary.LittleEndian.AppendUint64(dst, uint64(d.I))
	case catalog.Time:
		return binary.LittleEndian.AppendUint64(dst, uint64(d.I*1000))
	case catalog.Timestamp:
		return binary.LittleEndian.AppendUint64(dst, uint64(d.I*1000+int64(d.N)/1000))
	case catalog.Float:
		return binary.LittleEndian.AppendUint32(dst, uint32(d.I))
	case catalog.Decimal:
		if t.IsCompactDecimal() {
			return appendMinimal(dst, d.I)
		}
	}
	return append(dst, d.B...)
}

// appendMinimal appends v in the fewest big-endian bytes of two's complement, at least one.
func appendMinimal(dst []byte, v int64) []byte {
	var buf [8]byte
	binary.BigEndian.PutUint64(buf[:], uint64(v))
	b, _ := trimDecimal(buf[:])
	return append(dst, b...)
}
