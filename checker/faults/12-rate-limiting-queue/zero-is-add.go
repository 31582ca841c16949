//go:build ignore

// Mistake: A wait of zero is taken for a direct Add, which is the delaying queue's own business.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	if wait := q.limiter.When(item); wait > 0 {
		q.AddAfter(item, wait)
	} else {
		q.Add(item)
	}
}
