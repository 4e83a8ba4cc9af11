package row

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gofluss/fluss/internal/catalog"
)

var (
	errNullKey error = reason("a key of a MAP cannot be NULL")
	errRowKeys error = reason("it takes a map by field name, with strings as keys")
)

// locatedError is a refusal of something inside a nested value.
type locatedError struct {
	path string // "element 3, field a"
	err  *BindError
}

func (e *locatedError) Error() string { return e.path + ": " + e.err.Error() }
func (e *locatedError) Unwrap() error { return e.err.Err }

// within says where in a nested value, and at which value of which type, err occurred.
func within(where string, t *catalog.Type, value string, err error) error {
	if e, ok := err.(*locatedError); ok {
		e.path = where + ", " + e.path
		return e
	}
	return &locatedError{where, bindError(t, value, err).(*BindError)}
}

// bindSlice binds a slice or array: the elements of an ARRAY, or the fields of a ROW in order.
func bindSlice(d *Datum, t *catalog.Type, rv reflect.Value, o *BindOptions) error {
	n := rv.Len()
	switch t.Kind {
	case catalog.Array:
		d.L = make([]Datum, n)
		for i := range n {
			v := rv.Index(i).Interface()
			if err := bind(&d.L[i], t.Elem, v, o, 0); err != nil {
				return within(fmt.Sprintf("element %d", i), t.Elem, summary(v), err)
			}
		}
		return nil
	case catalog.Row:
		if n != len(t.Fields) {
			return reason(fmt.Sprintf("it has %d values for %d fields", n, len(t.Fields)))
		}
		d.L = make([]Datum, n)
		for i := range n {
			if err := bindField(d, t, i, rv.Index(i), o); err != nil {
				return err
			}
		}
		return nil
	}
	return wrongType(t)
}

// bindField binds one field of a ROW, whose L is there already.
func bindField(d *Datum, t *catalog.Type, i int, rv reflect.Value, o *BindOptions) error {
	f, v := &t.Fields[i], rv.Interface()
	if err := bind(&d.L[i], &f.Type, v, o, 0); err != nil {
		return within("field "+f.Name, &f.Type, summary(v), err)
	}
	return nil
}

// bindMap binds a Go map to a MAP, in the order of its keys, or to a ROW by field name.
func bindMap(d *Datum, t *catalog.Type, rv reflect.Value, o *BindOptions) error {
	switch t.Kind {
	case catalog.Map:
		return bindEntries(d, t, rv, o)
	case catalog.Row:
		return bindNamed(d, t, rv, o)
	}
	return wrongType(t)
}

func bindEntries(d *Datum, t *catalog.Type, rv reflect.Value, o *BindOptions) error {
	type entry struct{ key, value Datum }
	entries := make([]entry, rv.Len())
	i := 0
	for it := rv.MapRange(); it.Next(); i++ {
		e, key := &entries[i], it.Key().Interface()
		if err := bind(&e.key, t.Key, key, o, 0); err != nil {
			return within("key", t.Key, summary(key), err)
		}
		if e.key.Null {
			return errNullKey
		}
		value := it.Value().Interface()
		if err := bind(&e.value, t.Elem, value, o, 0); err != nil {
			return within("value of key "+quoted(string(Text(nil, &e.key, t.Key, nil))), t.Elem, summary(value), err)
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return Compare(&a.key, &b.key, t.Key) })
	d.L = make([]Datum, 0, 2*len(entries))
	for _, e := range entries {
		d.L = append(d.L, e.key, e.value)
	}
	return CheckMap(d, t)
}

// CheckMap refuses a MAP with a NULL key or with equal keys. Bind calls it; who builds a MAP by hand should too.
func CheckMap(d *Datum, t *catalog.Type) error {
	at := make([]int, 0, len(d.L)/2)
	for i := 0; i < len(d.L); i += 2 {
		if d.L[i].Null {
			return errNullKey
		}
		at = append(at, i)
	}
	slices.SortFunc(at, func(i, j int) int { return Compare(&d.L[i], &d.L[j], t.Key) })
	for i := 1; i < len(at); i++ {
		if key := &d.L[at[i]]; Compare(&d.L[at[i-1]], key, t.Key) == 0 {
			return reason("key " + quoted(string(Text(nil, key, t.Key, nil))) + " occurs twice")
		}
	}
	return nil
}

func bindNamed(d *Datum, t *catalog.Type, rv reflect.Value, o *BindOptions) error {
	if rv.Type().Key().Kind() != reflect.String {
		return errRowKeys
	}
	d.L = nullFields(t)
	for it := rv.MapRange(); it.Next(); {
		i := fieldIndex(t, it.Key().String())
		if i < 0 {
			return noField(t, it.Key().String())
		}
		if err := bindField(d, t, i, it.Value(), o); err != nil {
			return err
		}
	}
	return checkFields(d, t)
}

// nullFields is the fields of a ROW before any of them is given.
func nullFields(t *catalog.Type) []Datum {
	l := make([]Datum, len(t.Fields))
	for i := range l {
		l[i].Null = true
	}
	return l
}

// checkFields refuses a ROW in which a NOT NULL field was not given.
func checkFields(d *Datum, t *catalog.Type) error {
	for i := range d.L {
		if d.L[i].Null && t.Fields[i].Type.NotNull {
			return reason("field " + t.Fields[i].Name + " is NOT NULL and missing")
		}
	}
	return nil
}

func fieldIndex(t *catalog.Type, name string) int {
	return slices.IndexFunc(t.Fields, func(f catalog.Field) bool { return f.Name == name })
}

func noField(t *catalog.Type, name string) error {
	names := make([]string, len(t.Fields))
	for i := range names {
		names[i] = t.Fields[i].Name
	}
	return reason(fmt.Sprintf("no field %s; there are %s", quoted(name), strings.Join(names, ", ")))
}

// structField is one exported field of a Go struct, and the name it goes by.
type structField struct {
	name   string
	tagged bool
	index  []int
}

// structFields caches []structField by reflect.Type.
var structFields sync.Map

// fieldsOf lists the exported fields of a struct, promoted ones included. The name is that of the tag fluss,
// db or json, whichever comes first, else the field's own. A tag of "-" leaves the field out.
func fieldsOf(rt reflect.Type) []structField {
	if l, ok := structFields.Load(rt); ok {
		return l.([]structField)
	}
	var l []structField
	for _, f := range reflect.VisibleFields(rt) {
		s := structField{name: f.Name, index: f.Index}
		for _, key := range []string{"fluss", "db", "json"} {
			if tag, _, _ := strings.Cut(f.Tag.Get(key), ","); tag != "" {
				s.name, s.tagged = tag, true
				break
			}
		}
		if f.IsExported() && s.name != "-" && (s.tagged || !isEmbeddedStruct(f)) {
			l = append(l, s)
		}
	}
	structFields.Store(rt, l)
	return l
}

// isEmbeddedStruct reports whether f stands for the fields that it promotes.
func isEmbeddedStruct(f reflect.StructField) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct
}

// bindStruct binds a struct to a ROW by field name. A name without a tag may differ in case.
func bindStruct(d *Datum, t *catalog.Type, rv reflect.Value, o *BindOptions) error {
	if t.Kind != catalog.Row {
		return wrongType(t)
	}
	d.L = nullFields(t)
	for _, f := range fieldsOf(rv.Type()) {
		i := fieldIndex(t, f.name)
		if i < 0 && !f.tagged {
			i = slices.IndexFunc(t.Fields, func(c catalog.Field) bool { return strings.EqualFold(c.Name, f.name) })
		}
		if i < 0 {
			return noField(t, f.name)
		}
		v, err := rv.FieldByIndexErr(f.index)
		if err != nil {
			continue // promoted from a nil pointer: not given
		}
		if err := bindField(d, t, i, v, o); err != nil {
			return err
		}
	}
	return checkFields(d, t)
}
