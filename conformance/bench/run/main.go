// Run compares the driver with its peers: it starts a real cluster, makes the tables, runs every workload with every
// contestant whose runtime is there in interleaved rounds, and prints the ratios with their spread.
//
//	go run ./conformance/bench/run -rounds 5 -json out.json
//	go run ./conformance/bench/run -only W1,W2 -contestants ours,floor -scale 0.1
//
// ../workloads.md says what is run. Only ratios of the same round mean anything on a machine that others use.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/gofluss/fluss/conformance/cluster"
)

type options struct {
	rounds      int
	only        string
	contestants string
	scale       float64
	boot        string
	keepTables  bool
	json        string
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 5, "interleaved rounds")
	flag.StringVar(&o.only, "only", "", "workloads by id, with commas; empty: all")
	flag.StringVar(&o.contestants, "contestants", "", "ours, ours-go1.27, floor, java, pyfluss; empty: all that can run here")
	flag.Float64Var(&o.scale, "scale", 1, "times the usual number of operations and rows")
	flag.StringVar(&o.boot, "boot", "", "coordinator,tablet of a cluster that runs already; empty: start one")
	flag.BoolVar(&o.keepTables, "loaded", false, "the tables are there already, at this scale")
	flag.StringVar(&o.json, "json", "", "file for the lines of all runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "run:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o *options) (err error) {
	dir, err := os.MkdirTemp("", "fluss-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	team, err := assemble(ctx, dir, o.contestants)
	if err != nil {
		return err
	}
	if o.boot == "" {
		c, err := cluster.Start(ctx, cluster.Options{TabletHeap: "1g", OwnSignals: true})
		if err != nil {
			return err
		}
		defer c.Stop(context.Background())
		o.boot = c.Bootstrap()
	}
	team.env = environment(o.boot)
	if !o.keepTables {
		fmt.Fprintln(os.Stderr, "making the tables")
		if _, err := team.start(ctx, "ours", "setup", fmt.Sprintf("n=%d", int(2_000_000*o.scale))); err != nil {
			return err
		}
	}
	lines, err := team.play(ctx, o)
	report(os.Stdout, lines, team.names)
	if o.json != "" {
		err = errors.Join(err, writeJSON(o.json, lines))
	}
	return err
}

// play runs all rounds. A contestant that fails is reported and left out of that round's comparison.
func (t *team) play(ctx context.Context, o *options) (lines []line, err error) {
	only := strings.Split(o.only, ",")
	for round := 1; round <= o.rounds; round++ {
		for i := range workloads {
			w := &workloads[i]
			if w.args == nil || o.only != "" && !slices.Contains(only, strings.Fields(w.id)[0]) {
				continue
			}
			for _, name := range t.order(round) {
				l, ok, err := t.one(ctx, w, name, round, o.scale)
				switch {
				case ctx.Err() != nil:
					return lines, ctx.Err()
				case err != nil:
					fmt.Fprintf(os.Stderr, "round %d: %s %s: %v\n", round, w.id, name, err)
				case ok:
					lines = append(lines, l)
					fmt.Fprintf(os.Stderr, "round %d: %-15s %-12s %12.1f %s\n", round, w.id, name, l.number(w.metric.key), w.metric.key)
				}
			}
		}
	}
	return lines, nil
}

// order has another contestant begin each round: the first one finds the server as the workload before left it.
func (t *team) order(round int) []string {
	k := (round - 1) % len(t.names)
	return slices.Concat(t.names[k:], t.names[:k])
}

// one runs one workload with one contestant. ok is false when it does not take part.
func (t *team) one(ctx context.Context, w *workload, name string, round int, scale float64) (l line, ok bool, err error) {
	args, ok := w.args[strings.TrimSuffix(name, go127)]
	if !ok {
		return l, false, nil
	}
	if w.fresh != "" {
		if _, err := t.start(ctx, "ours", w.fresh); err != nil {
			return l, false, err
		}
	}
	out, err := t.start(ctx, name, append(strings.Fields(args), w.count(name, scale))...)
	if err != nil {
		return l, false, err
	}
	l = line{Workload: w.id, Contestant: name, Round: round}
	return l, true, json.Unmarshal(out, &l.Result)
}

func writeJSON(name string, lines []line) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	for i := range lines {
		if err := e.Encode(&lines[i]); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}
