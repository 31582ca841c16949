//go:build ignore

// Mistake: The tokens that were taken since the bucket was full are compared with burst+1, which overflows for the
//   largest burst.
// Killed by: bucket-burst-then-waits
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"math"
	"sync"
	"time"
)

type BucketRateLimiter[T comparable] struct {
	qps   float64
	burst int

	mu    sync.Mutex // guards the fields below
	since time.Time  // when the bucket was last seen full
	taken int        // since then
}

func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	return &BucketRateLimiter[T]{qps: qps, burst: burst, since: time.Now()}
}

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.refill(now)
	if r.taken++; r.taken < r.burst+1 {
		return 0
	}
	due := math.Ceil(float64(r.taken-r.burst) / r.qps * float64(time.Second))
	return max(time.Duration(due)-now.Sub(r.since), 0)
}

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	if now.Sub(r.since).Seconds()*r.qps >= float64(r.taken) {
		r.since, r.taken = now, 0
	}
}
