package flusstest

import (
	"encoding/binary"
	"math/big"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// readPaimonKey reads a row in the aligned layout: row kind and null bits in eight bytes for every 64 bits, a slot of
// eight bytes for each column, and what does not fit into a slot behind them.
func readPaimonKey(types []*catalog.Type, key []byte) ([]row.Datum, error) {
	n := len(types)
	header := (n + 8 + 63) / 64 * 8
	if len(key) < header+8*n {
		return nil, badKey()
	}
	fields := make([]row.Datum, n)
	for i, t := range types {
		if key[1+i>>3]&(1<<(i&7)) != 0 {
			fields[i] = row.Datum{Null: true}
			continue
		}
		var ok bool
		if fields[i], ok = readSlot(t, key, key[header+8*i:][:8]); !ok {
			return nil, badKey()
		}
	}
	return fields, nil
}

func readSlot(t *catalog.Type, key, slot []byte) (d row.Datum, ok bool) {
	le := binary.LittleEndian
	switch t.Kind {
	case catalog.Boolean:
		return row.Datum{I: int64(slot[0] & 1)}, true
	case catalog.TinyInt:
		return row.Datum{I: int64(int8(slot[0]))}, true
	case catalog.SmallInt:
		return row.Datum{I: int64(int16(le.Uint16(slot)))}, true
	case catalog.Int, catalog.Date, catalog.Time:
		return row.Datum{I: int64(int32(le.Uint32(slot)))}, true
	case catalog.Float:
		return row.Datum{I: int64(le.Uint32(slot))}, true
	case catalog.Char, catalog.String, catalog.Binary, catalog.Bytes:
		if slot[7]&0x80 != 0 {
			length := int(slot[7] & 0x7f)
			return row.Datum{B: slot[:min(length, 7)]}, length <= 7
		}
		d.B, ok = readPlace(key, slot, int(le.Uint32(slot)))
		return d, ok
	case catalog.Decimal:
		if !t.IsCompactDecimal() {
			d.B, ok = readPlace(key, slot, int(le.Uint32(slot)))
			return d, ok
		}
	case catalog.Timestamp, catalog.TimestampLTZ:
		if t.Precision > catalog.MaxCompactTimestamp {
			b, ok := readPlace(key, slot, 8)
			if !ok {
				return d, false
			}
			return row.Datum{I: int64(le.Uint64(b)), N: int32(le.Uint32(slot))}, true
		}
	}
	return row.Datum{I: int64(le.Uint64(slot))}, true
}

// readPlace returns size bytes from where the upper half of the slot says.
func readPlace(key, slot []byte, size int) ([]byte, bool) {
	at := int(binary.LittleEndian.Uint32(slot[4:]))
	if size < 0 || at > len(key) || size > len(key)-at {
		return nil, false
	}
	return key[at : at+size], true
}

// readIcebergKey reads the one column of an iceberg key: whole numbers as int64, times in microseconds, the rest as
// it is.
func readIcebergKey(types []*catalog.Type, key []byte) ([]row.Datum, error) {
	if len(types) != 1 {
		return nil, badKey()
	}
	t := types[0]
	size := 0
	switch t.Kind {
	case catalog.Int, catalog.BigInt, catalog.Date, catalog.Double, catalog.Time, catalog.Timestamp:
		size = 8
	case catalog.Float:
		size = 4
	case catalog.Decimal:
		return readIcebergDecimal(t, key)
	default:
		return []row.Datum{{B: key}}, nil
	}
	if len(key) != size {
		return nil, badKey()
	}
	if size == 4 {
		return []row.Datum{{I: int64(binary.LittleEndian.Uint32(key))}}, nil
	}
	v := int64(binary.LittleEndian.Uint64(key))
	switch t.Kind {
	case catalog.Time:
		v /= 1000
	case catalog.Timestamp:
		return []row.Datum{icebergTimestamp(v)}, nil
	}
	return []row.Datum{{I: v}}, nil
}

// icebergTimestamp splits microseconds.
func icebergTimestamp(micros int64) row.Datum {
	rest := micros % 1000
	if rest < 0 {
		rest += 1000
	}
	return row.Datum{I: (micros - rest) / 1000, N: int32(rest) * 1000}
}

func readIcebergDecimal(t *catalog.Type, key []byte) ([]row.Datum, error) {
	if len(key) == 0 || len(key) > 16 {
		return nil, badKey()
	}
	if !t.IsCompactDecimal() {
		return []row.Datum{{B: key}}, nil
	}
	wide := catalog.Type{Kind: catalog.Decimal, Precision: 38}
	v := unscaledDecimal(&wide, &row.Datum{B: key})
	if v.CmpAbs(new(big.Int).Lsh(big.NewInt(1), 62)) >= 0 {
		return nil, badKey()
	}
	return []row.Datum{{I: v.Int64()}}, nil
}
