package ratelimitingqueue

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

var _ kit.RateLimitingQueue[string] = (*RateLimitingQueue[string])(nil)

// RateLimitingQueue is a delaying queue that asks a rate limiter how long a
// failed item has to wait. The stub's documentation is the contract.
//
// It has no state and so no lock: the limiter guards its counts, the delaying
// queue guards its items, and nothing here needs the two to change together.
type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]
}

// NewRateLimitingQueue makes a rate-limiting queue on top of queue.
func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{queue, limiter}
}

// AddRateLimited hands item to the delaying queue with the time the limiter says.
func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	q.AddAfter(item, q.limiter.When(item))
}

// Forget tells the limiter to forget item. It takes nothing out of the queue.
func (q *RateLimitingQueue[T]) Forget(item T) { q.limiter.Forget(item) }

// NumRequeues is the limiter's number for item.
func (q *RateLimitingQueue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }
