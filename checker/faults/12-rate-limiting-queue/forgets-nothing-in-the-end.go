//go:build ignore

// Mistake: When the queue is shut down nothing is forgotten: it seems to matter to nobody then, but the limiter may
//   be shared.
// Killed by: forget-dequeues-nothing
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Forget(item T) {
	if !q.ShuttingDown() {
		q.limiter.Forget(item)
	}
}
