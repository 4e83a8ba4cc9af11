package conformance

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// settleTimeout is how long goroutines and descriptors may take to go after what owned them was closed.
const settleTimeout = 10 * time.Second

// footprint is what a test must not leave behind.
type footprint struct{ goroutines, files int }

func measure() footprint {
	f := footprint{goroutines: runtime.NumGoroutine()}
	if list, err := os.ReadDir("/proc/self/fd"); err == nil { // elsewhere than on Linux files are not counted
		f.files = len(list)
	}
	return f
}

// flat waits until no more goroutines and files are left than there were.
func flat(t *testing.T, before footprint) {
	t.Helper()
	deadline := time.Now().Add(settleTimeout)
	for {
		now := measure()
		if now.goroutines <= before.goroutines && now.files <= before.files {
			return
		}
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Errorf("left behind: %+v, before: %+v\n%s", now, before, stacks[:runtime.Stack(stacks, true)])
			return
		}
		time.Sleep(10 * time.Millisecond) // a poll: what has to end tells nobody
	}
}
