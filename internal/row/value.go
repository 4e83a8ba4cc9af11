package row

import (
	"bytes"
	"database/sql/driver"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

// Value is a Fluss value as Rows.Next gives it; nil for NULL. Nothing in it aliases d.
//
//	BOOLEAN                        bool
//	TINYINT, SMALLINT, INT, BIGINT int64
//	FLOAT, DOUBLE                  float64; of a FLOAT the exact value of its 32 bits
//	CHAR, STRING                   string
//	BINARY, BYTES                  []byte, never nil, its capacity its length
//	DECIMAL                        string with all digits of the scale: "2.00"
//	DATE                           time.Time, that day at 00:00 UTC
//	TIME                           string, 15:04:05 and as many fraction digits as the precision says, or more
//	                               where another client stored more: nothing is lost
//	TIMESTAMP                      time.Time whose clock shows the value, in UTC
//	TIMESTAMP_LTZ                  time.Time, the instant, in loc; nil means UTC
//	ARRAY, MAP, ROW                string, JSON as AppendJSON writes it
func Value(d *Datum, t *catalog.Type, loc *time.Location) driver.Value {
	if d.Null {
		return nil
	}
	switch t.Kind {
	case catalog.Boolean:
		return d.I != 0
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		return d.I
	case catalog.Float, catalog.Double:
		return FloatOf(d, t)
	case catalog.Char, catalog.String:
		return string(d.B)
	case catalog.Binary, catalog.Bytes:
		b := make([]byte, len(d.B))
		copy(b, d.B)
		return b
	case catalog.Decimal:
		var buf [48]byte
		return string(appendDecimal(buf[:0], d, t))
	case catalog.Time:
		var buf [24]byte
		return string(appendTime(buf[:0], d, t))
	case catalog.Date, catalog.Timestamp, catalog.TimestampLTZ:
		return TimeOf(d, t, loc)
	}
	return string(AppendJSON(nil, d, t, loc))
}

// Clone is d with nothing in it shared with what d aliases.
func Clone(d *Datum) Datum {
	c := *d
	if d.B != nil {
		c.B = bytes.Clone(d.B)
	}
	if d.L != nil {
		c.L = make([]Datum, len(d.L))
		for i := range d.L {
			c.L[i] = Clone(&d.L[i])
		}
	}
	return c
}
