package cluster

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func startCluster(t *testing.T, opts Options) *Cluster {
	t.Helper()
	c, err := Start(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			c.Keep()
			t.Logf("logs: %s", c.LogDir())
		}
		if err := c.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

func timed(t *testing.T, what string, f func() error) {
	t.Helper()
	begin := time.Now()
	if err := f(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	t.Logf("%s: %.1fs", what, time.Since(begin).Seconds())
}

// Three servers, every fault once, and nothing is left afterwards.
func TestFaults(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	var c *Cluster
	timed(t, "start", func() error { c = startCluster(t, Options{TabletServers: 3}); return nil })
	if n := strings.Count(c.Bootstrap(), ","); n != 3 {
		t.Errorf("bootstrap %s, want 4 addresses", c.Bootstrap())
	}

	timed(t, "create a table", func() error { return c.createProbe(ctx, 6, 3) })
	timed(t, "leaders", func() error { return c.WaitLeaders(ctx, probeDatabase, probeTable) })
	pid := c.TabletPID(1)
	timed(t, "SIGTERM of a tablet server", func() error { return c.StopTablet(ctx, 1) })
	if c.TabletPID(1) != 0 || processExists(pid) {
		t.Errorf("tablet server 1 has pid %d; process %d is there: %v", c.TabletPID(1), pid, processExists(pid))
	}
	timed(t, "leaders without it", func() error { return c.WaitLeaders(ctx, probeDatabase, probeTable) })
	timed(t, "start it again", func() error { return c.StartTablet(ctx, 1) })
	c.KillTablet(2)
	timed(t, "leaders after SIGKILL", func() error { return c.WaitLeaders(ctx, probeDatabase, probeTable) })
	timed(t, "start it again", func() error { return c.StartTablet(ctx, 2) })
	if c.StartTablet(ctx, 2) == nil {
		t.Error("a running tablet server was started once more")
	}

	if err := c.Freeze(0); err != nil {
		t.Fatal(err)
	}
	frozen, stop := context.WithTimeout(ctx, 500*time.Millisecond)
	if _, err := c.metadata(frozen, c.tablets[0], "", ""); err == nil {
		t.Error("a frozen server answered")
	}
	stop()
	if err := c.Thaw(0); err != nil {
		t.Fatal(err)
	}
	timed(t, "thaw", func() error { return c.waitServing(ctx, c.tablets[0]) })

	c.KillCoordinator()
	timed(t, "start the coordinator again", func() error { return c.StartCoordinator(ctx) })
}

func TestSASL(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := startCluster(t, Options{SASL: true, Users: map[string]string{"alice": "alice-pass"}})
	for _, u := range []struct {
		name, user, password, want string
	}{
		{"known", "alice", "alice-pass", ""},
		{"wrong password", "alice", "x", "fluss error 46"},
		{"unknown", "bob", "x", "fluss error 46"},
	} {
		p, err := dialProbe(ctx, c.TabletAddr(0), u.user, u.password)
		if err == nil {
			p.close()
		}
		if (err == nil) != (u.want == "") || err != nil && !strings.Contains(err.Error(), u.want) {
			t.Errorf("%s: %v, want %q", u.name, err, u.want)
		}
	}
}

// The context's end takes the whole cluster with it, and the directory.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c, err := Start(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	pids := []int{c.TabletPID(0), c.CoordinatorPID(), c.zooKeeper.pid()}
	cancel()
	for _, s := range c.servers() {
		_, exited := s.running()
		select {
		case <-exited:
		case <-time.After(10 * time.Second):
			t.Errorf("%s still runs", s.name)
		}
	}
	for _, pid := range pids {
		if processExists(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	if err := c.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	gone, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	if err := poll(gone, func() error {
		if _, err := os.Stat(c.Dir()); err == nil {
			return os.ErrExist
		}
		return nil
	}); err != nil {
		t.Errorf("directory %s: %v", c.Dir(), err)
	}
}

// A cluster that can't start says which server ended, why, and where the logs are.
func TestStartFails(t *testing.T) {
	_, err := Start(context.Background(), Options{Dir: t.TempDir(), TabletProperties: map[string]string{"tablet-server.id": "x"}})
	if err == nil {
		t.Fatal("started")
	}
	for _, want := range []string{"tablet-0 ended", "logs kept in"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
	t.Logf("%.200s", err.Error())
}
