//go:build ignore

// Mistake: NumRequeues counts how often it was called, and has no lock: it does not touch the tokens.
// Killed by: bucket-is-shared-safely
// Verdict: data-race

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

	looks int
}

func (r *BucketRateLimiter[T]) NumRequeues(T) int {
	r.looks++
	return 0
}
