//go:build !go1.27

package row

import "unsafe"

// box is any(v) without an allocation of its own: the interface points at v's place in the chunk, which is written
// once. like is any value of type T. Go 1.26, the only release this file is for, lays out an empty interface that holds a value larger than a
// pointer, or one without pointers, as two words: the type and the address of the value, which nobody writes to.
// From Go 1.27 on database/sql scans columns without boxes.
func box[T any](like any, chunk *[]T, v T) any {
	(*[2]unsafe.Pointer)(unsafe.Pointer(&like))[1] = unsafe.Pointer(push(chunk, v))
	return like
}
