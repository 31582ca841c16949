//go:build ignore

// Mistake: The wait is asked for once to look whether there is one and once to use it: each question counts
//   as a failure.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	if q.limiter.When(item) <= 0 {
		q.Add(item)
		return
	}
	q.AddAfter(item, q.limiter.When(item))
}
