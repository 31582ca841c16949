//go:build ignore

// Mistake: The queue takes the zero value of T for no item at all, and does not tell the limiter to forget it.
// Killed by: forget-dequeues-nothing
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Forget(item T) {
	var none T
	if item != none {
		q.limiter.Forget(item)
	}
}
