//go:build ignore

// Mistake: An item that has failed fifty times is beyond help, and is not handed over any longer. Many controllers
//   give up so, in their own code; the queue does not know for whom it may.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	if q.limiter.NumRequeues(item) > 50 {
		return
	}
	q.AddAfter(item, wait)
}
