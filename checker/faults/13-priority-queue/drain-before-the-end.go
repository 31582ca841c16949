//go:build ignore

// Mistake: ShutDownWithDrain waits for the locked keys first and shuts the queue down then: until the last worker is done, Get blocks.
// Killed by: shutdown-releases-everyone
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) ShutDownWithDrain() {
	for q.busy() {
		time.Sleep(time.Millisecond)
	}
	q.ShutDown()
}

func (q *PriorityQueue[T]) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range q.entries {
		if e.locked {
			return true
		}
	}
	return false
}
