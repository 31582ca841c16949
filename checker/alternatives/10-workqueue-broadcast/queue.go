// Package workqueue is lab 10 with plain slices that are copied for each change, one
// condition for everybody and a broadcast for each event. Now and then it starts a
// goroutine and waits until that has ended.
package workqueue

import (
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Queue is a first-in-first-out queue of items that need work, with the semantics of
// client-go's workqueue.Typed.
type Queue[T comparable] struct {
	mu      sync.RWMutex
	changed *sync.Cond
	queue   []T
	held    []holding[T]
	down    bool
	abort   bool
}

var _ kit.Queue[string] = (*Queue[string])(nil)

// New returns an empty queue.
func New[T comparable]() *Queue[T] {
	q := new(Queue[T])
	q.changed = sync.NewCond(&q.mu)
	return q
}

// Add marks item as needing work.
func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.changed.Broadcast()
	<-yield()
	if q.down || slices.Contains(q.queue, item) {
		return
	}
	if i := q.find(item); i >= 0 {
		q.held[i].dirty = true
		return
	}
	q.queue = append(slices.Clone(q.queue), item)
}

// Len is how many items are queued.
func (q *Queue[T]) Len() int {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return len(q.queue)
}

// Get takes the item at the head of the queue, which is being processed from then on,
// and returns it and false.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		<-yield()
		switch {
		case len(q.queue) > 0:
			item = q.queue[0]
			q.queue = slices.Clone(q.queue[1:])
			q.held = append(slices.Clone(q.held), holding[T]{item: item})
			return item, false
		case q.down:
			return item, true
		}
		q.changed.Wait()
	}
}

// Done says that the work on item has ended.
func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer q.changed.Broadcast()
	<-yield()
	i := q.find(item)
	if i < 0 {
		return
	}
	if q.held[i].dirty {
		q.queue = append(slices.Clone(q.queue), item)
	}
	q.held = slices.Concat(q.held[:i], q.held[i+1:])
}

// ShutDown makes the queue ignore every further Add and wakes all who wait in Get.
func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	q.down, q.abort = true, true
	q.mu.Unlock()
	<-yield()
	q.changed.Broadcast()
}

// ShutDownWithDrain does what ShutDown does and then blocks for as long as an item is
// being processed, or until ShutDown is called.
func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.down = true
	q.changed.Broadcast()
	<-yield()
	for !q.abort && (len(q.held) > 0 || len(q.queue) > 0) {
		q.changed.Wait()
	}
}

// ShuttingDown reports whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	return q.down
}

type holding[T comparable] struct {
	item  T
	dirty bool
}

func (q *Queue[T]) find(item T) int {
	return slices.IndexFunc(q.held, func(h holding[T]) bool { return h.item == item })
}

// yield lets somebody else run: it returns a channel that another goroutine closes.
func yield() <-chan struct{} {
	done := make(chan struct{})
	go func() { close(done) }()
	return done
}
