//go:build ignore

// Mistake: whenever another key is the first to wait a new timer is made, and ShutDown knows only the last.
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) arm() {
	if q.waiting.Len() == 0 {
		return
	}
	first := q.waiting.entries[0]
	if first.readyAt.Equal(q.armed) {
		return
	}
	q.armed = first.readyAt
	q.timer = time.AfterFunc(time.Until(first.readyAt), q.promote)
}
