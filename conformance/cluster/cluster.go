package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Cluster is a running cluster. Its methods may be called from several goroutines.
type Cluster struct {
	opts   Options
	dir    string
	ownDir bool // made by us: removed by Stop
	java   string
	lib    string
	lake   string // jars of the lake; "": none

	zooKeeper   *server
	coordinator *server
	tablets     []*server

	mu      sync.Mutex // guards keep and stopped
	keep    bool
	stopped bool
	release func() // ends the watch of context and signals
}

// Start starts a cluster and returns when it is ready (see WaitReady). The context's end kills it. When it fails the
// logs stay and the error names their directory.
func Start(ctx context.Context, opts Options) (*Cluster, error) {
	opts.setDefaults()
	java, err := JavaCommand("java")
	if err != nil {
		return nil, err
	}
	lib, err := ServerJars(ctx)
	if err != nil {
		return nil, err
	}
	lake := ""
	if opts.Lake {
		if lake, err = LakeJars(ctx); err != nil {
			return nil, err
		}
	}
	startCtx, cancel := context.WithTimeout(ctx, opts.StartTimeout)
	defer cancel()
	const attempts = 4
	for try := 1; ; try++ {
		c := &Cluster{opts: opts, java: java, lib: lib, lake: lake, keep: opts.KeepLogs}
		err := c.prepare()
		if err == nil {
			c.watch(ctx)
			if err = c.start(startCtx); err == nil {
				return c, nil
			}
			c.release()
			c.kill()
		}
		if try < attempts && opts.Dir == "" && c.portClash() && startCtx.Err() == nil {
			os.RemoveAll(c.dir)
			continue
		}
		if c.ownDir {
			c.Keep()
			err = errors.Join(err, c.removeDir())
		}
		return nil, fmt.Errorf("fluss cluster did not start: %w (logs kept in %s)", err, c.LogDir())
	}
}

// prepare makes the directory and the configuration; afterwards the set of servers does not change any more.
func (c *Cluster) prepare() error {
	if err := c.makeDir(); err != nil {
		return err
	}
	return c.configure()
}

func (c *Cluster) start(ctx context.Context) error {
	if err := c.zooKeeper.start(); err != nil {
		return err
	}
	if err := c.zooKeeper.waitPort(ctx); err != nil {
		return err
	}
	for _, s := range append([]*server{c.coordinator}, c.tablets...) {
		if err := s.start(); err != nil {
			return err
		}
	}
	return c.WaitReady(ctx, c.opts.TabletServers)
}

func (c *Cluster) makeDir() error {
	dir := c.opts.Dir
	if dir == "" {
		made, err := os.MkdirTemp("", "fluss-cluster-")
		if err != nil {
			return err
		}
		dir, c.ownDir = made, true
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	c.dir = dir
	return os.MkdirAll(c.LogDir(), 0o755)
}

// Dir is the cluster's directory: conf, log, zk, dataN (a tablet server's disk) and remote (tiered segments, snapshots).
func (c *Cluster) Dir() string { return c.dir }

// LogDir holds NAME.log (log4j) and NAME.out (standard output and error) of each process.
func (c *Cluster) LogDir() string { return filepath.Join(c.dir, "log") }

// CoordinatorAddr is the host:port clients reach the coordinator at.
func (c *Cluster) CoordinatorAddr() string { return c.coordinator.addr() }

// TabletAddr is the host:port clients reach tablet server i at. i is also its server id.
func (c *Cluster) TabletAddr(i int) string { return c.tablets[i].addr() }

// Tablets is the number of tablet servers, running or not.
func (c *Cluster) Tablets() int { return len(c.tablets) }

// Bootstrap is "host:port,host:port...": the coordinator, then the tablet servers.
func (c *Cluster) Bootstrap() string {
	addrs := []string{c.CoordinatorAddr()}
	for i := range c.tablets {
		addrs = append(addrs, c.TabletAddr(i))
	}
	return strings.Join(addrs, ",")
}

// DSN is the data source name for a database; on a SASL cluster it is the super user's. db may be "".
func (c *Cluster) DSN(db string) string { return c.DSNAs(c.opts.SuperUser, db) }

// DSNAs is DSN for another user; "" means no credentials at all.
func (c *Cluster) DSNAs(user, db string) string {
	u := "fluss://"
	if user != "" {
		u += url.UserPassword(user, c.opts.Users[user]).String() + "@"
	}
	u += c.Bootstrap()
	if db != "" {
		u += "/" + url.PathEscape(db)
	}
	return u
}

// SuperUser is the user with all rights and its password; both are "" without SASL.
func (c *Cluster) SuperUser() (user, password string) {
	return c.opts.SuperUser, c.opts.Users[c.opts.SuperUser]
}

// Keep makes Stop leave the logs, for a test that has failed.
func (c *Cluster) Keep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep = true
}

// Stop ends the servers. In a directory of the caller's (Options.Dir) they are ended in order with SIGTERM, so that the
// data is clean. A temporary directory goes, but for its logs after Keep or with Options.KeepLogs; there the servers are
// killed at once. It may be called more than once.
func (c *Cluster) Stop(ctx context.Context) error {
	c.mu.Lock()
	stopped := c.stopped
	c.stopped = true
	c.mu.Unlock()
	if stopped {
		return nil
	}
	c.release()
	if !c.ownDir {
		return c.stopInOrder(ctx)
	}
	c.kill()
	return c.removeDir()
}

// removeDir removes a temporary directory, or all but the logs in it.
func (c *Cluster) removeDir() error {
	c.mu.Lock()
	keep := c.keep
	c.mu.Unlock()
	if !keep {
		return os.RemoveAll(c.dir)
	}
	entries, err := os.ReadDir(c.dir)
	for _, e := range entries {
		if path := filepath.Join(c.dir, e.Name()); path != c.LogDir() {
			err = firstError(err, os.RemoveAll(path))
		}
	}
	return err
}

func (c *Cluster) stopInOrder(ctx context.Context) error {
	var wg sync.WaitGroup
	errs := make([]error, len(c.tablets))
	for i, t := range c.tablets {
		wg.Go(func() { errs[i] = t.stop(ctx) }) // ends within stop's grace; waited for below
	}
	wg.Wait()
	return errors.Join(errors.Join(errs...), c.coordinator.stop(ctx), c.zooKeeper.stop(ctx))
}

func (c *Cluster) servers() []*server {
	all := append([]*server{}, c.tablets...)
	for _, s := range []*server{c.coordinator, c.zooKeeper} {
		if s != nil {
			all = append(all, s)
		}
	}
	return all
}

func (c *Cluster) running() []*server {
	return slices.DeleteFunc(c.servers(), func(s *server) bool { return s.pid() == 0 })
}

func (c *Cluster) kill() {
	for _, s := range c.servers() {
		s.kill()
	}
}

// portClash tells whether a process ended because somebody else took its port in the meantime.
func (c *Cluster) portClash() bool {
	for _, s := range c.servers() {
		if s.logContains("Address already in use") || s.logContains("BindException") {
			return true
		}
	}
	return false
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
