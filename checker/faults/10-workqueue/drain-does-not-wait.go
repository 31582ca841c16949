//go:build ignore

// Mistake: ShutDownWithDrain shuts down and returns: draining is left to the workers.
// Killed by: drain-waits-for-workers
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
}
