package flusstest

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// rowOrder is the keys of a storeRows in byte order. It exists from the first scan on and is brought up to date by
// the next one: until then new keys are only noted.
//
// Its refs tell keys, not values: the entry that a ref leads to may be of an older value or of a key that is gone.
// Whoever walks over it looks the key up again.
type rowOrder struct {
	kept   bool
	sorted []uint64 // in key order; no key twice
	recent []uint64 // in key order; keys added since sorted was made, some of which may be in both
	noted  []uint64 // not in order yet
	gone   int      // keys that went since sorted was made
}

// Recent keys are merged into the many when they are more than this and more than a sixteenth of them.
const maxRecent = 1024

// fewNoted is up to how many keys are inserted one by one.
const fewNoted = 16

func (o *rowOrder) added(ref uint64) {
	if o.kept {
		o.noted = append(o.noted, ref)
	}
}

// dirty reports whether update has to run before a walk.
func (o *rowOrder) dirty() bool { return !o.kept || len(o.noted) > 0 }

func (o *rowOrder) bytes() int { return 8 * (cap(o.sorted) + cap(o.recent) + cap(o.noted)) }

// updateOrder makes r.order right for a walk.
func (r *storeRows) updateOrder() {
	o := &r.order
	if !o.kept {
		*o = rowOrder{kept: true, noted: make([]uint64, 0, r.live)}
		for _, ref := range r.slots {
			if ref > removedSlot {
				o.noted = append(o.noted, ref)
			}
		}
	}
	if len(o.noted) <= fewNoted {
		for _, ref := range o.noted {
			r.insertRecent(ref)
		}
	} else {
		r.sortRefs(o.noted)
		o.recent = r.mergeRefs(o.recent, o.noted)
	}
	o.noted = nil
	if len(o.recent) > maxRecent && len(o.recent) > len(o.sorted)/16 {
		o.sorted = r.mergeRefs(o.sorted, o.recent)
		o.recent = nil
	}
	if o.gone > maxRecent && o.gone > len(o.sorted)/2 {
		o.sorted = slices.DeleteFunc(o.sorted, func(ref uint64) bool { return r.get(r.key(ref)) == nil })
		o.gone = 0
	}
}

// insertRecent puts a ref in its place, unless its key is there.
func (r *storeRows) insertRecent(ref uint64) {
	o := &r.order
	if i, found := slices.BinarySearchFunc(o.recent, r.key(ref), r.compareKey); !found {
		o.recent = slices.Insert(o.recent, i, ref)
	}
}

func (r *storeRows) compareKey(ref uint64, key []byte) int { return bytes.Compare(r.key(ref), key) }

// sortRefs sorts by key. The first eight bytes decide nearly always and spare the way to the key.
func (r *storeRows) sortRefs(refs []uint64) {
	type item struct{ head, ref uint64 }
	items := make([]item, len(refs))
	for i, ref := range refs {
		items[i] = item{keyHead(r.key(ref)), ref}
	}
	slices.SortFunc(items, func(a, b item) int {
		switch {
		case a.head < b.head:
			return -1
		case a.head > b.head:
			return 1
		}
		return bytes.Compare(r.key(a.ref), r.key(b.ref))
	})
	for i := range items {
		refs[i] = items[i].ref
	}
}

// keyHead orders as the key does, as far as eight bytes tell.
func keyHead(key []byte) uint64 {
	if len(key) >= 8 {
		return binary.BigEndian.Uint64(key)
	}
	var head [8]byte
	copy(head[:], key)
	return binary.BigEndian.Uint64(head[:])
}

// mergeRefs merges two ordered lists into one without doubles.
func (r *storeRows) mergeRefs(a, b []uint64) []uint64 {
	out := make([]uint64, 0, len(a)+len(b))
	w := orderWalk{rows: r, a: a, b: b}
	for {
		ref, ok := w.next()
		if !ok {
			return out
		}
		if n := len(out); n > 0 && bytes.Equal(r.key(out[n-1]), r.key(ref)) {
			continue
		}
		out = append(out, ref)
	}
}

// orderWalk walks over two ordered lists as one. A key that is in both comes once; one that is twice in the same
// list comes twice.
type orderWalk struct {
	rows *storeRows
	a, b []uint64
}

func (w *orderWalk) next() (ref uint64, ok bool) {
	switch {
	case len(w.a) == 0 && len(w.b) == 0:
		return 0, false
	case len(w.b) == 0:
		ref, w.a = w.a[0], w.a[1:]
	case len(w.a) == 0:
		ref, w.b = w.b[0], w.b[1:]
	default:
		c := bytes.Compare(w.rows.key(w.a[0]), w.rows.key(w.b[0]))
		if c <= 0 {
			ref, w.a = w.a[0], w.a[1:]
		}
		if c > 0 {
			ref = w.b[0]
		}
		if c >= 0 {
			w.b = w.b[1:]
		}
	}
	return ref, true
}

// walkFrom starts at the first key that is not below from. updateOrder has run.
func (r *storeRows) walkFrom(from []byte) orderWalk {
	seek := func(refs []uint64) []uint64 {
		i, _ := slices.BinarySearchFunc(refs, from, r.compareKey)
		return refs[i:]
	}
	return orderWalk{rows: r, a: seek(r.order.sorted), b: seek(r.order.recent)}
}

// scan calls yield with the values of the keys from from on, in key order, until it returns false.
func (r *storeRows) scan(from []byte, yield func(key, value []byte) bool) {
	w := r.walkFrom(from)
	for {
		ref, ok := w.next()
		if !ok {
			return
		}
		key := r.key(ref)
		if value := r.get(key); value != nil && !yield(key, value) {
			return
		}
	}
}
