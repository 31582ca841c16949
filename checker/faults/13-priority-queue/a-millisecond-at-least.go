//go:build ignore

// Mistake: the timer is never set to less than a millisecond, so that it cannot spin: a key that is due sooner is late.
// Killed by: earliest-time-wins
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
	wait := max(time.Until(first.readyAt), time.Millisecond)
	if q.timer == nil {
		q.timer = time.AfterFunc(wait, q.promote)
		return
	}
	q.timer.Reset(wait)
}
