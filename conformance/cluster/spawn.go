package cluster

import (
	"os/exec"
	"runtime"
	"sync"
)

// spawner starts processes on one thread that never ends. PDEATHSIG is sent at the end of the *thread* that forked,
// not of the process: started from an ordinary goroutine, a server would die when the runtime lets that thread go.
var spawner struct {
	once sync.Once
	work chan func()
}

func spawn(cmd *exec.Cmd) error {
	spawner.once.Do(func() {
		spawner.work = make(chan func())
		// Lives as long as the program, on purpose.
		go func() {
			runtime.LockOSThread()
			for f := range spawner.work {
				f()
			}
		}()
	})
	done := make(chan error, 1)
	spawner.work <- func() { done <- cmd.Start() }
	return <-done
}
