package ratelimitingqueue

import "time"

// BucketRateLimiter is a token bucket that all items share.
type BucketRateLimiter[T comparable] struct {
	qps, burst float64
	lock       chan struct{}
	fullAt     time.Time // when the bucket is, or was, full again
	rest       float64   // and a part of a nanosecond
}

// NewBucketRateLimiter makes a bucket that holds at most burst tokens, is full at the
// start, and gains qps tokens a second, evenly and in fractions.
func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	return &BucketRateLimiter[T]{qps: qps, burst: float64(burst), lock: make(chan struct{}, 1), fullAt: time.Now()}
}

// When takes one token and returns how long it is until that token is there.
func (r *BucketRateLimiter[T]) When(item T) time.Duration {
	r.lock <- struct{}{}
	defer func() { <-r.lock }()
	now := time.Now()
	if r.fullAt.Before(now) {
		r.fullAt, r.rest = now, 0
	}
	token := 1e9/r.qps + r.rest
	r.fullAt = r.fullAt.Add(time.Duration(token))
	r.rest = token - float64(time.Duration(token))
	// The token is there when all but the burst are.
	return max(0, r.fullAt.Sub(now)-time.Duration(r.burst/r.qps*1e9))
}

// NumRequeues is always 0.
func (r *BucketRateLimiter[T]) NumRequeues(item T) int {
	return 0
}

// Forget does nothing.
func (r *BucketRateLimiter[T]) Forget(item T) {
}
