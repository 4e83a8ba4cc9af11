package cluster

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// childAttr: a process group of its own, so that Ctrl-C reaches us and not the servers, and SIGKILL when we are gone.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// stopped reports whether every thread of a process stands still: on a busy machine that takes a while after SIGSTOP.
func stopped(pid int) bool {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(files) == 0 {
		return true // gone
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // this thread is gone
		}
		// "pid (name) state ...", where the name may hold anything
		if at := bytes.LastIndexByte(text, ')'); at+2 < len(text) && text[at+2] != 'T' {
			return false
		}
	}
	return true
}
