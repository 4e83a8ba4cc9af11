//go:build go1.27

package fluss

import (
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

var _ driver.RowsColumnScanner = (*rows)(nil)

// NextRow moves to the next row, which ScanColumn then reads. database/sql calls it instead of Next.
func (r *rows) NextRow() error { return r.step(r.v) }

// ScanColumn puts column i of the current row into dest, without a box where dest is of the type that the column has
// in Go, and an ARRAY, MAP or ROW into a slice, map or struct. Anything else is left to database/sql.
func (r *rows) ScanColumn(ctx driver.ScanContext, i int, dest any) error {
	if r.strip.on && r.scanVector(i, dest) {
		return nil
	}
	d := r.datum(i)
	if !d.Null && r.scan(d, r.columns[i].Type, dest) {
		return nil
	}
	if taken, err := r.scanNestedColumn(d, r.columns[i].Type, dest); taken {
		return err
	}
	return sql.ConvertAssign(ctx, dest, r.arena.Value(d, r.columns[i].Type, r.loc))
}

// scanVector is scan straight from the vector of the batch.
func (r *rows) scanVector(i int, dest any) bool {
	r.current()
	v, at := r.strip.vectors[i], r.lazy.at-1
	if v == nil || v.IsNull(at) {
		return false
	}
	switch p := dest.(type) {
	case *int64:
		switch v.Type().Kind {
		case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
			if p != nil {
				*p = v.Int64(at)
				return true
			}
		}
	case *string:
		if p != nil {
			return r.text(p, i, v)
		}
	case *time.Time:
		switch v.Type().Kind {
		case catalog.Date:
			if p != nil {
				*p = row.DayTime(v.Int64(at))
				return true
			}
		case catalog.Timestamp, catalog.TimestampLTZ:
			if p != nil {
				*p = v.Time(at, r.loc)
				return true
			}
		}
	case *float64:
		switch v.Type().Kind {
		case catalog.Float, catalog.Double:
			return set(dest, v.Float64(at))
		}
	}
	return false
}

// scan reports whether dest is of the type of the column, and set.
func (r *rows) scan(d *row.Datum, t *catalog.Type, dest any) bool {
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int, catalog.BigInt:
		return set(dest, d.I)
	case catalog.Char, catalog.String, catalog.Decimal, catalog.Time, catalog.Array, catalog.Map, catalog.Row:
		p, ok := dest.(*string)
		if ok = ok && p != nil; ok {
			*p = r.arena.Format(d, t, r.loc)
		}
		return ok
	case catalog.Date, catalog.Timestamp, catalog.TimestampLTZ:
		p, ok := dest.(*time.Time)
		if ok = ok && p != nil; ok {
			*p = row.TimeOf(d, t, r.loc)
		}
		return ok
	case catalog.Float, catalog.Double:
		return set(dest, row.FloatOf(d, t))
	case catalog.Boolean:
		return set(dest, d.I != 0)
	}
	return false
}

func set[T any](dest any, v T) bool {
	p, ok := dest.(*T)
	if ok = ok && p != nil; ok {
		*p = v
	}
	return ok
}
