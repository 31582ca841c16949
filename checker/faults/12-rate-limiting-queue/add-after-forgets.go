//go:build ignore

// Mistake: Before RequeueAfter a controller calls Forget, so the queue may as well do it in AddAfter.
// Killed by: requeue-after-escapes-the-limiter
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	q.DelayingQueue.AddAfter(item, q.limiter.When(item))
}

func (q *RateLimitingQueue[T]) AddAfter(item T, after time.Duration) {
	q.limiter.Forget(item)
	q.DelayingQueue.AddAfter(item, after)
}
