//go:build go1.27

package row

import "database/sql/driver"

// box is any(v). database/sql of Go 1.27 scans columns without asking for it.
func box[T any](_ any, _ *[]T, v T) any { return v }

func boxAll[T any](_ any, dst []driver.Value, stride int, values []T) {
	for k := range values {
		dst[k*stride] = values[k]
	}
}
