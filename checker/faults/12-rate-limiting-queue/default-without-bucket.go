//go:build ignore

// Mistake: Per-item backoff is taken to be enough: when everything fails at once, everything retries at once.
// Killed by: default-limiter
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	return NewMaxOfRateLimiter[T](
		NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
	)
}
