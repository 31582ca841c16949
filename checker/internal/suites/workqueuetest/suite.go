// Package workqueuetest is the conformance suite of lab 10. The subject is a plain
// kit.Queue[string], so client-go's own workqueue.NewTyped[string]() can run
// the same cases as it is.
//
// It is stricter than upstream's own tests and no stricter than upstream's code.
// Three of upstream's live quirks are left open: no case drains a queue whose
// items nobody takes (client-go returns, its documentation says it waits), none
// has two drainers wait for the end of the work (client-go wakes one), and none
// calls Done for an item that Get did not hand out (client-go may queue it twice).
// So kubernetes#141079 is no fault here: its early return is allowed. Nor are
// kubernetes#126027 and #83895, which are about delays and belong to lab 11.
//
// What it can miss: a waiter that is lost on schedules which 32 copies never meet;
// a queue that wakes all of its workers for every item, which wastes time and
// breaks no rule; a Get that wakes up from time to time for nothing, beside the
// wake-ups that it needs; and a few bytes kept for each item.
package workqueuetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Subject is lab 10 as the suite sees it: a fresh, empty queue.
type Subject = kit.Queue[string]

// Lab describes lab 10 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "10-workqueue",
		Title:   "The work queue",
		Builds:  "a queue that works on every key once and never hands one key to two workers",
		Files:   []string{"queue.go"},
		Imports: []string{"container/list", "context", "errors", "fmt", "maps", "slices", "sync", "sync/atomic", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that runs them against the real
// client-go.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// voice calls the subject and writes every call down as one actor of the history.
type voice struct {
	queue Subject
	actor *conform.Actor
}

func (v voice) add(item string) {
	call := v.actor.Call("Add(%q)", item)
	v.queue.Add(item)
	call.Returned("")
}

func (v voice) get() (string, bool) {
	call := v.actor.Call("Get()")
	item, shutdown := v.queue.Get()
	call.Returned("%q, %t", item, shutdown)
	return item, shutdown
}

func (v voice) done(item string) {
	call := v.actor.Call("Done(%q)", item)
	v.queue.Done(item)
	call.Returned("")
}

func (v voice) len() int {
	call := v.actor.Call("Len()")
	n := v.queue.Len()
	call.Returned("%d", n)
	return n
}

func (v voice) shutDown() {
	call := v.actor.Call("ShutDown()")
	v.queue.ShutDown()
	call.Returned("")
}

func (v voice) drain() {
	call := v.actor.Call("ShutDownWithDrain()")
	v.queue.ShutDownWithDrain()
	call.Returned("")
}

func (v voice) shuttingDown() bool {
	call := v.actor.Call("ShuttingDown()")
	yes := v.queue.ShuttingDown()
	call.Returned("%t", yes)
	return yes
}
