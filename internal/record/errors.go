package record

import (
	"errors"
	"fmt"
)

// ErrTruncated is returned when the bytes end inside a batch. A fetch answer is cut without regard to batch
// borders, so it is how the walk over an answer usually ends: fetch again from the next offset.
var ErrTruncated = errors.New("the bytes end inside a batch")

// CorruptError says that a batch contradicts itself or its schema, and where. The bytes will not get better by
// being fetched or read again, apart from damage in transit.
type CorruptError struct {
	Reason string
	Cause  error // the decompressor's or row decoder's error; may be nil
}

// Error is one line.
func (e *CorruptError) Error() string {
	if e.Cause != nil {
		return "corrupt batch: " + e.Reason + ": " + e.Cause.Error()
	}
	return "corrupt batch: " + e.Reason
}

// Unwrap returns the cause.
func (e *CorruptError) Unwrap() error { return e.Cause }

// within puts the place in front of the reason of a *CorruptError; any other error it leaves alone.
func within(place string, err error) error {
	if c, ok := err.(*CorruptError); ok {
		return &CorruptError{Reason: place + ": " + c.Reason, Cause: c.Cause}
	}
	return err
}

func corruptf(format string, args ...any) *CorruptError {
	return &CorruptError{Reason: fmt.Sprintf(format, args...)}
}

// ValueError says that a value cannot be held by the table's log format. Nothing of its row was appended.
type ValueError struct {
	Column string // the column's name
	Type   string // the type that refused it: the column's, or that of a member of it
	Reason string
}

// Error names column, type and reason.
func (e *ValueError) Error() string {
	return fmt.Sprintf("column %q: the log cannot hold the value as %s: %s", e.Column, e.Type, e.Reason)
}
