package cluster

import "syscall"

// processExists also counts one that has ended and was not reaped.
func processExists(pid int) bool { return syscall.Kill(pid, 0) == nil }
