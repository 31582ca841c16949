// Package debouncetest is the conformance suite of lab 05.
//
// Of the foundations' rules it holds those that a debouncer meets: a sender is never
// blocked by a push, cancel unblocks the receive, no goroutine survives Run.
// Istiod's own debounce bends two of them, and the cases follow the contract of this
// lab instead: it looks at the maximum delay only when its quiet timer fires, so it
// can overrun it by up to one quiet period, and on stop it leaves the running push behind.
//
// A Run that does not switch a closed channel off spins as long as the last push
// takes (kubernetes#137398 is the same mistake). close-during-a-push finds it, but a
// livelock is proven by spending the whole processor budget, so it is not among
// the faults.
//
// What it can miss: what happens when two events meet in one instant, or when a slow
// merge ends and finds a push returned and an update waiting, for the contract leaves
// that open; a Run that polls the clock quickly instead of setting a timer; a batch
// that is kept alive after it was pushed; a bound on the size of a batch above 1500
// updates; a limit on the pushes or merges of all Runs that 100 do not meet; up to five updates
// that always come before a batch which is due; and an update that Run takes just after the cancel, for only a context
// that is done before Run leaves no doubt: select takes either of two that are ready.
//
// A merge that sleeps is on the real clock here: a Run may hold a lock while it merges,
// and a goroutine that waits for that lock would stop the clock of a bubble.
package debouncetest

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// Update is what the suite has debounced: a configuration change with its number,
// or several that were merged.
type Update struct{ IDs []int }

// Merge and Push are the callbacks of Run.
type (
	Merge = func(batch, update *Update) *Update
	Push  = func(ctx context.Context, batch *Update)
)

// Subject is lab 05 as the suite sees it.
type Subject struct {
	Run func(ctx context.Context, quiet, longest time.Duration, updates <-chan *Update, merge Merge, push Push) error
	// RunAny is Run of a debouncer of anything, nil included.
	RunAny func(ctx context.Context, quiet, longest time.Duration, updates <-chan any, merge func(batch, update any) any, push func(ctx context.Context, batch any)) error
	// RunMaps is Run of a debouncer of what cannot be compared.
	RunMaps func(ctx context.Context, quiet, longest time.Duration, updates <-chan map[string]int, merge func(batch, update map[string]int) map[string]int, push func(ctx context.Context, batch map[string]int)) error
}

// Lab describes lab 05 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "05-debounce",
		Title:   "Debounce",
		Builds:  "many config updates, one push: a quiet period, a maximum delay, one push at a time",
		Files:   []string{"debounce.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases returns the claims of the suite.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
