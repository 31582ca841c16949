//go:build ignore

// Mistake: A timer that runs is left alone: a key that is due earlier waits for the later one.
// Killed by: waits-its-time
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) arm() {
	if q.waiting.Len() == 0 {
		return
	}
	first := q.waiting.entries[0]
	if !q.armed.IsZero() {
		return
	}
	q.armed = first.readyAt
	if q.timer == nil {
		q.timer = time.AfterFunc(time.Until(first.readyAt), q.promote)
		return
	}
	q.timer.Reset(time.Until(first.readyAt))
}
