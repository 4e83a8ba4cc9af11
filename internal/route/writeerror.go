package route

import (
	"context"
	"fmt"
	"time"
)

// When a write may fail, and with what:
//
//	not stored  the rows are too large (*RowTooLargeError), or their format cannot hold a value (*record.ValueError):
//	            found before anything of the statement is sent, or, for rows that share a batch, for that op alone
//	not stored  the caller's context or WriteTimeout ended before the rows were sent (*WaitError, which tells what
//	            they waited for: a leader, a connection, room, the writes before them)
//	not stored  the server refused them for good and each copy was answered (*wire.ServerError); in a shared batch
//	            each op is tried alone first, when the code is about rows
//	not stored  table or partition are gone (*TableChangedError, *wire.ServerError 7 or 36), each copy refused
//	unknown     the caller's context ended after they were sent (*UnknownWriteError around its error)
//	unknown     no answer decided it within WriteTimeout of the first copy (around a *WriteTimeoutError)
//	unknown     they were refused, but an earlier copy was lost or left it open (around the refusal)
//	unknown     the leader's memory of the writer is gone, and none of its open batches is found (around code 31 or 33)
//	either      the Client was closed (ErrClosed)

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

// Is makes it match what a read ends with that has no deadline of its own.
func (e *WriteTimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
