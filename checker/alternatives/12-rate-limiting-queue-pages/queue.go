package ratelimitingqueue

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

var _ kit.RateLimitingQueue[string] = (*RateLimitingQueue[string])(nil)

// RateLimitingQueue is a delaying queue that asks a rate limiter how long a failed item
// has to wait.
type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]

	limiter kit.RateLimiter[T]
}

// NewRateLimitingQueue makes a rate-limiting queue on top of queue.
func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{queue, limiter}
}

// AddRateLimited asks the limiter once how long item has to wait, and hands item to the
// delaying queue's AddAfter with that time.
func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	q.DelayingQueue.AddAfter(item, wait)
}

// Forget tells the limiter to forget item, nothing more.
func (q *RateLimitingQueue[T]) Forget(item T) {
	q.limiter.Forget(item)
}

// NumRequeues is the limiter's number for item.
func (q *RateLimitingQueue[T]) NumRequeues(item T) int {
	return q.limiter.NumRequeues(item)
}
