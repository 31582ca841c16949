//go:build ignore

// Mistake: ShutDown calls the drains off and wakes nobody who could see it.
// Killed by: shutdown-aborts-a-drain
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.calledOff++
}
