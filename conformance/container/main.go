package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints the DSN on a line of its own and stays until standard input ends, or a signal comes.
func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c, err := start(ctx)
	if err != nil {
		return err
	}
	fmt.Println(c.dsn)
	ended := make(chan struct{})
	go func() { // ends with standard input, or with the process
		defer close(ended)
		io.Copy(io.Discard, os.Stdin)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	return c.stop()
}
