//go:build ignore

// Mistake: A pod that waited is gone, so those in flight have one rival less, and it counts as an event for them. But it has
//   made no room.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import "container/heap"

func (q *queue) remove(uid string) {
	e := q.entries[uid]
	switch {
	case e == nil:
	case e.in == nil:
		e.gone = true
	default:
		heap.Remove(e.in, e.index)
		delete(q.entries, uid)
		q.events++
	}
}
