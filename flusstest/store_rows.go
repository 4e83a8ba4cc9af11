package flusstest

import (
	"encoding/binary"
	"hash/maphash"
)

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

// A ref locates an entry:
//
//	63..48  the upper bits of the key's hash, to pass by other keys
//	47..26  chunk
//	25..0   where the entry starts in the chunk
//
// An entry is uvarint key length, uvarint value length, key, value.
const (
	refTagShift   = 48
	refChunkShift = 26
	refChunkMask  = 1<<(refTagShift-refChunkShift) - 1
	refAtMask     = 1<<refChunkShift - 1

	freeSlot    = 0
	removedSlot = 1

	minSlots    = 16
	minRowChunk = 1 << 10
	maxRowChunk = 1 << 20 // an entry that is larger gets a chunk of its own
	minDead     = 64 << 10
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

// append writes an entry and returns its ref.
func (r *storeRows) append(hash uint64, key []byte, schemaID int16, row []byte) uint64 {
	value := 2 + len(row)
	c := r.room(2*binary.MaxVarintLen32 + len(key) + value)
	b := r.chunks[c]
	at := len(b)
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = binary.AppendUvarint(b, uint64(value))
	b = append(b, key...)
	b = binary.LittleEndian.AppendUint16(b, uint16(schemaID))
	b = append(b, row...)
	r.chunks[c] = b
	r.used += len(b) - at
	return hash>>refTagShift<<refTagShift | uint64(c)<<refChunkShift | uint64(at)
}

// room returns the index of a chunk with that many free bytes.
func (r *storeRows) room(size int) int {
	last := len(r.chunks) - 1
	if last > 0 && cap(r.chunks[last])-len(r.chunks[last]) >= size {
		return last
	}
	grow := min(max(r.used-r.dead, minRowChunk), maxRowChunk)
	r.chunks = append(r.chunks, make([]byte, 0, max(grow, size)))
	return last + 1
}

// at returns the bytes from an entry on.
func (r *storeRows) at(ref uint64) []byte {
	return r.chunks[ref>>refChunkShift&refChunkMask][ref&refAtMask:]
}

func (r *storeRows) key(ref uint64) []byte {
	b := r.at(ref)
	if b[0] < 0x80 { // nearly all keys
		from := 2
		for b[from-1] >= 0x80 {
			from++
		}
		return b[from : from+int(b[0])]
	}
	key, _ := r.entry(ref)
	return key
}

func (r *storeRows) entry(ref uint64) (key, value []byte) {
	b := r.at(ref)
	k, n := binary.Uvarint(b)
	v, m := binary.Uvarint(b[n:])
	split := n + m + int(k)
	end := split + int(v)
	return b[n+m : split : split], b[split:end:end]
}

func (r *storeRows) sizeOf(ref uint64) int {
	b := r.at(ref)
	k, n := binary.Uvarint(b)
	v, m := binary.Uvarint(b[n:])
	return n + m + int(k) + int(v)
}

// commit makes the changes since the last commit final.
func (r *storeRows) commit() {
	r.undo = r.undo[:0]
	if cap(r.undo) > 1<<16 {
		r.undo = nil
	}
	if r.dead > minDead && 2*r.dead > r.used {
		r.compact()
	}
}

// rollback undoes the changes since the last commit.
func (r *storeRows) rollback() {
	for i := len(r.undo) - 1; i >= 0; i-- {
		c := r.undo[i]
		if c.after == 0 {
			r.insert(maphash.Bytes(rowSeed, r.key(c.before)), c.before)
			r.dead -= r.sizeOf(c.before)
			continue
		}
		key := r.key(c.after)
		slot := r.find(key, maphash.Bytes(rowSeed, key))
		if c.before == 0 {
			r.free(slot)
			continue
		}
		r.dead += r.sizeOf(c.after) - r.sizeOf(c.before)
		r.slots[slot] = c.before
	}
	r.undo = r.undo[:0]
}

// compact copies all entries into new chunks. The old ones stay with whoever holds values from them.
func (r *storeRows) compact() {
	old := storeRows{chunks: r.chunks}
	refs := r.slots
	r.chunks, r.used, r.dead = make([][]byte, 1, len(old.chunks)/2+2), 0, 0
	r.tombs, r.order = 0, rowOrder{}
	r.slots = make([]uint64, len(refs))
	for _, ref := range refs {
		if ref > removedSlot {
			r.place(r.copy(ref, old.at(ref)[:old.sizeOf(ref)]))
		}
	}
}

func (r *storeRows) copy(ref uint64, entry []byte) uint64 {
	c := r.room(len(entry))
	at := len(r.chunks[c])
	r.chunks[c] = append(r.chunks[c], entry...)
	r.used += len(entry)
	return ref>>refTagShift<<refTagShift | uint64(c)<<refChunkShift | uint64(at)
}

// bytes is the memory that the rows take, apart from a few hundred bytes.
func (r *storeRows) bytes() int {
	n := 8*cap(r.slots) + 16*cap(r.undo) + r.order.bytes()
	for _, c := range r.chunks {
		n += cap(c) + 24
	}
	return n
}
