//go:build ignore

// Mistake: There is room for eight limiters, which ought to be enough.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	return &MaxOfRateLimiter[T]{limiters[:min(8, len(limiters))]}
}
