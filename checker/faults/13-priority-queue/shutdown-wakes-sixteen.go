//go:build ignore

// Mistake: ShutDown signals sixteen times: nobody has more workers than that.
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
	for range 16 {
		q.grown.Signal()
	}
}
