package cluster

import (
	"context"
	"syscall"
	"time"
)

// TabletPID is the process id of tablet server i, 0 while it is not running.
func (c *Cluster) TabletPID(i int) int { return c.tablets[i].pid() }

// CoordinatorPID is the process id of the coordinator, 0 while it is not running.
func (c *Cluster) CoordinatorPID() int { return c.coordinator.pid() }

// KillTablet ends tablet server i with SIGKILL and returns when it is gone. With one replica, rows acknowledged since the
// last high-watermark checkpoint are lost, unless log.replica.high-watermark.checkpoint-interval is short.
func (c *Cluster) KillTablet(i int) { c.tablets[i].kill() }

// StopTablet ends tablet server i with SIGTERM: it first hands its leaderships over.
func (c *Cluster) StopTablet(ctx context.Context, i int) error { return c.tablets[i].stop(ctx) }

// StartTablet starts tablet server i again, on its old port and disk, and returns when it serves: after a kill it has to
// wait for the end of its old ZooKeeper session (30 s with a single tablet server, 3 s otherwise, unless
// zookeeper.client.session-timeout is set). See WaitLeaders for the tables.
func (c *Cluster) StartTablet(ctx context.Context, i int) error {
	if err := c.tablets[i].start(); err != nil {
		return err
	}
	return c.waitServing(ctx, c.tablets[i])
}

// Freeze stops tablet server i with SIGSTOP and returns when it stands still: its connections stay open and silent. Thaw
// ends it.
func (c *Cluster) Freeze(i int) error {
	if err := c.tablets[i].signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for pid := c.TabletPID(i); pid != 0 && !stopped(pid); {
		time.Sleep(time.Millisecond) // a poll: nobody tells
	}
	return nil
}

// Thaw lets a frozen tablet server go on.
func (c *Cluster) Thaw(i int) error { return c.tablets[i].signal(syscall.SIGCONT) }

// KillCoordinator ends the coordinator with SIGKILL and returns when it is gone.
func (c *Cluster) KillCoordinator() { c.coordinator.kill() }

// StopCoordinator ends the coordinator with SIGTERM.
func (c *Cluster) StopCoordinator(ctx context.Context) error { return c.coordinator.stop(ctx) }

// StartCoordinator starts the coordinator again and returns when it leads and knows its tablet servers.
func (c *Cluster) StartCoordinator(ctx context.Context) error {
	if err := c.coordinator.start(); err != nil {
		return err
	}
	running := 0
	for _, t := range c.tablets {
		if t.pid() != 0 {
			running++
		}
	}
	return c.WaitReady(ctx, running)
}
