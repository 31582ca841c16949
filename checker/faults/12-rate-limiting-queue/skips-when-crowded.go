//go:build ignore

// Mistake: With more than a hundred items queued, one that need not wait is not added: it is thought to be queued.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	if wait > 0 || q.Len() <= 100 {
		q.AddAfter(item, wait)
	}
}
