//go:build ignore

// Mistake: The bucket starts empty in the year 1 and is trusted to be full by now: where tokens come slowly, it is not.
// Killed by: bucket-burst-then-waits
// Verdict: wrong-answer

package ratelimitingqueue

func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T] {
	return &BucketRateLimiter[T]{qps: qps, burst: float64(burst)}
}
