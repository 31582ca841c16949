//go:build ignore

// Mistake: AddRateLimited waits and then adds: a worker that waits works on nothing.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	time.Sleep(q.limiter.When(item))
	q.AddAfter(item, 0)
}
