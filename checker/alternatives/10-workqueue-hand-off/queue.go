// Package workqueue is lab 10 without a lock and without a condition: only the goroutine
// that holds the one token may touch the state, and an item that is added goes straight
// to the getter that has waited longest.
package workqueue

import (
	"container/list"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Queue is a first-in-first-out queue of items that need work, with the semantics of
// client-go's workqueue.Typed.
type Queue[T comparable] struct {
	tok chan *state[T] // holds the state; the goroutine that has it may touch it
}

var _ kit.Queue[string] = (*Queue[string])(nil)

// New returns an empty queue.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{tok: make(chan *state[T], 1)}
	q.tok <- &state[T]{items: map[T]mark{}}
	return q
}

// Add marks item as needing work.
func (q *Queue[T]) Add(item T) {
	s := <-q.tok
	defer func() { q.tok <- s }()
	if s.down {
		return
	}
	m, known := s.items[item]
	switch {
	case !known:
		s.put(item)
	case m == held:
		s.items[item] = heldDirty
	}
}

// Len is how many items are queued.
func (q *Queue[T]) Len() int {
	s := <-q.tok
	n := s.queue.Len()
	q.tok <- s
	return n
}

// Get takes the item at the head of the queue, which is being processed from then on,
// and returns it and false.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	s := <-q.tok
	if e := s.queue.Front(); e != nil {
		item, _ = s.queue.Remove(e).(T) // a nil of an interface type has no type to assert
		s.items[item] = held
		s.held++
		q.tok <- s
		return item, false
	}
	if s.down {
		q.tok <- s
		return item, true
	}
	w := make(chan T, 1)
	s.getters.PushBack(w)
	q.tok <- s
	item, ok := <-w
	return item, !ok
}

// Done says that the work on item has ended.
func (q *Queue[T]) Done(item T) {
	s := <-q.tok
	m := s.items[item]
	delete(s.items, item)
	s.held--
	if m == heldDirty {
		s.put(item)
	}
	s.settle()
	q.tok <- s
}

// ShutDown makes the queue ignore every further Add and wakes all who wait in Get.
func (q *Queue[T]) ShutDown() {
	s := <-q.tok
	s.shut()
	s.abort = true
	s.settle()
	q.tok <- s
}

// ShutDownWithDrain does what ShutDown does and then blocks for as long as an item is
// being processed, or until ShutDown is called.
func (q *Queue[T]) ShutDownWithDrain() {
	s := <-q.tok
	s.shut()
	if s.abort || s.held == 0 {
		q.tok <- s
		return
	}
	if s.drained == nil {
		s.drained = make(chan struct{})
	}
	d := s.drained
	q.tok <- s
	<-d
}

// ShuttingDown reports whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	s := <-q.tok
	defer func() { q.tok <- s }()
	return s.down
}

type mark uint8

const (
	queued mark = iota
	held
	heldDirty
)

type state[T comparable] struct {
	items   map[T]mark
	queue   list.List // of T
	getters list.List // of chan T
	held    int
	down    bool
	abort   bool
	drained chan struct{}
}

// put hands item to the getter that waits longest, or queues it.
func (s *state[T]) put(item T) {
	if e := s.getters.Front(); e != nil {
		s.items[item] = held
		s.held++
		s.getters.Remove(e).(chan T) <- item
		return
	}
	s.items[item] = queued
	s.queue.PushBack(item)
}

func (s *state[T]) shut() {
	s.down = true
	for e := s.getters.Front(); e != nil; e = s.getters.Front() {
		close(s.getters.Remove(e).(chan T))
	}
}

// settle ends the drains whose time has come.
func (s *state[T]) settle() {
	if s.drained != nil && (s.abort || s.held == 0 && s.queue.Len() == 0) {
		close(s.drained)
		s.drained = nil
	}
}
