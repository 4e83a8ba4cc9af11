package cluster

import "syscall"

// childAttr: a process group of its own, so that Ctrl-C reaches us and not the servers, and SIGKILL when we are gone.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
