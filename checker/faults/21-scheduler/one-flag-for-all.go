//go:build ignore

// Mistake: That an event has come is one flag for the whole queue, cleared whenever a pod is taken. The next
//   attempt clears it for those that are still in flight (kubernetes#73078).
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import "container/heap"

type queue struct {
	entries  map[string]*entry
	inFlight int
	taken    uint64
	events   uint64
	arrivals uint64

	active, backoff, unschedulable podHeap

	wake func()
	ring func()
}

func (q *queue) take() *entry {
	e := heap.Pop(&q.active).(*entry)
	q.inFlight++
	q.taken, e.changed = q.events, false
	return e
}

func (q *queue) overtaken(e *entry) bool { return q.taken != q.events || e.changed }
