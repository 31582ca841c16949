//go:build ignore

// Mistake: The default limiter asks its bucket first, and an item that waits for a token is not counted as
//   failed: in an outage, when there are no tokens, no item backs off.
// Killed by: default-limiter
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type tokenFirst[T comparable] struct {
	*ItemExponentialFailureRateLimiter[T]
	bucket *BucketRateLimiter[T]
}

func (f tokenFirst[T]) When(item T) time.Duration {
	if wait := f.bucket.When(item); wait > 0 {
		return wait
	}
	return f.ItemExponentialFailureRateLimiter.When(item)
}

func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	return tokenFirst[T]{
		NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
		NewBucketRateLimiter[T](10, 100),
	}
}
