// Command live runs a control plane in a terminal until q or Ctrl-C. `checker play`
// compiles it with the learner's own labs and starts it, with the terminal in raw mode.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/checker/internal/tty"
)

// patience is how long a control plane may take to end.
const patience = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go orphaned(ctx, cancel)

	c := start(ctx, !slices.Contains(os.Args[1:], withoutOperator))
	err := play.Loop(ctx, tty.Terminal{Keys: os.Stdin, Out: os.Stdout, Size: tty.Size(os.Stdout)}, style(), c)
	cancel()
	if err == nil {
		err = c.ended(patience)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// orphaned ends the program when the checker is gone: nobody would give the terminal
// back its mode afterwards.
func orphaned(ctx context.Context, cancel func()) {
	parent := os.Getppid()
	for ctx.Err() == nil {
		if os.Getppid() != parent {
			cancel()
			return
		}
		time.Sleep(time.Second)
	}
}

// withoutOperator is the argument that says that lab 23 is still to be built.
const withoutOperator = "--without-operator"

// style is what the checker found out about the terminal, handed on as arguments.
func style() play.Style {
	var s play.Style
	for _, arg := range os.Args[1:] {
		s.Color = s.Color || arg == "--color"
		s.ASCII = s.ASCII || arg == "--ascii"
	}
	return s
}
