package fluss

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"

	"github.com/gofluss/fluss/internal/row"
)

// Array scans an ARRAY and binds to one:
//
//	var tags fluss.Array[string]
//	err := db.QueryRow("SELECT tags FROM post WHERE id = ?", 1).Scan(&tags)
//	_, err = db.Exec("UPSERT INTO post (id, tags) VALUES (?, ?)", 2, fluss.Array[string]{"a", "b"})
//
// A NULL is a nil Array; an empty ARRAY is not nil. Elements that may be NULL need a pointer, a sql.Null or a type with a
// Scan method of its own, such as decimal.NullDecimal. T is what the element scans into elsewhere: integers, floats, bool,
// string, time.Time, [Date], [TimeOfDay], []byte, decimal.Decimal (exact, as is string), any; slices, maps and structs for
// what is nested in turn.
type Array[T any] []T

// Map scans a MAP and binds to one, as [Array] does for its elements. A NULL is a nil Map. The order of the entries is lost.
type Map[K comparable, V any] map[K]V

var (
	_ sql.Scanner   = (*Array[int])(nil)
	_ sql.Scanner   = (*Map[string, int])(nil)
	_ sql.Scanner   = StructValue{}
	_ driver.Valuer = StructValue{}
)

// Scan reads the JSON text that rows give.
func (a *Array[T]) Scan(src any) error { return scanNested(src, a) }

// Scan reads the JSON text that rows give.
func (m *Map[K, V]) Scan(src any) error { return scanNested(src, m) }

// StructValue is what Struct returns.
type StructValue struct{ dest any }

// Struct scans a ROW into the struct that v points at, and binds it as a ROW:
//
//	var home Address
//	err := db.QueryRow("SELECT home FROM person WHERE id = ?", 1).Scan(fluss.Struct(&home))
//	_, err = db.Exec("UPSERT INTO person (id, home) VALUES (?, ?)", 2, fluss.Struct(&home))
//
// A field goes by its tag fluss, db or json, whichever comes first, or by its own name, in any case; the tag "-" leaves it
// out. What the source has and the target has not is refused, when scanned as when bound; bound, a field that the struct
// does not have is NULL. For a ROW that may be NULL, v points at a pointer to a struct, which becomes nil.
func Struct(v any) StructValue { return StructValue{v} }

// Scan reads the JSON text that rows give.
func (s StructValue) Scan(src any) error {
	if _, err := s.target(); err != nil {
		return err
	}
	return scanNested(src, s.dest)
}

// Value is the struct itself, or nil: this driver binds it to the fields of the ROW.
func (s StructValue) Value() (driver.Value, error) {
	v, err := s.target()
	if err != nil || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, err
	}
	return v.Interface(), nil
}

// target is what the pointer given to Struct points at.
func (s StructValue) target() (reflect.Value, error) {
	p := reflect.ValueOf(s.dest)
	if p.Kind() == reflect.Pointer && !p.IsNil() {
		t := p.Type().Elem()
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.Struct {
			return p.Elem(), nil
		}
	}
	return reflect.Value{}, fmt.Errorf("fluss: Struct needs a pointer to a struct, or to a pointer to one, got %T", s.dest)
}

// scanNested reads a column into what dest points at.
func scanNested(src, dest any) error {
	var text string
	switch x := src.(type) {
	case nil:
		text = "null"
	case string:
		text = x
	case []byte:
		text = string(x)
	default:
		return fmt.Errorf("fluss: cannot scan a %T into %T; it scans ARRAY, MAP and ROW columns", src, dest)
	}
	if err := row.ScanJSON(text, dest); err != nil {
		return fmt.Errorf("fluss: %w", err)
	}
	return nil
}
