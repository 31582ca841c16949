package ratelimitingqueue

import (
	"sync"
	"time"
)

// BucketRateLimiter is a token bucket that all items share.
//
// Nobody pours tokens in. How many there are follows from how many there were and
// how long ago that was, so it is worked out when someone asks: a bucket needs
// neither a goroutine nor a timer, and costs nothing while nobody asks.
type BucketRateLimiter[T comparable] struct {
	qps   float64
	burst float64

	mu     sync.Mutex // guards the fields below
	tokens float64    // at time last; below zero, so many are promised that are not there yet
	last   time.Time
}

// NewBucketRateLimiter makes a bucket that holds at most burst tokens, is full at
// the start, and gains qps tokens a second.
func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	return &BucketRateLimiter[T]{qps: qps, burst: float64(burst), tokens: float64(burst), last: time.Now()}
}

// When takes one token and returns how long it is until that token is there.
//
// The token is taken even if it is not there: the balance goes below zero, and the
// next caller has to wait for the token after this one. If When only returned the
// time until the next token, without taking it, all callers would get the same
// answer and would come back together.
func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refill(time.Now())
	r.tokens--
	if r.tokens >= 0 {
		return 0
	}
	return time.Duration(-r.tokens / r.qps * float64(time.Second))
}

// refill brings the balance up to now. A full bucket overflows: time that nobody
// used does not add up to a burst larger than was allowed.
func (r *BucketRateLimiter[T]) refill(now time.Time) {
	gained := now.Sub(r.last).Seconds() * r.qps
	r.tokens = min(r.tokens+gained, r.burst)
	r.last = now
}

// NumRequeues is always 0: a bucket knows no items.
func (r *BucketRateLimiter[T]) NumRequeues(T) int { return 0 }

// Forget does nothing: a token that was taken is not given back.
func (r *BucketRateLimiter[T]) Forget(T) {}
