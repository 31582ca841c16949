//go:build ignore

// Mistake: The number of fast attempts is kept in a byte: 256 of them are none.
// Killed by: fast-then-slow
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func NewItemFastSlowRateLimiter[T comparable](fastDelay, slowDelay time.Duration, maxFastAttempts int) *ItemFastSlowRateLimiter[T] {
	return &ItemFastSlowRateLimiter[T]{newFailures[T](), fastDelay, slowDelay, int(uint8(max(0, maxFastAttempts)))}
}
