//go:build ignore

// Mistake: An Add of an item that has failed more than thirty times forgets it: the event may be the repair.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Add(item T) {
	if q.limiter.NumRequeues(item) > 30 {
		q.limiter.Forget(item)
	}
	q.DelayingQueue.Add(item)
}
