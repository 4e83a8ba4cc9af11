// Command ring runs one fault ring and writes its report.
//
//	go run ./conformance/ring/cmd/ring -ring 1 -seconds 60 -out report.json
//
// It fails when the verdict is not clean.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/gofluss/fluss/conformance/ring"
)

// settings are the flags.
type settings struct {
	ring    int
	seed    uint64
	seconds int
	ops     int
	faults  int
	out     string
}

// rings has the runner of each ring by its number.
var rings = map[int]func(context.Context, settings) (*ring.Report, error){}

func main() {
	var s settings
	flag.IntVar(&s.ring, "ring", 1, "1: embedded server; 2: three tablet servers; 3: one tablet server")
	flag.Uint64Var(&s.seed, "seed", 1, "of the load and of the fault plan")
	flag.IntVar(&s.seconds, "seconds", 0, "run at least so long")
	flag.IntVar(&s.ops, "ops", 0, "make at least so many calls")
	flag.IntVar(&s.faults, "faults", 0, "make so many faults; 0: the ring's own number")
	flag.StringVar(&s.out, "out", "", "the report's file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "ring:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	runner := rings[s.ring]
	if runner == nil {
		return fmt.Errorf("there is no ring %d", s.ring)
	}
	begin := time.Now()
	report, err := runner(ctx, s)
	if report != nil && s.out != "" {
		if err := report.Write(s.out); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	fmt.Printf("ring %s: %d operations, %d faults in %.0fs: %+v\n", report.Ring, report.Operations, report.Faults, time.Since(begin).Seconds(), report.Verdict)
	for _, f := range report.Findings {
		fmt.Println("  " + f)
	}
	if !report.Verdict.OK() {
		return fmt.Errorf("the verdict of ring %s is not clean", report.Ring)
	}
	return nil
}
