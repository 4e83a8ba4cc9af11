//go:build go1.27

package row

// box is any(v). database/sql of Go 1.27 scans columns without asking for it.
func box[T any](_ any, _ *[]T, v T) any { return v }
