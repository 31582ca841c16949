//go:build ignore

// Mistake: Where a limiter of limiters holds another one with more than three, the buckets of that are left out.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	var flat []kit.RateLimiter[T]
	for _, limiter := range limiters {
		inner, ok := limiter.(*MaxOfRateLimiter[T])
		if !ok {
			flat = append(flat, limiter)
			continue
		}
		for _, part := range inner.limiters {
			_, bucket := part.(*BucketRateLimiter[T])
			if !bucket || len(inner.limiters) <= 3 {
				flat = append(flat, part)
			}
		}
	}
	return &MaxOfRateLimiter[T]{flat}
}
