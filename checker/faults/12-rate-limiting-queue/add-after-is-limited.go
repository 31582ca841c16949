//go:build ignore

// Mistake: AddAfter takes the longer of its time and the limiter's, as one would wish it of RequeueAfter.
//   client-go does not, and callers count on the time they gave.
// Killed by: requeue-after-escapes-the-limiter
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	q.DelayingQueue.AddAfter(item, q.limiter.When(item))
}

func (q *RateLimitingQueue[T]) AddAfter(item T, after time.Duration) {
	q.DelayingQueue.AddAfter(item, max(after, q.limiter.When(item)))
}
