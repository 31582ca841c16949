//go:build ignore

// Mistake: A flag is set before the lock is taken: it is a bool, and is thought to need none.
// Killed by: everything-at-once
// Verdict: data-race

package workqueue

func (q *Queue[T]) ShutDownWithDrain() {
	q.shutDown()
	q.mu.Lock()
	defer q.mu.Unlock()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
