//go:build ignore

// Mistake: NewMaxOfRateLimiter drops a limiter that equals another one. Two of a type that == cannot compare panic.
// Killed by: max-of-asks-all
// Verdict: panic

package ratelimitingqueue

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	var unique []kit.RateLimiter[T]
	for _, limiter := range limiters {
		if !slices.Contains(unique, limiter) {
			unique = append(unique, limiter)
		}
	}
	return &MaxOfRateLimiter[T]{unique}
}
