// Package row turns rows into bytes and back: COMPACTED and INDEXED rows, primary and bucket keys, the bucket
// of a key, partition names, and the way between Fluss values and Go values.
//
// All integers are little-endian but the unscaled bytes of a large DECIMAL, which are big-endian.
package row

// Datum is one Fluss value without boxing. Which field holds it follows from the column's type:
//
//	BOOLEAN                    I: 0 or 1
//	TINYINT, SMALLINT, INT, BIGINT  I
//	FLOAT                      I: the 32 bits of IEEE 754, zero-extended
//	DOUBLE                     I: the 64 bits of IEEE 754
//	CHAR, STRING               B: UTF-8
//	BINARY, BYTES              B
//	DECIMAL, precision <= 18   I: the unscaled value
//	DECIMAL, precision > 18    B: the unscaled value, minimal big-endian two's complement
//	DATE                       I: days since 1970-01-01
//	TIME                       I: milliseconds of the day
//	TIMESTAMP, TIMESTAMP_LTZ   I: milliseconds since the epoch, floored; N: nanoseconds of the millisecond, 0..999999
//	ARRAY                      L: the elements
//	MAP                        L: key, value, key, value, ...
//	ROW                        L: the fields
//
// A NULL has Null set and nothing else. B and L may alias the bytes they were decoded from or the argument
// they were bound from: they are read-only and live as long as that does.
type Datum struct {
	Null bool
	N    int32
	I    int64
	B    []byte
	L    []Datum
}
