package route

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// WaitError says what a call was waiting for when its context ended. It matches the context's error.
type WaitError struct {
	For  string // "a leader of demo.t bucket 3"
	Err  error  // of the context
	Last error  // what the last attempt failed with; nil when none failed
}

func (e *WaitError) Error() string {
	if e.Last == nil {
		return fmt.Sprintf("waiting for %s: %v", e.For, e.Err)
	}
	return fmt.Sprintf("waiting for %s: %v (last: %v)", e.For, e.Err, e.Last)
}

// Unwrap leaves Last out: that attempt did not decide the call.
func (e *WaitError) Unwrap() error { return e.Err }

// TableChangedError says that the table of that path is another one now: it was dropped and created again, so
// what was planned for the old one is void. New is the id of the new one.
type TableChangedError struct {
	Path     catalog.TablePath
	Old, New int64
}

func (e *TableChangedError) Error() string {
	if e.Old == e.New {
		return fmt.Sprintf("table %s has a newer schema", e.Path)
	}
	return fmt.Sprintf("table %s was dropped and created again (table id %d is now %d)", e.Path, e.Old, e.New)
}

// UnknownOutcomeError says that a change of the catalog was sent and not answered: it may or may not have been
// made. It matches the cause, the context's error included.
type UnknownOutcomeError struct {
	What  string // "CREATE TABLE demo.t"
	Cause error
}

func (e *UnknownOutcomeError) Error() string {
	return fmt.Sprintf("%s: sent, but the outcome is unknown: %v", e.What, e.Cause)
}

func (e *UnknownOutcomeError) Unwrap() error { return e.Cause }

// OffsetRangeError says that a log does not have the offset that was asked for. Earliest and Latest (exclusive)
// are the offsets it has, both -1 when they could not be learned.
type OffsetRangeError struct {
	Table            catalog.TablePath
	Bucket           catalog.Bucket
	Asked            int64
	Earliest, Latest int64
}

func (e *OffsetRangeError) Error() string {
	text := fmt.Sprintf("%s: offset %d is not in the log", place(e.Table, e.Bucket), e.Asked)
	if e.Latest < 0 {
		return text
	}
	return fmt.Sprintf("%s, which has offsets %d to %d (exclusive)", text, e.Earliest, e.Latest)
}

// PoisonError says that the log has bytes at Offset that are no batch, or that no batch can be got there. What
// was before it has been delivered. Without an offset it is about a stored row of a key table.
type PoisonError struct {
	Table     catalog.TablePath
	Bucket    catalog.Bucket
	Partition string // its name, where it is known
	Offset    int64  // or -1
	Next      int64  // the offset behind the damage; -1 when that is not known
	Reason    string
}

func (e *PoisonError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: damaged row: %s", place(e.Table, e.Bucket), e.Reason)
	}
	return fmt.Sprintf("%s: damaged log at offset %d: %s", place(e.Table, e.Bucket), e.Offset, e.Reason)
}

// place names a bucket in messages.
func place(path catalog.TablePath, b catalog.Bucket) string {
	if b.PartitionID == catalog.NoPartition {
		return fmt.Sprintf("%s bucket %d", path, b.ID)
	}
	return fmt.Sprintf("%s partition %d bucket %d", path, b.PartitionID, b.ID)
}

// refusesForGood reports whether a connection was refused in a way that trying again does not change: the
// credentials are wrong, or the two ends do not agree about TLS.
func refusesForGood(err error) bool {
	if refusal, ok := asServerError(err); ok {
		return refusal.Code.Retry() == wire.RetryNo && refusal.Code != wire.CodeRetriableAuthenticate
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	_, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok
}

// worthRepeating reports whether a read that failed with err may succeed when it is sent again.
func worthRepeating(err error) bool {
	if refusal, ok := asServerError(err); ok && refusal.Code == wire.CodeFencedLeaderEpoch {
		return true
	}
	if refusesForGood(err) || errors.Is(err, ErrClosed) || errors.Is(err, errMalformed) {
		return false
	}
	switch cause := err; {
	case is[*wire.UnsupportedError](cause), is[*wire.ErrResponseTooLarge](cause), is[*wire.ErrRequestTooLarge](cause),
		is[*TableChangedError](cause), is[*wire.DecodeError](cause):
		return false
	}
	return true
}

// manyErrors are the errors of several servers, on one line.
type manyErrors []error

func (m manyErrors) Error() string {
	var texts []string
	for _, err := range m {
		if text := err.Error(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

func (m manyErrors) Unwrap() []error { return m }

// is reports whether the chain of err has an error of type E.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// errMalformed is in the chain of errors about answers that do not fit their question.
var errMalformed = errors.New("malformed answer")

// pace is the pause between attempts of one call: 20 ms doubling to 1 s, with jitter.
type pace struct{ n int }

const (
	minPause = 20 * time.Millisecond
	maxPause = time.Second
)

func (p *pace) next() time.Duration {
	d := min(minPause<<min(p.n, 10), maxPause)
	p.n++
	return d/2 + rand.N(d/2+1)
}

// sleep waits for the next pause to pass and returns the context's error when that ends first.
func (p *pace) sleep(ctx context.Context) error { return pause(ctx, p.next()) }

func pause(ctx context.Context, d time.Duration) error { return pauseUntil(ctx, d, nil) }

// pauseUntil is pause that ends early when over is closed.
func pauseUntil(ctx context.Context, d time.Duration, over <-chan struct{}) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func asServerError(err error) (*wire.ServerError, bool) { return errors.AsType[*wire.ServerError](err) }

// hasCode reports whether err is a server's refusal with that code.
func hasCode(err error, code wire.ErrorCode) bool {
	refusal, ok := asServerError(err)
	return ok && refusal.Code == code
}

func isServerError(err error) bool {
	_, ok := asServerError(err)
	return ok
}
