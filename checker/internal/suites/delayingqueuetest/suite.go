// Package delayingqueuetest is the conformance suite of lab 11. The subject is a
// constructor, from a kit.Queue[string] to a kit.DelayingQueue[string], and where the type of the
// items matters one from a kit.Queue[any], so the real client-go can run the same cases through a few lines:
//
//	func(q kit.Queue[string]) kit.DelayingQueue[string] {
//		return workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Queue: q})
//	}
//
// The queue underneath is queues.Plain, which writes down what was added and at which
// virtual moment, and can be made slow.
//
// client-go passes all cases but late-and-still-once: what is late it adds directly, and an
// older entry stays. Its other live quirks are left open: an item that is added directly
// while it waits comes twice (kubernetes#126027), a ShutDown after the first reaches no drain,
// what is late comes among overdue items wherever it may, the next item may be late after a slow Add (its timer
// counts from before that Add) until its heartbeat comes, and after a drain the loop
// may live on for a while (client-go's does until its heartbeat, ten seconds at
// most). Other bugs of upstream's queues are faults elsewhere: kubernetes#104991,
// #119554 and #135072 in lab 10, #112325 (direct Adds inflate the back-off) in
// lab 12. That ShutDown waits for the loop is no rule here: client-go's does not.
//
// What it can miss: a subject with a timer for each item, as long as a repeated call makes no further one; a
// few entries that are kept in memory after they have fired (client-go's heap keeps them in its array); an
// AddAfter that stays blocked after a drain (client-go's does, if its heartbeat comes at the moment at which
// Add returns: its loop ends, and nobody is there to receive); the order of items that are ready at the same
// moment, which nothing promises; a limit of thousands to what may wait, for a program that searches a list
// would time out; moments without a monotonic reading, as nobody can set the clock of virtual time back; a
// timer that counts from before a slow Add, if a heartbeat that ticks in ten seconds or less hides it;
// moments more than three years away, and with a heartbeat more than some thirty hours, because it would tick
// until then; a no-delay AddAfter that waits for another's slow Add, which the contract allows; and a lock
// that is held while the queue underneath says whether it is shut down, because a loop may ask, too.
package delayingqueuetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Subject is lab 11 as the suite sees it: how to make a delaying queue over a queue.
type Subject struct {
	New   func(q kit.Queue[string]) kit.DelayingQueue[string]
	OfAny func(q kit.Queue[any]) kit.DelayingQueue[any] // for items of any type
}

// Lab describes lab 11 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "11-delaying-queue",
		Title:   "The delaying queue",
		Builds:  "AddAfter: a heap, one timer, and one goroutine that owns both",
		Files:   []string{"delaying.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that runs them against the real
// client-go.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
