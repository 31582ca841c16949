package ratelimitingqueue

import (
	"math"
	"sync/atomic"
	"time"
)

// BucketRateLimiter is a token bucket that all items share.
type BucketRateLimiter[T comparable] struct {
	every float64 // nanoseconds for one token
	burst float64
	start time.Time
	next  atomic.Uint64 // bits of a float64: when the token that was last taken is there, in nanoseconds from start
}

// NewBucketRateLimiter makes a bucket that holds at most burst tokens, is full at the
// start, and gains qps tokens a second, evenly and in fractions.
func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	r := &BucketRateLimiter[T]{every: 1e9 / qps, burst: float64(burst), start: time.Now()}
	r.next.Store(math.Float64bits(math.Inf(-1)))
	return r
}

// When takes one token and returns how long it is until that token is there.
func (r *BucketRateLimiter[T]) When(item T) time.Duration {
	now := float64(time.Since(r.start))
	for {
		old := r.next.Load()
		next := max(math.Float64frombits(old), now-r.burst*r.every) + r.every
		if !r.next.CompareAndSwap(old, math.Float64bits(next)) {
			continue
		}
		if wait := next - now; wait > 0 {
			return time.Duration(math.Ceil(wait - 1e-3))
		}
		return 0
	}
}

// NumRequeues is always 0.
func (r *BucketRateLimiter[T]) NumRequeues(item T) int {
	return 0
}

// Forget does nothing.
func (r *BucketRateLimiter[T]) Forget(item T) {
}
