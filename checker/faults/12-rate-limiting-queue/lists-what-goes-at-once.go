//go:build ignore

// Mistake: The queue keeps a list of the items whose limiter let them go at once.
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
	once []T
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	if wait <= 0 {
		q.mu.Lock()
		q.once = append(q.once, item)
		q.mu.Unlock()
	}
	q.AddAfter(item, wait)
}
