//go:build !go1.27

package row

import (
	"database/sql/driver"
	"unsafe"
)

// box is any(v) without an allocation of its own: the interface points at v's place in the chunk, which is written
// once. like is any value of type T.
func box[T any](like any, chunk *[]T, v T) any { return pointing(like, unsafe.Pointer(push(chunk, v))) }

// boxAll boxes values where they are.
func boxAll[T any](like any, dst []driver.Value, stride int, values []T) {
	for k := range values {
		dst[k*stride] = pointing(like, unsafe.Pointer(&values[k]))
	}
}

// pointing is like with another value. Go 1.26, the only release this file is for, lays out an empty interface that holds a
// value larger than a pointer, or one without pointers, as two words: the type and the address of the value, which nobody
// writes to. From Go 1.27 on database/sql scans columns without boxes.
func pointing(like any, value unsafe.Pointer) any {
	(*[2]unsafe.Pointer)(unsafe.Pointer(&like))[1] = value
	return like
}
