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
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/gofluss/fluss/conformance/ring"
	"github.com/gofluss/fluss/conformance/ring/embedded"
)

// settings are the flags.
type settings struct {
	ring    int
	seed    uint64
	seconds int
	ops     int
	faults  int
	out     string
	debug   bool
	merge   bool
}

// rings has the runner of each ring by its number.
var rings = map[int]func(context.Context, settings) (*ring.Report, error){
	1: func(ctx context.Context, s settings) (*ring.Report, error) {
		return embedded.Run(ctx, embedded.Options{
			Seed: s.seed, Duration: time.Duration(s.seconds) * time.Second, Ops: s.ops, Faults: s.faults, Progress: os.Stderr, Logger: s.logger(),
		})
	},
}

func main() {
	var s settings
	flag.IntVar(&s.ring, "ring", 1, "1: embedded server; 2: three tablet servers; 3: one tablet server")
	flag.Uint64Var(&s.seed, "seed", 1, "of the load and of the fault plan")
	flag.IntVar(&s.seconds, "seconds", 0, "run at least so long")
	flag.IntVar(&s.ops, "ops", 0, "make at least so many calls")
	flag.IntVar(&s.faults, "faults", 0, "make so many faults; 0: the ring's own number")
	flag.StringVar(&s.out, "out", "", "the report's file")
	flag.BoolVar(&s.debug, "debug", false, "print what the driver logs")
	flag.BoolVar(&s.merge, "merge", false, "run nothing: sum up the reports named as arguments")
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
	if s.merge {
		runner = merge
	}
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
	fmt.Printf("ring %s, seed %d: %d operations, %d faults in %.0fs: %+v\n", report.Ring, report.Seed, report.Operations, report.Faults, time.Since(begin).Seconds(), report.Verdict)
	for _, f := range report.Findings {
		fmt.Println("  " + f)
	}
	if !report.Verdict.OK() {
		return fmt.Errorf("the verdict of ring %s is not clean", report.Ring)
	}
	return nil
}

// merge sums up reports, for a ring that was run in pieces.
func merge(context.Context, settings) (*ring.Report, error) {
	var pieces []*ring.Report
	for _, file := range flag.Args() {
		r, err := ring.ReadReport(file)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, r)
	}
	return ring.Merge(pieces...)
}

// logger prints what the driver logs; nil unless that is wanted.
func (s *settings) logger() *slog.Logger {
	if !s.debug {
		return nil
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
