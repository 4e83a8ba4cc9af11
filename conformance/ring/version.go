package ring

import "sync"

// version is a key with one writer at a time, each of whose writes has a number above all before it: what may be read is
// known without a history. It is safe for concurrent use.
type version struct {
	writer sync.Mutex // held while a write is under way

	mu      sync.Mutex
	issued  uint64 // the last write begun
	floor   uint64 // the last write acknowledged or read: nothing older may be read any more
	refused map[uint64]bool
}

// issue begins a write. The caller holds writer.
func (v *version) issue() uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.issued++
	return v.issued
}

// settle notes what the writer was told of a write.
func (v *version) settle(n uint64, o outcome) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch o {
	case stored:
		v.floor = max(v.floor, n)
	case notStored:
		if v.refused == nil {
			v.refused = map[uint64]bool{}
		}
		v.refused[n] = true
	}
}

// least is the oldest write that a read may see which begins now; 0: that there is no row.
func (v *version) least() uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.floor
}

// see judges a read that ended just now: it saw the row of a write, 0 for none, and least was asked for before it began.
func (v *version) see(j *judge, name string, least, n uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case n < least:
		j.found(broken, "%s: read %d, though %d had been acknowledged or read before", name, n, least)
	case n > v.issued:
		j.found(wrong, "%s: read %d, of which %d were written", name, n, v.issued)
	case v.refused[n]:
		j.found(unknownUnreported, "%s: write %d was reported as not stored and was read", name, n)
	default:
		v.floor = max(v.floor, n)
	}
}
