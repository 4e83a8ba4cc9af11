package flusstest

import "hash/maphash"

// storeRows maps keys to stored values (schema id and row). It is an open hash table of numbers that point into
// chunks of bytes, so that a row costs a few bytes beyond its own and nothing that a garbage collector must walk.
//
// Entries are appended and never changed: a new value is a new entry, and what get returned before stays as it was.
// When more than half of the bytes are out of use, commit copies the rest into new chunks.
//
// Changes are undone by rollback until commit is called.
type storeRows struct {
	slots  []uint64 // a power of two of them; 0 is free, 1 was removed, others are refs
	live   int
	tombs  int
	chunks [][]byte // chunk 0 is not used
	used   int      // bytes of all entries
	dead   int      // bytes of entries that no slot points to
	undo   []rowChange
	order  rowOrder
}

const (
	freeSlot    = 0
	removedSlot = 1
	minSlots    = 16
	minDead     = 64 << 10 // what may be out of use before anything is copied
)

// rowChange is a slot that went from one ref to another; 0 stands for no row.
type rowChange struct{ before, after uint64 }

var rowSeed = maphash.MakeSeed()

func newStoreRows() *storeRows {
	return &storeRows{slots: make([]uint64, minSlots), chunks: make([][]byte, 1)}
}

// get returns the value of a key, or nil.
func (r *storeRows) get(key []byte) []byte {
	if slot := r.find(key, maphash.Bytes(rowSeed, key)); slot >= 0 {
		_, value := r.entry(r.slots[slot])
		return value
	}
	return nil
}

// find returns the slot of a key, or -1.
func (r *storeRows) find(key []byte, hash uint64) int {
	mask := len(r.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		ref := r.slots[i]
		if ref == freeSlot {
			return -1
		}
		if ref>>refTagShift == hash>>refTagShift && ref != removedSlot && string(r.key(ref)) == string(key) {
			return i
		}
	}
}

// put stores a value, schema id and row, and reports whether the key is new.
func (r *storeRows) put(key []byte, schemaID int16, row []byte) (inserted bool) {
	hash := maphash.Bytes(rowSeed, key)
	after := r.append(hash, key, schemaID, row)
	slot := r.find(key, hash)
	if slot >= 0 {
		r.change(slot, after)
		return false
	}
	r.insert(hash, after)
	r.undo = append(r.undo, rowChange{after: after})
	r.order.added(after)
	return true
}

// remove drops the row of a key that has one.
func (r *storeRows) remove(key []byte) {
	slot := r.find(key, maphash.Bytes(rowSeed, key))
	r.undo = append(r.undo, rowChange{before: r.slots[slot]})
	r.free(slot)
}

func (r *storeRows) change(slot int, after uint64) {
	before := r.slots[slot]
	r.undo = append(r.undo, rowChange{before, after})
	r.dead += r.sizeOf(before)
	r.slots[slot] = after
}

// insert puts a ref of a key that has no slot into one.
func (r *storeRows) insert(hash, ref uint64) {
	if 4*(r.live+r.tombs+1) > 3*len(r.slots) {
		r.rehash()
	}
	mask := len(r.slots) - 1
	i := int(hash) & mask
	for r.slots[i] > removedSlot {
		i = (i + 1) & mask
	}
	if r.slots[i] == removedSlot {
		r.tombs--
	}
	r.slots[i] = ref
	r.live++
}

func (r *storeRows) free(slot int) {
	r.dead += r.sizeOf(r.slots[slot])
	r.slots[slot] = removedSlot
	r.tombs++
	r.live--
	r.order.gone++
}

// rehash makes room for one more ref.
func (r *storeRows) rehash() {
	n := len(r.slots)
	if 2*(r.live+1) > n {
		n *= 2
	}
	old := r.slots
	r.slots, r.tombs = make([]uint64, n), 0
	for _, ref := range old {
		if ref > removedSlot {
			r.place(ref)
		}
	}
}

// place puts a ref into a table that has room and does not hold the key.
func (r *storeRows) place(ref uint64) {
	mask := len(r.slots) - 1
	i := int(maphash.Bytes(rowSeed, r.key(ref))) & mask
	for r.slots[i] != freeSlot {
		i = (i + 1) & mask
	}
	r.slots[i] = ref
}
