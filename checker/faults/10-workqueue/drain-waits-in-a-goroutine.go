//go:build ignore

// Mistake: A goroutine waits for the end of the work, so that the drain can select; when ShutDown calls the drain off, it stays.
// Killed by: shutdown-aborts-a-drain
// Verdict: goroutine-leak

package workqueue

import (
	"sync"
)

// ShutDown makes the queue ignore every further Add and wakes all who wait.
func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.callOff.Do(func() { close(q.calledOff) })
}

// ShutDownWithDrain is ShutDown, and blocks until the work is done or ShutDown
// calls it off. A condition can't stand in a select, a channel can.
func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	q.shutDown()
	q.mu.Unlock()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		q.mu.Lock()
		defer q.mu.Unlock()
		for q.busy() {
			q.idle.Wait()
		}
	}()
	select {
	case <-drained:
	case <-q.calledOff:
	}
}

// New returns an empty queue.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: make(set[T]), processing: make(set[T]), calledOff: make(chan struct{})}
	q.work.L, q.idle.L = &q.mu, &q.mu
	return q
}

// Queue is a first-in-first-out queue of items that need work. The stub's
// documentation is the contract.
//
// Three collections hold what is known of an item, and two rules tie them
// together: whatever is queued is dirty, and nothing is both queued and being
// processed. Each method keeps the rules true from its Lock to its Unlock, so no
// goroutine ever sees them broken, and a worker that holds an item has it alone.
type Queue[T comparable] struct {
	mu sync.Mutex // guards everything below

	queue      fifo[T] // the items to hand out, in order
	dirty      set[T]  // the items that need work
	processing set[T]  // the items that workers hold

	shuttingDown bool
	calledOff    chan struct{} // closed by the first ShutDown
	callOff      sync.Once     // a channel can be closed once

	// It is tempting to have one condition for both: it is one lock after all. But
	// then a Signal that is meant for a worker may wake a drainer, which goes back to
	// sleep, and the worker sleeps on beside a full queue. Goroutines that wait for
	// different things wait on different conditions.
	work sync.Cond // something was queued, or the queue is shutting down
	idle sync.Cond // nothing is left to do
}
