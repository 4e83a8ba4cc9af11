// Fluss-local runs a real Fluss cluster on loopback until Ctrl-C, or for a given time, and prints how to reach it:
//
//	go run ./conformance/cluster/cmd/fluss-local -tablets 3 -for 1h
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/gofluss/fluss/conformance/cluster"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fluss-local:", err)
		os.Exit(1)
	}
}

func run() error {
	opts := cluster.Options{OwnSignals: true, ServerProperties: map[string]string{}}
	flag.IntVar(&opts.TabletServers, "tablets", 1, "number of tablet servers, also the default replication factor")
	flag.BoolVar(&opts.SASL, "sasl", false, "SASL PLAIN, users admin/admin-pass (all rights) and alice/alice-pass (none)")
	flag.IntVar(&opts.CoordinatorPort, "coordinator-port", 0, "port of the coordinator, 0: any free one")
	flag.StringVar(&opts.Dir, "dir", "", "keep configuration, data and logs here (default: a directory that is removed)")
	flag.StringVar(&opts.TabletHeap, "heap", "", "heap of a tablet server (default 384m)")
	flag.Func("set", "KEY=VALUE, a line of every server's server.yaml; may be repeated", func(s string) error {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("want KEY=VALUE")
		}
		opts.ServerProperties[key] = value
		return nil
	})
	life := flag.Duration("for", 0, "stop after this time, 0: at Ctrl-C only")
	flag.Parse()
	if opts.SASL {
		opts.Users = map[string]string{"admin": "admin-pass", "alice": "alice-pass"}
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *life > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *life)
		defer cancel()
	}
	begin := time.Now()
	// The cluster's own life ends with Stop, not with ctx: Stop may end the servers in order.
	c, err := startUntil(ctx, opts)
	if err != nil {
		return err
	}
	fmt.Printf("# Fluss %s, ready after %.1fs; logs in %s\n", cluster.Version, time.Since(begin).Seconds(), c.LogDir())
	fmt.Printf("# bootstrap %s\n", c.Bootstrap())
	fmt.Printf("export FLUSS_DSN='%s'\n", c.DSN("fluss"))
	<-ctx.Done()
	return c.Stop(context.Background())
}

// startUntil starts a cluster and gives up when ctx ends before it is ready.
func startUntil(ctx context.Context, opts cluster.Options) (*cluster.Cluster, error) {
	startCtx, cancel := context.WithCancel(context.Background())
	unhook := context.AfterFunc(ctx, cancel)
	c, err := cluster.Start(startCtx, opts)
	if !unhook() && err == nil { // ended in the moment it was ready
		return nil, ctx.Err()
	}
	return c, err
}
