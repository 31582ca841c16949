//go:build ignore

// Mistake: An item whose number is 0 after When is taken for one that another worker has just forgotten, and
//   is not added. The number of a bucket is always 0: with a bucket alone nothing is retried.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	if q.limiter.NumRequeues(item) == 0 {
		return
	}
	q.AddAfter(item, wait)
}
