//go:build ignore

// Mistake: The second ShutDown has nothing left to do, the author thinks. A drain that began after the first waits on.
// Killed by: shutdown-aborts-a-drain
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.calledOff > 0 {
		return
	}
	q.shutDown()
	q.calledOff++
	q.idle.Broadcast()
}
