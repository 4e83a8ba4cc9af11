package route

import (
	"fmt"
	"time"
)

// UnknownWriteError says that rows were sent and that it is not known whether they are stored. It matches
// Cause: the caller's context error, a *WriteTimeoutError, ErrClosed, or the server's last refusal.
type UnknownWriteError struct {
	Cause error
	Last  error // what the last attempt ended with; nil when none had ended
}

func (e *UnknownWriteError) Error() string {
	if e.Last == nil || e.Last == e.Cause {
		return fmt.Sprintf("sent, but the outcome is unknown: %v", e.Cause)
	}
	return fmt.Sprintf("sent, but the outcome is unknown: %v (last: %v)", e.Cause, e.Last)
}

func (e *UnknownWriteError) Unwrap() error { return e.Cause }

// WriteTimeoutError says that a write got no outcome within the time for a write with all its retries.
type WriteTimeoutError struct {
	After time.Duration
}

func (e *WriteTimeoutError) Error() string {
	return fmt.Sprintf("the write was not acknowledged within %v", e.After)
}

// Timeout makes it a timeout in the sense of net.Error.
func (e *WriteTimeoutError) Timeout() bool { return true }
