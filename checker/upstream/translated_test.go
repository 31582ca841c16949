package upstream

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// translated is a queue of B in the hands of somebody who speaks of A.
type translated[A, B comparable] struct {
	kit.RateLimitingQueue[B]
	to   func(A) B
	from func(B) A
}

func (q translated[A, B]) Add(item A)            { q.RateLimitingQueue.Add(q.to(item)) }
func (q translated[A, B]) Done(item A)           { q.RateLimitingQueue.Done(q.to(item)) }
func (q translated[A, B]) Forget(item A)         { q.RateLimitingQueue.Forget(q.to(item)) }
func (q translated[A, B]) AddRateLimited(item A) { q.RateLimitingQueue.AddRateLimited(q.to(item)) }
func (q translated[A, B]) NumRequeues(item A) int {
	return q.RateLimitingQueue.NumRequeues(q.to(item))
}

func (q translated[A, B]) AddAfter(item A, d time.Duration) {
	q.RateLimitingQueue.AddAfter(q.to(item), d)
}

func (q translated[A, B]) Get() (item A, shutdown bool) {
	theirs, shutdown := q.RateLimitingQueue.Get()
	return q.from(theirs), shutdown
}
