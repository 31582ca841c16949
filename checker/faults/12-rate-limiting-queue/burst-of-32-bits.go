//go:build ignore

// Mistake: The bucket counts tenths of a token in 32 bits, as if nobody meant "no limit" by a burst of billions.
// Killed by: bucket-burst-then-waits
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	tenths := int32(10 * burst)
	tokens := float64(tenths) / 10
	return &BucketRateLimiter[T]{qps: qps, burst: tokens, tokens: tokens, last: time.Now()}
}
