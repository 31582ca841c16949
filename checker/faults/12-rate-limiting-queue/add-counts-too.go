//go:build ignore

// Mistake: Add is limited as well, so that nothing can slip past the limiter; now no event is ever handled at
//   once.
// Killed by: direct-add-bypasses-backoff
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Add(item T) { q.AddRateLimited(item) }
