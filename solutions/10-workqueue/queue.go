// Package workqueue is lab 10: the queue between the event handlers and the workers
// of a controller. A key that is added many times is worked on once, and no key is
// ever in the hands of two workers.
package workqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
	// calledOff is how often ShutDown has called the drains off. client-go has a flag for
	// it, which the next drain resets, perhaps before those called off have woken.
	calledOff int

	// It is tempting to have one condition for both: it is one lock after all. But
	// then a Signal that is meant for a worker may wake a drainer, which goes back to
	// sleep, and the worker sleeps on beside a full queue. Goroutines that wait for
	// different things wait on different conditions.
	work sync.Cond // something was queued, or the queue is shutting down
	idle sync.Cond // nothing is left to do, or the drains were called off
}

var _ kit.Queue[string] = (*Queue[string])(nil)

// New returns an empty queue.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: make(set[T]), processing: make(set[T])}
	q.work.L, q.idle.L = &q.mu, &q.mu
	return q
}

// Add marks item as needing work.
func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		return
	}
	if q.dirty.has(item) {
		return // queued already, or to be queued by Done
	}
	q.dirty.insert(item)
	if q.processing.has(item) {
		return // Done will see that it is dirty
	}
	q.enqueue(item)
}

// enqueue puts item at the tail and wakes one worker, because there is work for one
// more. q.mu is held. A Signal while nobody waits is lost, and may be: a worker that
// comes later looks at the queue before it waits.
func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	q.work.Signal()
}

// Len is how many items are queued.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.queue)
}

// Get takes the item at the head of the queue, or waits for one.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	// A loop and not an if: between the Signal and the moment this goroutine has
	// the lock again, another that never slept may have taken the item.
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	// From here on an Add is news. The worker has not looked at the object yet,
	// so some of the news will be old when it does; dropping dirty any later could
	// lose news instead, and there is no third way.
	q.dirty.remove(item)
	return item, false
}

// Done says that the work on item has ended.
func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}

// busy reports whether there is work left to do or under way. q.mu is held.
func (q *Queue[T]) busy() bool {
	return len(q.queue) > 0 || len(q.processing) > 0
}

// ShutDown makes the queue ignore every further Add and wakes all who wait.
func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.calledOff++
	q.idle.Broadcast()
}

// shutDown wakes every worker, not one: there will be no further Signal for those
// left asleep. q.mu is held.
func (q *Queue[T]) shutDown() {
	q.shuttingDown = true
	q.work.Broadcast()
}

// ShutDownWithDrain is ShutDown, and blocks until the work is done or ShutDown
// calls it off. The condition is looked at and waited for in one critical section:
// a Done between the look and the wait would wake nobody, and be the last.
func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}

// ShuttingDown reports whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shuttingDown
}

// set is a set of items.
type set[T comparable] map[T]struct{}

func (s set[T]) insert(item T) { s[item] = struct{}{} }

func (s set[T]) has(item T) bool {
	_, ok := s[item]
	return ok
}

func (s set[T]) remove(item T) { delete(s, item) }

// fifo is a slice that is read from its front.
type fifo[T any] []T

func (f *fifo[T]) push(item T) { *f = append(*f, item) }

// pop clears the slot before it steps over it: the array in front of the slice lives on
// until an append needs a new one, and would keep what was popped (kubernetes#104991:
// gigabytes).
func (f *fifo[T]) pop() T {
	var zero T
	item := (*f)[0]
	(*f)[0] = zero
	*f = (*f)[1:]
	return item
}
