//go:build ignore

// Mistake: A limiter of limiters has one bucket at most: a second one is left out.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	var kept []kit.RateLimiter[T]
	buckets := 0
	for _, limiter := range limiters {
		if _, ok := limiter.(*BucketRateLimiter[T]); ok {
			if buckets++; buckets > 1 {
				continue
			}
		}
		kept = append(kept, limiter)
	}
	return &MaxOfRateLimiter[T]{kept}
}
