//go:build ignore

// Mistake: NewMaxOfRateLimiter appends a limiter of its own to the caller's slice. Where the caller's array
//   has room, that replaces what the caller keeps there.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	none := &MaxOfRateLimiter[T]{}
	return &MaxOfRateLimiter[T]{append(limiters, none)}
}
