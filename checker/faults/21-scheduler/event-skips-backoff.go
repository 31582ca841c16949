//go:build ignore

// Mistake: An event makes pods active at once, though they have failed a moment ago.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import (
	"container/heap"
	"time"
)

func (q *queue) move(e *entry, now time.Time) {
	heap.Remove(e.in, e.index)
	if now.Before(e.rested) && e.in != nil {
		q.put(&q.backoff, e, e.rested)
	} else {
		q.activate(e)
	}
}
