//go:build ignore

// Mistake: To stop waiting is taken for giving up: a ShutDown forgets what is dirty, as nobody seems to care for it.
// Killed by: shutdown-aborts-a-drain
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		for item := range q.processing {
			q.dirty.remove(item)
		}
	}
	q.shutDown()
	q.calledOff++
	q.idle.Broadcast()
}
