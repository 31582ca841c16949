//go:build ignore

// Mistake: Get takes the zero value of T for no item, calls Done of it and gets the next one.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) Get() (T, bool) {
	for {
		item, shutdown := q.DelayingQueue.Get()
		var none T
		if shutdown || item != none {
			return item, shutdown
		}
		q.Done(item)
	}
}
