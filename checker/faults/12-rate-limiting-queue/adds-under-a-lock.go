//go:build ignore

// Mistake: AddRateLimited holds a lock while AddAfter runs, and nobody can call Forget until that has returned.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: deadlock

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	mu      sync.Mutex
	limiter kit.RateLimiter[T]
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.AddAfter(item, wait)
}

func (q *RateLimitingQueue[T]) Forget(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.limiter.Forget(item)
}
