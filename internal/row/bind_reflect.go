package row

import (
	"database/sql/driver"
	"reflect"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
)

var (
	valuerType = reflect.TypeFor[driver.Valuer]()
	timeType   = reflect.TypeFor[time.Time]()
)

// bindValuer binds what x.Value returns. As in database/sql a nil pointer to a type that has Value by value
// is NULL, where calling it would panic.
func bindValuer(d *Datum, t *catalog.Type, x driver.Valuer, o *BindOptions, hops int) error {
	rv := reflect.ValueOf(x)
	if rv.Kind() == reflect.Pointer && rv.IsNil() && rv.Type().Elem().Implements(valuerType) {
		return bindNull(d, t)
	}
	v, err := x.Value()
	if err != nil {
		return err
	}
	return bind(d, t, v, o, hops+1)
}

// bindReflect binds types derived from basic ones, pointers, and the Go forms of nested types.
func bindReflect(d *Datum, t *catalog.Type, rv reflect.Value, o *BindOptions, hops int) error {
	switch rv.Kind() {
	case reflect.Pointer, reflect.Interface:
		if rv.IsNil() {
			return bindNull(d, t)
		}
		return bind(d, t, rv.Elem().Interface(), o, hops+1)
	case reflect.Bool:
		return bindBool(d, t, rv.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return bindInt(d, t, rv.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return bindUint(d, t, rv.Uint())
	case reflect.Float32:
		return bindFloat(d, t, rv.Float(), 32, o)
	case reflect.Float64:
		return bindFloat(d, t, rv.Float(), 64, o)
	case reflect.String:
		return bindString(d, t, rv.String(), o)
	case reflect.Slice:
		if rv.IsNil() {
			return bindNull(d, t)
		}
		if rv.Type().Elem().Kind() == reflect.Uint8 {
			return bindBytes(d, t, rv.Bytes(), o)
		}
		return bindSlice(d, t, rv, o)
	case reflect.Array:
		return bindArray(d, t, rv, o)
	case reflect.Map:
		if rv.IsNil() {
			return bindNull(d, t)
		}
		return bindMap(d, t, rv, o)
	case reflect.Struct:
		if rv.Type().ConvertibleTo(timeType) {
			return bindTime(d, t, rv.Convert(timeType).Interface().(time.Time), o)
		}
		return bindStruct(d, t, rv, o)
	}
	return wrongType(t)
}

// bindArray binds a Go array: [n]byte to BINARY and BYTES, others as slices.
func bindArray(d *Datum, t *catalog.Type, rv reflect.Value, o *BindOptions) error {
	if t.Kind != catalog.Binary && t.Kind != catalog.Bytes || rv.Type().Elem().Kind() != reflect.Uint8 {
		return bindSlice(d, t, rv, o)
	}
	b := make([]byte, rv.Len())
	for i := range b {
		b[i] = byte(rv.Index(i).Uint())
	}
	return bindBytes(d, t, b, o)
}
