//go:build ignore

// Mistake: To drain is to hand out what is ready first, and to end the queue then.
// Killed by: shutdown-releases-everyone
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) ShutDownWithDrain() {
	for q.Len() > 0 {
		time.Sleep(time.Millisecond)
	}
	q.ShutDown()
}
