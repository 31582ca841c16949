//go:build ignore

// Mistake: The default limiter gives the number of its bucket, which knows no items.
// Killed by: default-limiter
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type byDefault[T comparable] struct {
	*BucketRateLimiter[T]
	perItem *ItemExponentialFailureRateLimiter[T]
}

func (d byDefault[T]) When(item T) time.Duration {
	return max(d.BucketRateLimiter.When(item), d.perItem.When(item))
}

func (d byDefault[T]) Forget(item T) { d.perItem.Forget(item) }

func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	return byDefault[T]{
		NewBucketRateLimiter[T](10, 100),
		NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
	}
}
