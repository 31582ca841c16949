//go:build ignore

// Mistake: ShutDownWithDrain returns if the queue is shutting down already, as if a second caller had nothing
//   to wait for.
// Killed by: shutdown-aborts-a-drain
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		return
	}
	q.shutDown()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
