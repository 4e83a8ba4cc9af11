package conformance

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/gofluss/fluss/conformance/cluster"
	"github.com/gofluss/fluss/flusstest"
)

// shared is the server of this test process, started by the first test that asks for it and ended by Main.
var shared struct {
	once    sync.Once
	cluster *cluster.Cluster
	err     error

	embeddedOnce sync.Once
	embedded     *flusstest.Server

	containerOnce sync.Once
	container     *program
	containerErr  error
}

// Target returns the DSN of the server under test, as FLUSS_TARGET names it. Its default database is "fluss", unless
// FLUSS_TARGET is a DSN that names another. The server is shared: use tables and databases of your own.
func Target(tb testing.TB) string {
	tb.Helper()
	switch name := os.Getenv("FLUSS_TARGET"); {
	case embeddedTarget():
		shared.embeddedOnce.Do(func() { shared.embedded = flusstest.NewServer() })
		return shared.embedded.DSN()
	case name == "jvm":
		return Cluster(tb).DSN("fluss")
	case name == "container":
		shared.containerOnce.Do(func() { shared.container, shared.containerErr = startContainers() })
		if shared.containerErr != nil {
			tb.Fatal(shared.containerErr)
		}
		return shared.container.dsn
	case strings.HasPrefix(name, "fluss://"):
		return name
	default:
		tb.Fatalf("FLUSS_TARGET=%s: want jvm, embedded, container or a DSN (fluss://...)", name)
	}
	return ""
}

// embeddedTarget reports whether the server under test is flusstest's.
func embeddedTarget() bool {
	name := os.Getenv("FLUSS_TARGET")
	return name == "" || name == "embedded"
}

// Cluster returns the shared real cluster, for tests that look at its insides. It has one tablet server; tests that
// break things start their own.
func Cluster(tb testing.TB) *cluster.Cluster {
	tb.Helper()
	shared.once.Do(func() {
		shared.cluster, shared.err = cluster.Start(context.Background(), cluster.Options{
			// A tablet server that is killed loses what it acknowledged since its last checkpoint: 5s by default.
			ServerProperties: map[string]string{"log.replica.high-watermark.checkpoint-interval": "100ms"},
		})
	})
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.cluster
}

// OwnCluster starts a real cluster for one test, and ends it with the test. After a failure the logs stay.
func OwnCluster(tb testing.TB, opts cluster.Options) *cluster.Cluster {
	tb.Helper()
	c, err := cluster.Start(context.Background(), opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if tb.Failed() {
			c.Keep()
			tb.Log("server logs:", c.LogDir())
		}
		if err := c.Stop(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return c
}

// Main is the body of a TestMain: it runs the tests, then cleanUp, and ends the shared cluster. After a failure the logs
// stay.
func Main(m *testing.M, cleanUp func()) int {
	code := m.Run()
	cleanUp()
	if shared.embedded != nil {
		shared.embedded.Close()
	}
	if p := shared.container; p != nil {
		if err := p.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop the containers:", err)
			code = max(code, 1)
		}
	}
	if c := shared.cluster; c != nil {
		if code != 0 {
			c.Keep()
			fmt.Fprintln(os.Stderr, "server logs:", c.LogDir())
		}
		if err := c.Stop(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "stop the cluster:", err)
			code = max(code, 1)
		}
	}
	return code
}
