//go:build ignore

// Mistake: Forget is taken for the end of the work on an item and calls Done: the item is handed to a second
//   worker while the first still holds it.
// Killed by: forget-dequeues-nothing
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Forget(item T) {
	q.limiter.Forget(item)
	q.Done(item)
}
