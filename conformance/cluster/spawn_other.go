//go:build unix && !linux

package cluster

import "syscall"

// childAttr: a process group of its own, so that Ctrl-C reaches us and not the servers.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// stopped cannot tell here.
func stopped(int) bool { return true }
