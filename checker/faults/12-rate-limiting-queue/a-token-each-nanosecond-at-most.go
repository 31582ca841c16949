//go:build ignore

// Mistake: Tokens come at least a nanosecond apart: a bucket of more than 1e9 a second is taken for one of 1e9.
// Killed by: bucket-reserves
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	return &BucketRateLimiter[T]{qps: min(qps, 1e9), burst: float64(burst), tokens: float64(burst), last: time.Now()}
}
