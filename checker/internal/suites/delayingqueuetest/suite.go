// Package delayingqueuetest is the conformance suite of lab 11. The subject is a
// constructor, from a kit.Queue[string] to a kit.DelayingQueue[string], so the
// real client-go can run the same cases through three lines:
//
//	func(q kit.Queue[string]) kit.DelayingQueue[string] {
//		return workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Queue: q})
//	}
//
// The queue underneath is the suite's own: a plain work queue that writes down
// what was added and at which virtual moment, and that can be made slow.
//
// client-go passes all cases but late-and-still-once: what is late it adds directly, and an
// older entry stays. Its other live quirks are left open. No case adds an item directly while
// it waits (client-go delivers twice, kubernetes#126027), and after a drain the loop
// may live on for a while (client-go's does until its heartbeat, ten seconds at
// most). Other bugs of upstream's queues are faults elsewhere: kubernetes#104991,
// #119554 and #135072 in lab 10, #112325 (direct Adds inflate the back-off) in
// lab 12. That ShutDown waits for the loop is no rule here: client-go's does not.
//
// What it can miss: a subject with a timer for each item, as long as a repeated
// call makes no further one; entries that are kept in memory after they have fired
// (client-go's heap keeps a few in its array); and the order of items that are
// ready at the same moment, which nothing promises.
package delayingqueuetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Subject is lab 11 as the suite sees it: how to make a delaying queue over a queue.
type Subject = func(q kit.Queue[string]) kit.DelayingQueue[string]

// Lab describes lab 11 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "11-delaying-queue",
		Title:   "The delaying queue",
		Builds:  "AddAfter: a heap, one timer, and one goroutine that owns both",
		Files:   []string{"delaying.go"},
		Imports: []string{"cmp", "container/heap", "container/list", "context", "errors", "fmt", "maps", "math", "slices", "sort", "sync", "sync/atomic", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that runs them against the real
// client-go.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// voice calls the subject and writes every call down as one actor of the history.
type voice struct {
	queue kit.DelayingQueue[string]
	actor *conform.Actor
}

// start makes a subject over a new queue.
func start(t *conform.T, s Subject) (voice, *underneath) {
	u := newUnderneath(t)
	call := t.Call("New(q)")
	q := s(u)
	call.Returned("")
	return voice{q, t.Actor}, u
}

// works is start, and a first item that is delayed, comes and is worked on: with a queue that does
// nothing, the rest of a case would prove nothing.
func works(t *conform.T, s Subject) (voice, *underneath) {
	v, u := start(t, s)
	v.addAfter("first", time.Second)
	time.Sleep(2 * time.Second)
	require.Len(t, u.soFar(), 1, "AddAfter(\"first\", 1s) was called 2s ago, and the item was not added once.")
	item, _ := v.get()
	v.done(item)
	return v, u
}

func (v voice) addAfter(item string, duration time.Duration) {
	call := v.actor.Call("AddAfter(%q, %v)", item, duration)
	v.queue.AddAfter(item, duration)
	call.Returned("")
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

func (v voice) shuttingDown() bool {
	call := v.actor.Call("ShuttingDown()")
	yes := v.queue.ShuttingDown()
	call.Returned("%t", yes)
	return yes
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
