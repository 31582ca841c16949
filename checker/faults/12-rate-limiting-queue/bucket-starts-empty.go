//go:build ignore

// Mistake: The bucket has to be filled before the first token is given.
// Killed by: bucket-burst-then-waits
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	return &BucketRateLimiter[T]{qps: qps, burst: float64(burst), tokens: 0, last: time.Now()}
}
