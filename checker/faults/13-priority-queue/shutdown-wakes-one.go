//go:build ignore

// Mistake: ShutDown signals, and one of the workers goes home (controller-runtime#3337).
// Killed by: shutdown-releases-everyone
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutdown = true
	if q.timer != nil {
		q.timer.Stop()
	}
	q.grown.Signal()
}
