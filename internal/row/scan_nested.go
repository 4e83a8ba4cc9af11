package row

import (
	"database/sql"
	"fmt"
	"reflect"
	"strings"
)

var scannerType = reflect.TypeFor[sql.Scanner]()

// ScanJSON reads what AppendJSON writes into the Go value that dest points at:
//
//	ARRAY      a slice, or a Go array of just that length
//	MAP        a map; of a ROW, a map by field name
//	ROW        a struct, whose fields go by the names that Bind takes; a field of the ROW that the struct does not have is
//	           refused
//	NULL       a nil pointer, slice, map or any, sql.Null, a sql.Scanner that takes nil; anything else refuses it
//	scalars    what setText names
//	any        nil, bool, json.Number, string, []any and map[string]any
//
// dest is written once, when all was read. The error says where in the value it occurred.
func ScanJSON(text string, dest any) error {
	to := reflect.ValueOf(dest).Elem()
	v := reflect.New(to.Type()).Elem()
	r := jsonReader{s: text}
	if err := r.scan(v, 0); err != nil {
		return err
	}
	if r.space(); r.pos < len(text) {
		return r.fault("more text behind the value")
	}
	to.Set(v)
	return nil
}

// scan reads the next value into v, which is addressable and zero.
func (r *jsonReader) scan(v reflect.Value, depth int) error {
	if depth > maxNesting {
		return r.fault("nested too deep")
	}
	c := r.peek()
	if c == 'n' && r.word("null") {
		return scanNull(v)
	}
	if v.Kind() == reflect.Pointer {
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		return r.scan(p.Elem(), depth+1)
	}
	if IsSQLNull(v.Type()) {
		v.Field(1).SetBool(true)
		return r.scan(v.Field(0), depth+1)
	}
	if c != '[' && c != '{' {
		return r.scanScalar(v, c)
	}
	switch {
	case v.Kind() == reflect.Interface && v.NumMethod() == 0:
		return r.scanAny(v, c, depth)
	case v.Kind() == reflect.Struct && v.Addr().Type().Implements(scannerType):
		return r.scanRaw(v, depth)
	case c == '[' && v.Kind() == reflect.Slice:
		return r.scanSlice(v, depth)
	case c == '[' && v.Kind() == reflect.Array:
		return r.scanArray(v, depth)
	case v.Kind() == reflect.Map:
		return r.scanMap(v, c, depth)
	case c == '{' && v.Kind() == reflect.Struct:
		return r.scanStruct(v, depth)
	}
	return reason(fmt.Sprintf("cannot scan %s into %s", map[byte]string{'[': "a list", '{': "an object"}[c], v.Type()))
}

// IsSQLNull reports whether t is sql.NullString, sql.Null[T] or their like: the value, then Valid.
func IsSQLNull(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == "database/sql" && t.NumField() == 2 && t.Field(1).Name == "Valid"
}

func scanNull(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return nil
	case reflect.Interface:
		if v.NumMethod() == 0 {
			return nil
		}
	}
	if s, ok := v.Addr().Interface().(sql.Scanner); ok {
		return s.Scan(nil)
	}
	return reason(fmt.Sprintf("cannot scan NULL into %s; use *%s or sql.Null[%s]", v.Type(), v.Type(), v.Type()))
}

// scanRaw gives a Scanner the text of a nested value.
func (r *jsonReader) scanRaw(v reflect.Value, depth int) error {
	start := r.pos
	var drop any
	if err := r.scan(reflect.ValueOf(&drop).Elem(), depth+1); err != nil {
		return err
	}
	return v.Addr().Interface().(sql.Scanner).Scan(r.s[start:r.pos])
}

func (r *jsonReader) scanAny(v reflect.Value, c byte, depth int) error {
	to := reflect.New(reflect.TypeFor[[]any]()).Elem()
	if c == '{' {
		to = reflect.New(reflect.TypeFor[map[string]any]()).Elem()
	}
	if err := r.scan(to, depth+1); err != nil {
		return err
	}
	v.Set(to)
	return nil
}

func (r *jsonReader) scanSlice(v reflect.Value, depth int) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	return r.list(func(i int) error {
		v.Grow(1)
		v.SetLen(i + 1)
		v.Index(i).SetZero()
		return at(fmt.Sprintf("element %d", i), r.scan(v.Index(i), depth+1))
	})
}

func (r *jsonReader) scanArray(v reflect.Value, depth int) error {
	n := 0
	err := r.list(func(i int) error {
		if n++; n > v.Len() {
			return reason(fmt.Sprintf("more elements than %s has", v.Type()))
		}
		return at(fmt.Sprintf("element %d", i), r.scan(v.Index(i), depth+1))
	})
	if err == nil && n < v.Len() {
		err = reason(fmt.Sprintf("%d elements for %s", n, v.Type()))
	}
	return err
}

// scanMap reads an object, or a list of pairs.
func (r *jsonReader) scanMap(v reflect.Value, c byte, depth int) error {
	t := v.Type()
	v.Set(reflect.MakeMap(t))
	put := func(key reflect.Value) error {
		if !key.Comparable() {
			return reason(fmt.Sprintf("a key that is a %s is no key of a Go map", key.Elem().Type()))
		}
		if v.MapIndex(key).IsValid() {
			return reason(fmt.Sprintf("key %v occurs twice", key))
		}
		value := reflect.New(t.Elem()).Elem()
		if err := r.scan(value, depth+1); err != nil {
			return at(fmt.Sprintf("value of key %v", key), err)
		}
		v.SetMapIndex(key, value)
		return nil
	}
	if c == '{' {
		return r.members(func(name string) error {
			key := reflect.New(t.Key()).Elem()
			if err := setText(key, name, true); err != nil {
				return at("key", err)
			}
			return put(key)
		})
	}
	return r.list(func(int) error {
		key := reflect.New(t.Key()).Elem()
		if !r.take('[') {
			return r.fault("expected a pair [key, value]")
		}
		if err := r.scan(key, depth+1); err != nil {
			return at("key", err)
		}
		if !r.take(',') {
			return r.fault("expected a pair [key, value]")
		}
		if err := put(key); err != nil {
			return err
		}
		if !r.take(']') {
			return r.fault("expected a pair [key, value]")
		}
		return nil
	})
}

func (r *jsonReader) scanStruct(v reflect.Value, depth int) error {
	fields := fieldsOf(v.Type())
	return r.members(func(name string) error {
		f := fieldNamed(fields, name)
		if f == nil {
			return reason(fmt.Sprintf("%s has no field for %s", v.Type(), quoted(name)))
		}
		to, err := fieldIn(v, f.index)
		if err != nil {
			return err
		}
		return at("field "+name, r.scan(to, depth+1))
	})
}

// fieldNamed finds a field by its name; one without a tag may differ in case.
func fieldNamed(fields []structField, name string) *structField {
	var found *structField
	for i := range fields {
		f := &fields[i]
		if f.name == name {
			return f
		}
		if found == nil && !f.tagged && strings.EqualFold(f.name, name) {
			found = f
		}
	}
	return found
}

// fieldIn is a field by its index, with the embedded pointers on the way there made.
func fieldIn(v reflect.Value, index []int) (reflect.Value, error) {
	for i, at := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return v, reason(fmt.Sprintf("the embedded %s is nil and not exported", v.Type()))
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v, nil
}

// at says where err occurred.
func at(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", where, err)
}
