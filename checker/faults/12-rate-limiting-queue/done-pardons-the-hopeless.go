//go:build ignore

// Mistake: Done of an item that has failed more than twenty times forgets it, so that its wait becomes shorter again.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Done(item T) {
	q.DelayingQueue.Done(item)
	if q.limiter.NumRequeues(item) > 20 {
		q.limiter.Forget(item)
	}
}
