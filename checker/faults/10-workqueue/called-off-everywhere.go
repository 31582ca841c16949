//go:build ignore

// Mistake: How often ShutDown was called is counted in a variable of the package, so that the ShutDown of one queue ends the
//   drains of all others at their next Done.
// Killed by: drain-waits-for-workers
// Verdict: wrong-answer

package workqueue

import "sync/atomic"

var calledOff atomic.Int64

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	q.idle.Broadcast()
}

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff.Add(1)
	q.idle.Broadcast()
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	before := calledOff.Load()
	for q.busy() && calledOff.Load() == before {
		q.idle.Wait()
	}
}
