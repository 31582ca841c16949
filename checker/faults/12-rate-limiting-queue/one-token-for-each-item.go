//go:build ignore

// Mistake: The bucket is taken to be for the first failure of an item, and later ones for the item's own
//   backoff: items that fail again and again take no tokens, and the bucket is full for all others.
// Killed by: default-limiter
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type firstFailure[T comparable] struct {
	*ItemExponentialFailureRateLimiter[T]
	bucket *BucketRateLimiter[T]
}

func (f firstFailure[T]) When(item T) time.Duration {
	wait := f.ItemExponentialFailureRateLimiter.When(item)
	if f.NumRequeues(item) > 1 {
		return wait
	}
	return max(wait, f.bucket.When(item))
}

func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	return firstFailure[T]{
		NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
		NewBucketRateLimiter[T](10, 100),
	}
}
