//go:build ignore

// Mistake: NumRequeues waits for a NumRequeues of the same item that is under way, and returns what that has found.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: deadlock

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]

	calls sync.Map
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) NumRequeues(item T) int {
	call, joined := q.calls.LoadOrStore(item, sync.OnceValue(func() int { return q.limiter.NumRequeues(item) }))
	if !joined {
		defer q.calls.Delete(item)
	}
	return call.(func() int)()
}
