package flusstest

import "encoding/binary"

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

	minRowChunk = 1 << 10
	maxRowChunk = 1 << 20 // an entry that is larger gets a chunk of its own
)

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
