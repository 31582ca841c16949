//go:build ignore

// Mistake: A semaphore lets sixteen callers of AddRateLimited through to the limiter, and the others wait for them.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]
	room    chan struct{}
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter, room: make(chan struct{}, 16)}
}

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	q.room <- struct{}{}
	defer func() { <-q.room }()
	q.AddAfter(item, q.limiter.When(item))
}
