//go:build ignore

// Mistake: The drain checks and waits in two critical sections, and a Done between them wakes nobody (the gap
//   of kubernetes#119554, where a ShutDown was missed).
// Killed by: drain-misses-no-done
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	q.shutDown()
	calledOff := q.calledOff
	q.mu.Unlock()
	for q.underWay(calledOff) {
		q.wait()
	}
}

func (q *Queue[T]) underWay(calledOff int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.busy() && q.calledOff == calledOff
}

func (q *Queue[T]) wait() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.idle.Wait()
}
