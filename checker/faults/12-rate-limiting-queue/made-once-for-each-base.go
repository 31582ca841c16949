//go:build ignore

// Mistake: The constructor answers with the limiter that it made before for the same numbers, so two
//   queues count each other's failures.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"
	"time"
)

var made sync.Map

func NewItemExponentialFailureRateLimiter[T comparable](baseDelay, maxDelay time.Duration) *ItemExponentialFailureRateLimiter[T] {
	known, _ := made.LoadOrStore([2]time.Duration{baseDelay, maxDelay}, &ItemExponentialFailureRateLimiter[T]{newFailures[T](), baseDelay, maxDelay})
	if limiter, ok := known.(*ItemExponentialFailureRateLimiter[T]); ok {
		return limiter
	}
	return &ItemExponentialFailureRateLimiter[T]{newFailures[T](), baseDelay, maxDelay}
}
