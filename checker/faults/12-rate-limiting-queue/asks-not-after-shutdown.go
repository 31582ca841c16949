//go:build ignore

// Mistake: After the shutdown nothing is added, so the limiter need not be asked.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	if q.ShuttingDown() {
		return
	}
	q.AddAfter(item, q.limiter.When(item))
}
