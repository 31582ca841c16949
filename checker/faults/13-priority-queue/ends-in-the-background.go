//go:build ignore

// Mistake: ShutDown must not wait for the lock, so it leaves the rest to a goroutine: when it returns, the queue still takes keys.
// Killed by: shutdown-releases-everyone
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) ShutDown() {
	go func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.shutdown = true
		if q.timer != nil {
			q.timer.Stop()
		}
		q.grown.Broadcast()
	}()
}
