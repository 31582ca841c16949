//go:build ignore

// Mistake: ShutDown waits until nothing is being processed; the worker that calls it waits for itself (the
//   shape of kubernetes#97323).
// Killed by: shutdown-keeps-the-backlog
// Verdict: deadlock

package workqueue

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	for len(q.processing) > 0 {
		q.idle.Wait()
	}
}
