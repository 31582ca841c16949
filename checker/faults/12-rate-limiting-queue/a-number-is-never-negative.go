//go:build ignore

// Mistake: The queue makes 0 of a number below 0, although the number is the limiter's.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) NumRequeues(item T) int { return max(0, q.limiter.NumRequeues(item)) }
