//go:build ignore

// Mistake: promote does nothing after ShutDown, so the timer may as well run on. Until it fires, an hour later, it keeps the
//   queue and all its keys.
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutdown = true
	q.grown.Broadcast()
}
