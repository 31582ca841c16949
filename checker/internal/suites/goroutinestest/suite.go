// Package goroutinestest is the conformance suite of lab 01.
//
// What it can miss: a limit that is broken only on schedules which 16 copies on
// this machine never meet, and a Gather that starts a goroutine per task but lets
// it wait for a slot there: that wastes memory and breaks no rule of the contract.
// With no bound a right one may have started all tasks before the first runs, as on one
// processor: whether Gather goes on to start tasks after a failure shows only where it has
// not. Nor does a bound of more than 2100 show that is hidden in the subject: the race
// detector has no room for many more goroutines. And a nil task that gives its slot back
// before it cancels the context is not looked for: only tasks that return or panic are.
package goroutinestest

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// Task is what Gather runs.
type Task = func(context.Context) (int, error)

// job is what a task does, as an actor of the history.
type job = func(ctx context.Context, a *conform.Actor) (int, error)

// Subject is lab 01 as the suite sees it.
type Subject struct {
	Gather func(ctx context.Context, limit int, tasks ...Task) ([]int, error)

	// GatherAny is Gather with results of any type, nil too.
	GatherAny func(ctx context.Context, limit int, tasks ...func(context.Context) (any, error)) ([]any, error)

	// PanicOf is what err holds if it is the subject's own *PanicError itself.
	PanicOf func(err error) (value any, stack []byte, ok bool)

	// PanicError makes a PanicError of the subject, as a Gather inside a task returns one.
	PanicError func(value any) error
}

// Lab describes lab 01 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "01-goroutines",
		Title:   "Goroutines",
		Builds:  "run many functions at once: bounded, in order, and panic-proof",
		Files:   []string{"gather.go"},
		Imports: []string{"runtime/debug", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases returns the claims of the suite.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// errTask is a task's own error. It is compared by identity: an error whose Is
// says yes to everything must not pass for it.
var errTask = errors.New("the task's own error")
