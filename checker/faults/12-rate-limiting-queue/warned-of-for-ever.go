//go:build ignore

// Mistake: An item that has reached the longest wait is written down, for a warning, and Forget does not know of that.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"
	"time"
)

type ItemExponentialFailureRateLimiter[T comparable] struct {
	failures  failures[T]
	baseDelay time.Duration
	maxDelay  time.Duration
	warned    sync.Map
}

func NewItemExponentialFailureRateLimiter[T comparable](baseDelay, maxDelay time.Duration) *ItemExponentialFailureRateLimiter[T] {
	return &ItemExponentialFailureRateLimiter[T]{failures: newFailures[T](), baseDelay: baseDelay, maxDelay: maxDelay}
}

func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	n := r.failures.another(item)
	if r.baseDelay > r.maxDelay>>n {
		r.warned.Store(item, true)
		return r.maxDelay
	}
	return r.baseDelay << n
}
