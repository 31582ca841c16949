//go:build ignore

// Mistake: A queue that is shut down already is refused: the constructor asks for it.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	if queue.ShuttingDown() {
		panic("the queue is shut down")
	}
	return &RateLimitingQueue[T]{queue, limiter}
}
