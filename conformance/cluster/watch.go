package cluster

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// watch sets release and kills the cluster at the context's end and, unless the program handles signals itself, at SIGINT or SIGTERM.
func (c *Cluster) watch(ctx context.Context) {
	unhook := context.AfterFunc(ctx, func() { c.abandon() })
	if c.opts.OwnSignals {
		c.release = func() { unhook() }
		return
	}
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(sig) { // as for a background job of a shell
			signal.Notify(signals, sig)
		}
	}
	done := make(chan struct{})
	// Ends at the first signal or when Stop closes done.
	go func() {
		select {
		case <-done:
		case sig := <-signals:
			signal.Stop(signals)
			c.abandon()
			syscall.Kill(os.Getpid(), sig.(syscall.Signal)) // what would have happened without us
		}
	}()
	c.release = func() {
		unhook()
		signal.Stop(signals)
		close(done)
	}
}

// abandon kills the servers and removes a temporary directory. Stop afterwards does nothing.
func (c *Cluster) abandon() {
	c.mu.Lock()
	stopped := c.stopped
	c.stopped = true
	c.mu.Unlock()
	if stopped {
		return
	}
	c.kill()
	if c.ownDir {
		c.removeDir()
	}
}
