//go:build ignore

// Mistake: The queue counts how often Forget was called, and has no lock.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: data-race

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]
	forgets int
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) Forget(item T) {
	q.forgets++
	q.limiter.Forget(item)
}
