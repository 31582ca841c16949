//go:build ignore

// Mistake: ShutDownWithDrain is written out beside ShutDown, and forgets the timer, which keeps the queue for as long as a key was
//   to wait.
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutdown = true
	q.grown.Broadcast()
}
