//go:build ignore

// Mistake: Forget of a bucket, which should do nothing, keeps the item.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"
	"time"
)

type BucketRateLimiter[T comparable] struct {
	qps   float64
	burst float64

	mu     sync.Mutex
	tokens float64
	last   time.Time
	gone   map[T]bool
}

func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	return &BucketRateLimiter[T]{qps: qps, burst: float64(burst), tokens: float64(burst), last: time.Now(), gone: map[T]bool{}}
}

func (r *BucketRateLimiter[T]) Forget(item T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone[item] = true
}
