package record

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// appendFixed appends a value of fixed width.
func (b *builder) appendFixed(d *row.Datum) error {
	le := binary.LittleEndian
	switch b.field.typ.Kind {
	case catalog.BigInt, catalog.Double:
		b.data = le.AppendUint64(b.data, uint64(d.I))
	case catalog.Int, catalog.Date, catalog.Float:
		b.data = le.AppendUint32(b.data, uint32(d.I))
	case catalog.SmallInt:
		b.data = le.AppendUint16(b.data, uint16(d.I))
	case catalog.TinyInt:
		b.data = append(b.data, byte(d.I))
	case catalog.Decimal:
		return b.appendDecimal(d)
	case catalog.Time:
		return b.appendTime(d)
	case catalog.Timestamp, catalog.TimestampLTZ:
		return b.appendTimestamp(d)
	case catalog.Binary:
		if b.lossy && len(d.B) > b.field.width {
			b.data = append(b.data, d.B[:b.field.width]...)
			return nil
		}
		if len(d.B) != b.field.width {
			return b.refuse(fmt.Sprintf("it has %d bytes, an ARROW log wants exactly %d", len(d.B), b.field.width))
		}
		b.data = append(b.data, d.B...)
	}
	return nil
}

// appendDecimal appends 16 bytes of little-endian two's complement.
func (b *builder) appendDecimal(d *row.Datum) error {
	le := binary.LittleEndian
	if b.field.typ.IsCompactDecimal() {
		b.data = le.AppendUint64(b.data, uint64(d.I))
		b.data = le.AppendUint64(b.data, uint64(d.I>>63))
		return nil
	}
	if len(d.B) > 16 {
		return b.refuse(fmt.Sprintf("the unscaled value has %d bytes", len(d.B)))
	}
	var wide [16]byte
	if len(d.B) > 0 && d.B[0] >= 0x80 {
		for i := range wide[:16-len(d.B)] {
			wide[i] = 0xff
		}
	}
	copy(wide[16-len(d.B):], d.B)
	b.data = le.AppendUint64(b.data, binary.BigEndian.Uint64(wide[8:]))
	b.data = le.AppendUint64(b.data, binary.BigEndian.Uint64(wide[:]))
	return nil
}

func (b *builder) appendTime(d *row.Datum) error {
	le := binary.LittleEndian
	switch b.field.unit {
	case seconds:
		if d.I%1000 != 0 && !b.lossy {
			return b.refuse("an ARROW log keeps it in whole seconds and the value has milliseconds")
		}
		b.data = le.AppendUint32(b.data, uint32(d.I/1000))
	case millis:
		b.data = le.AppendUint32(b.data, uint32(d.I))
	case micros:
		b.data = le.AppendUint64(b.data, uint64(d.I*1000))
	case nanos:
		b.data = le.AppendUint64(b.data, uint64(d.I*1_000_000))
	}
	return nil
}

func (b *builder) appendTimestamp(d *row.Datum) error {
	v, err := b.timestamp(d)
	b.data = binary.LittleEndian.AppendUint64(b.data, uint64(v))
	return err
}

// timestamp converts to the column's unit. What does not fit is refused; a lossy builder does as the Java
// writer, which drops what is finer than the unit, rounds seconds towards zero and wraps around. Source:
// ArrowTimestampNtzWriter (Java, v0.9.1-incubating).
func (b *builder) timestamp(d *row.Datum) (int64, error) {
	factor, rest, finer := int64(1), int64(0), d.N != 0
	switch b.field.unit {
	case seconds:
		if (finer || d.I%1000 != 0) && !b.lossy {
			return 0, b.refuse("an ARROW log keeps it in whole seconds and the value has a fraction")
		}
		return d.I / 1000, nil
	case micros:
		factor, rest, finer = 1000, int64(d.N)/1000, d.N%1000 != 0
	case nanos:
		factor, rest, finer = 1_000_000, int64(d.N), false
	}
	if b.lossy {
		return d.I*factor + rest, nil
	}
	if finer {
		return 0, b.refuse("the value is finer than the precision")
	}
	if v, ok := scale(d.I, factor, rest); ok {
		return v, nil
	}
	return 0, b.refuse("an ARROW log keeps it in 64 bits and the value lies outside of them")
}

// scale returns a*factor+rest for rest >= 0, factor > rest, and whether that fits an int64. A negative a is
// taken one up so that the product alone may not overflow where the sum does not.
func scale(a, factor, rest int64) (int64, bool) {
	if a < 0 {
		a, rest = a+1, rest-factor
	}
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(factor))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	v := int64(lo)
	if a < 0 {
		v = -v
	}
	sum := v + rest
	if rest > 0 && sum < v || rest < 0 && sum > v {
		return 0, false
	}
	return sum, true
}

func appendZeros(dst []byte, n int) []byte {
	for ; n >= 16; n -= 16 {
		dst = append(dst, zeros[:]...)
	}
	return append(dst, zeros[:n]...)
}

var zeros [16]byte

// truncateBits cuts a bitmap to n bits.
func truncateBits(b []byte, n int) []byte {
	if len(b) == 0 {
		return b
	}
	b = b[:(n+7)/8]
	if rest := n % 8; rest != 0 {
		b[n/8] &= 1<<rest - 1
	}
	return b
}

func popcount(b []byte) int {
	n := 0
	for _, v := range b {
		n += bits.OnesCount8(v)
	}
	return n
}
