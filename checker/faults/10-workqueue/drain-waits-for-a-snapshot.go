//go:build ignore

// Mistake: The drain writes down what workers hold when it begins. What they take from the backlog afterwards is not
//   waited for.
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
	var held []T
	for item := range q.processing {
		held = append(held, item)
	}
	for q.anyOf(held) && q.calledOff == calledOff {
		q.idle.Wait()
	}
}

func (q *Queue[T]) anyOf(items []T) bool {
	for _, item := range items {
		if q.processing.has(item) {
			return true
		}
	}
	return false
}
