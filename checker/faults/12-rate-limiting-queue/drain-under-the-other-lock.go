//go:build ignore

// Mistake: AddRateLimited holds a read lock while it calls, and ShutDownWithDrain takes the write lock.
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

	mu sync.RWMutex
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	q.AddAfter(item, q.limiter.When(item))
}

func (q *RateLimitingQueue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	q.mu.Unlock()
	q.DelayingQueue.ShutDownWithDrain()
}
