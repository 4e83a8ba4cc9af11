package flusstest

import "hash/maphash"

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
