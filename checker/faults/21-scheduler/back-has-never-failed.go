//go:build ignore

// Mistake: A pod that is gone has no failures. If it is reported again, in the middle of its attempt, it begins anew.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import "container/heap"

func (q *queue) remove(uid string) {
	e := q.entries[uid]
	switch {
	case e == nil:
	case e.in == nil:
		e.gone, e.failures = true, 0
	default:
		heap.Remove(e.in, e.index)
		delete(q.entries, uid)
	}
}
