package ratelimitingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// BucketRateLimiter is a token bucket that all items share: it limits the average rate of
// tries, for all callers together. Make one with NewBucketRateLimiter.
type BucketRateLimiter[T comparable] struct {
	// The fields are yours.
}

// NewBucketRateLimiter makes a bucket that holds at most burst tokens, starts full,
// and gains qps tokens a second, evenly and in fractions. qps is positive and finite, and
// burst is at least 1 and at most math.MaxInt. A wait of more than 292 years does not fit a
// Duration: then When may return anything. So may every later call, once more tokens have
// been taken than come in 292 years.
func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	panic(kit.TODO("NewBucketRateLimiter"))
}

// When takes one token and returns how long it takes until that token exists: 0 if
// it exists already. When reserves a token that does not exist yet, and nobody else
// gets it: of many calls at one moment on an empty bucket, the k-th returns k/qps
// seconds. The answer is exact to a microsecond; to a millisecond is enough if the wait, or
// the time burst/qps in which an empty bucket fills, is longer than two days. Which item
// asks makes no difference. When returns at once.
func (r *BucketRateLimiter[T]) When(item T) time.Duration {
	panic(kit.TODO("BucketRateLimiter.When"))
}

// NumRequeues is always 0: a bucket knows no items, and keeps nothing of any.
func (r *BucketRateLimiter[T]) NumRequeues(item T) int {
	panic(kit.TODO("BucketRateLimiter.NumRequeues"))
}

// Forget does nothing: a token that was taken is not given back.
func (r *BucketRateLimiter[T]) Forget(item T) {
	panic(kit.TODO("BucketRateLimiter.Forget"))
}
