//go:build ignore

// Mistake: Done of an item that was not added rate limited since the last Done is taken for a success, and
//   forgets the item: one that is skipped by its reconciler for a while starts over.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]
	failed  sync.Map
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	q.failed.Store(item, nil)
	q.AddAfter(item, q.limiter.When(item))
}

func (q *RateLimitingQueue[T]) Forget(item T) {
	q.failed.Delete(item)
	q.limiter.Forget(item)
}

func (q *RateLimitingQueue[T]) Done(item T) {
	if _, failed := q.failed.LoadAndDelete(item); !failed {
		q.limiter.Forget(item)
	}
	q.DelayingQueue.Done(item)
}
