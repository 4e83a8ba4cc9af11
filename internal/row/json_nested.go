package row

import (
	"github.com/gofluss/fluss/internal/catalog"
)

// grow appends a part to d.L. The pointer is valid until the next call.
func grow(d *Datum) *Datum {
	d.L = append(d.L, Datum{})
	return &d.L[len(d.L)-1]
}

func (r *jsonReader) array(d *Datum, t *catalog.Type, depth int) error {
	d.L = []Datum{}
	return r.list(func(i int) error { return r.part("", i, grow(d), t.Elem, depth) })
}

// entries reads a MAP: an object, whose names are the texts of scalar keys, or a list of pairs.
func (r *jsonReader) entries(d *Datum, t *catalog.Type, depth int) error {
	d.L = []Datum{}
	var err error
	if r.peek() == '{' {
		err = r.members(func(name string) error {
			if err := setJSONText(grow(d), t.Key, name, r.o); err != nil {
				return within("key", t.Key, quoted(name)+" (JSON)", err)
			}
			return r.part("value of key "+quoted(name), 0, grow(d), t.Elem, depth)
		})
	} else {
		err = r.list(func(i int) error { return r.pair(d, t, i, depth) })
	}
	if err != nil {
		return err
	}
	return CheckMap(d, t)
}

func (r *jsonReader) pair(d *Datum, t *catalog.Type, i, depth int) error {
	if !r.take('[') {
		return r.fault("expected a pair [key, value]")
	}
	if err := r.part("key", i, grow(d), t.Key, depth); err != nil {
		return err
	}
	if !r.take(',') {
		return r.fault("expected a pair [key, value]")
	}
	if err := r.part("", i, grow(d), t.Elem, depth); err != nil {
		return err
	}
	if !r.take(']') {
		return r.fault("expected a pair [key, value]")
	}
	return nil
}

func (r *jsonReader) fields(d *Datum, t *catalog.Type, depth int) error {
	d.L = nullFields(t)
	given := make([]bool, len(t.Fields))
	err := r.members(func(name string) error {
		i := fieldIndex(t, name)
		if i < 0 {
			return noField(t, name)
		}
		if given[i] {
			return reason("field " + quoted(name) + " occurs twice")
		}
		given[i] = true
		return r.part("field "+name, 0, &d.L[i], &t.Fields[i].Type, depth)
	})
	if err != nil {
		return err
	}
	return checkFields(d, t)
}
