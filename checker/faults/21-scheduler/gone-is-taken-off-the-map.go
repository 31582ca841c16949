//go:build ignore

// Mistake: A pod that is gone is taken off the map at once, also while it is in flight; if it is reported
//   again, it is a new one.
// Killed by: old-news
// Verdict: wrong-answer

package scheduler

import "container/heap"

func (q *queue) remove(uid string) {
	e := q.entries[uid]
	switch {
	case e == nil:
		return
	case e.in == nil:
		e.gone = true
	default:
		heap.Remove(e.in, e.index)
	}
	delete(q.entries, uid)
}
