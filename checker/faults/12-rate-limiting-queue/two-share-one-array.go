//go:build ignore

// Mistake: A limiter of limiters that is the first of another lends it the room behind its slice: of two that
//   begin with it, the second overwrites what the first has there.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	if len(limiters) > 0 {
		if first, ok := limiters[0].(*MaxOfRateLimiter[T]); ok {
			return &MaxOfRateLimiter[T]{append(first.limiters, limiters[1:]...)}
		}
	}
	return &MaxOfRateLimiter[T]{limiters}
}
