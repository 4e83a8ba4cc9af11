package route

import (
	"context"
	"errors"
	"testing"
)

// An error that several callers share stays as it is, and each gets the end of its own context.
func TestWaitedShared(t *testing.T) {
	shared := &WaitError{For: "table d.t", Err: context.DeadlineExceeded}
	last := errors.New("refused")
	err := waited("a lookup", context.Canceled, shared, last)
	if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want Canceled alone", err)
	}
	if want := "waiting for table d.t: context canceled (last: refused)"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if shared.Last != nil {
		t.Error("the shared error was changed")
	}
}
