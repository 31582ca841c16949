//go:build ignore

// Mistake: The drain shuts down in one critical section and begins to wait in the next. A ShutDown between them is
//   missed, as in kubernetes#119554.
// Killed by: drain-misses-no-done
// Verdict: deadlock

package workqueue

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	q.shutDown()
	q.mu.Unlock()
	q.drain()
}

func (q *Queue[T]) drain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
