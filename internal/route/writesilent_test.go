package route

import (
	"context"
	"testing"
)

// TestWriteSilentConnection: a connection that does not answer is not used again, and what was sent on it goes out once
// more on another.
func TestWriteSilentConnection(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *writeRig) {
		first := true
		r.hook = func(sentCopy) copyReply {
			defer func() { first = false }()
			return copyReply{silent: first}
		}
		op := opOf(logTable, 0, 41, 42)
		if err := r.w.write(context.Background(), []*WriteOp{op}); err != nil {
			t.Fatal(err)
		}
		checkStored(t, op)
		if n := len(r.all); n != 2 {
			t.Errorf("%d connections, want 2", n)
		}
	})
}
