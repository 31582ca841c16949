//go:build ignore

// Mistake: If a pod is gone it does not matter that it has changed. But it is reported again, in the middle of its attempt.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import "container/heap"

func (q *queue) remove(uid string) {
	e := q.entries[uid]
	switch {
	case e == nil:
	case e.in == nil:
		e.gone, e.changed = true, false
	default:
		heap.Remove(e.in, e.index)
		delete(q.entries, uid)
	}
}
