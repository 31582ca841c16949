//go:build ignore

// Mistake: What a limiter of limiters flattens goes where its own limiters are: of two in the first place, the
//   second overwrites the limiter behind them, which nobody asks any longer.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	flat := limiters[:0]
	for _, limiter := range limiters {
		if inner, ok := limiter.(*MaxOfRateLimiter[T]); ok {
			flat = append(flat, inner.limiters...)
		} else {
			flat = append(flat, limiter)
		}
	}
	return &MaxOfRateLimiter[T]{flat}
}
