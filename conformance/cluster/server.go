package cluster

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// stopGrace is how long a server may take after SIGTERM before it is killed.
const stopGrace = 15 * time.Second

// server is one java process, which may be started again after it has ended.
type server struct {
	name     string
	port     int
	java     string
	args     []string
	log, out string // files

	mu     sync.Mutex
	cmd    *exec.Cmd     // nil: never started
	exited chan struct{} // closed when cmd has ended and is reaped
	err    error         // why, valid when exited is closed
}

func (s *server) addr() string { return loopback(s.port) }

func (s *server) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil && !isClosed(s.exited) {
		return fmt.Errorf("%s is running already, pid %d", s.name, s.cmd.Process.Pid)
	}
	out, err := os.OpenFile(s.out, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(s.java, s.args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = childAttr()
	if err := spawn(cmd); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	exited := make(chan struct{})
	s.cmd, s.exited = cmd, exited
	// Ends with the process; stop and kill wait for it through exited.
	go func() {
		err := cmd.Wait()
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
		close(exited)
	}()
	return nil
}

// running returns the process of the last start and the channel closed at its end; nil when never started.
func (s *server) running() (*os.Process, chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return nil, nil
	}
	return s.cmd.Process, s.exited
}

// pid is 0 when the server is not running.
func (s *server) pid() int {
	p, exited := s.running()
	if p == nil || isClosed(exited) {
		return 0
	}
	return p.Pid
}

func (s *server) signal(sig syscall.Signal) error {
	p, exited := s.running()
	if p == nil || isClosed(exited) {
		return fmt.Errorf("%s is not running", s.name)
	}
	return p.Signal(sig)
}

// kill ends the server with SIGKILL and waits until it is reaped. A server that is not running is fine.
func (s *server) kill() {
	p, exited := s.running()
	if p == nil {
		return
	}
	p.Kill()
	<-exited
}

// stop ends the server with SIGTERM, and with SIGKILL after stopGrace or at the context's end.
func (s *server) stop(ctx context.Context) error {
	p, exited := s.running()
	if p == nil || isClosed(exited) {
		return nil
	}
	p.Signal(syscall.SIGCONT) // a frozen process cannot obey
	p.Signal(syscall.SIGTERM)
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case <-exited:
		return nil
	case <-grace.C:
		s.kill()
		return fmt.Errorf("%s did not end within %v of SIGTERM and was killed", s.name, stopGrace)
	case <-ctx.Done():
		s.kill()
		return fmt.Errorf("%s did not end after SIGTERM and was killed: %w", s.name, ctx.Err())
	}
}

// ended is an error once the process is gone, with the end of its output.
func (s *server) ended() error {
	_, exited := s.running()
	if exited != nil && !isClosed(exited) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Errorf("%s ended (%v)%s", s.name, s.err, s.lastOutput())
}

// lastOutput is the end of standard output, or of the log when that is empty, for an error message.
func (s *server) lastOutput() string {
	for _, path := range []string{s.out, s.log} {
		if b, _ := os.ReadFile(path); len(b) > 0 {
			return ":\n" + string(b[max(0, len(b)-1500):])
		}
	}
	return ""
}

// Noticed reports whether the coordinator's log tells of a new table: one of 0.9.1 overlooks some.
func (c *Cluster) Noticed(db, table string) bool {
	return c.coordinator.logContains("New table: " + db + "." + table + " with id ")
}

func (s *server) logContains(text string) bool {
	for _, path := range []string{s.out, s.log} {
		if b, _ := os.ReadFile(path); bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

// waitPort waits until something accepts connections on the server's port.
func (s *server) waitPort(ctx context.Context) error {
	return poll(ctx, func() error {
		if err := s.ended(); err != nil {
			return fatal(err)
		}
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", s.addr())
		if err == nil {
			conn.Close()
		}
		return err
	})
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
