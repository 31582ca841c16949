//go:build ignore

// Mistake: The drain takes the first Done for the last: one Wait without a loop. Upstream's own tests pass.
// Killed by: drain-waits-for-workers
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	q.idle.Broadcast()
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	if q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
