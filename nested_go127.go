//go:build go1.27

package fluss

import (
	"database/sql"
	"reflect"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/row"
)

// scanNestedColumn puts an ARRAY, MAP or ROW into the slice, map or struct that dest points at, by the rules of Array, Map and
// Struct. It reports false for other destinations, which are database/sql's.
func (r *rows) scanNestedColumn(d *row.Datum, t *catalog.Type, dest any) (bool, error) {
	switch t.Kind {
	case catalog.Array, catalog.Map, catalog.Row:
	default:
		return false, nil
	}
	if !takesNested(dest) {
		return false, nil
	}
	if d.Null {
		return true, scanNested(nil, dest)
	}
	if t.Kind == catalog.Array && r.scanPlainList(d.L, t.Elem, dest) {
		return true, nil
	}
	return true, scanNested(r.arena.Format(d, t, r.loc), dest)
}

// scanPlainList sets the slices that most lists go to. It reports false where an element is NULL or of another type.
func (r *rows) scanPlainList(list []row.Datum, t *catalog.Type, dest any) bool {
	for i := range list {
		if list[i].Null {
			return false
		}
	}
	switch p := dest.(type) {
	case *[]int64:
		return isInteger(t, catalog.BigInt) && fill(p, list, func(d *row.Datum) int64 { return d.I })
	case *[]int32:
		return isInteger(t, catalog.Int) && fill(p, list, func(d *row.Datum) int32 { return int32(d.I) })
	case *[]float64:
		return (t.Kind == catalog.Float || t.Kind == catalog.Double) && fill(p, list, func(d *row.Datum) float64 { return row.FloatOf(d, t) })
	case *[]string:
		return (t.Kind == catalog.Char || t.Kind == catalog.String) && fill(p, list, func(d *row.Datum) string { return r.arena.Text(d.B) })
	}
	return false
}

// isInteger reports whether t is an integer type of no more bits than widest.
func isInteger(t *catalog.Type, widest catalog.Kind) bool {
	switch t.Kind {
	case catalog.TinyInt, catalog.SmallInt, catalog.Int:
		return true
	}
	return t.Kind == widest
}

func fill[T any](p *[]T, list []row.Datum, value func(*row.Datum) T) bool {
	out := make([]T, len(list))
	for i := range list {
		out[i] = value(&list[i])
	}
	*p = out
	return true
}

// nestedTypes are the answers of nestedType by type.
var nestedTypes sync.Map

// takesNested reports whether dest points at a slice, array, map or struct that is not some other type's destination: what
// scans itself, time.Time, and bytes, which get the JSON text.
func takesNested(dest any) bool {
	p := reflect.ValueOf(dest)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return false
	}
	t := p.Type().Elem()
	known, ok := nestedTypes.Load(t)
	if !ok {
		known, _ = nestedTypes.LoadOrStore(t, nestedType(t))
	}
	return known.(bool)
}

func nestedType(t reflect.Type) bool {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[sql.Scanner]()) {
		return row.IsSQLNull(t) && nestedType(t.Field(0).Type)
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return t.Elem().Kind() != reflect.Uint8
	case reflect.Map:
		return true
	case reflect.Struct:
		return t != reflect.TypeFor[time.Time]()
	case reflect.Pointer:
		return nestedType(t.Elem())
	}
	return false
}
