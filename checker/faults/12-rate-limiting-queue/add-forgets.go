//go:build ignore

// Mistake: A new event wipes out the failures before it (what kubernetes#112325 asks for): an object with
//   many events and a permanent fault is then retried without end.
// Killed by: direct-add-bypasses-backoff
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Add(item T) {
	q.limiter.Forget(item)
	q.DelayingQueue.Add(item)
}
