// Package workqueuetest is the conformance suite of lab 10. The subject is a plain
// kit.Queue[string], and where the type of the items matters a kit.Queue[any], so client-go's
// own workqueue.NewTyped can run the same cases as it is.
//
// It is stricter than upstream's own tests and no stricter than upstream's code.
// Three of upstream's live quirks are left open: no case drains a queue whose
// items nobody takes (client-go returns, its documentation says it waits), none
// has two drainers wait for the end of the work (client-go wakes one), and none
// calls Done for an item that Get did not hand out (client-go may queue it twice).
// So kubernetes#141079 is no fault here: its early return is allowed. Nor are
// kubernetes#126027 and #83895, which are about delays and belong to lab 11.
//
// What it can miss: a waiter that is lost on schedules which 16 copies never meet;
// a queue that wakes all of its workers for every item, which wastes time and
// breaks no rule; one that loses items when more than 131073 are queued, or more than some
// thousands if it is slow, because a queue that searches and copies a slice is right; one
// that wakes up less than once a minute for nothing, beside the wake-ups that it needs;
// a goroutine of the queue that is on its way out when a shutdown returns; and a few
// bytes kept for each item.
package workqueuetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Subject is lab 10 as the suite sees it: a fresh, empty queue.
type Subject struct {
	kit.Queue[string]
	OfAny func() kit.Queue[any] // makes another, for items of any type
	OfInt func() kit.Queue[int] // and one for numbers
	OfBig func() kit.Queue[Big] // and one for items of a kilobyte
}

// Big is an item that takes much room: a slot for each of some hundreds is no longer small.
type Big [1 << 10]byte

// Lab describes lab 10 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "10-workqueue",
		Title:   "The work queue",
		Builds:  "a queue that works on every key once and never hands one key to two workers",
		Files:   []string{"queue.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that runs them against the real
// client-go.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
