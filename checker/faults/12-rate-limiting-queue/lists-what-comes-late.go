//go:build ignore

// Mistake: The queue keeps a list of the items that fail after ShutDown.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]

	mu   sync.Mutex
	late []T
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	if q.ShuttingDown() {
		q.mu.Lock()
		q.late = append(q.late, item)
		q.mu.Unlock()
	}
	q.AddAfter(item, q.limiter.When(item))
}
