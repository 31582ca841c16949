//go:build ignore

// Mistake: The longest wait is kept in the limiter of limiters and not in the call. Each access has the lock,
//   and so there is no data race; but a call that comes in between gets, or wipes out, the wait of another item.
// Killed by: concurrent-failures-all-count
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type MaxOfRateLimiter[T comparable] struct {
	limiters []kit.RateLimiter[T]

	mu      sync.Mutex // guards longest
	longest time.Duration
}

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	return &MaxOfRateLimiter[T]{limiters: limiters}
}

func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	r.locked(func() { r.longest = 0 })
	for _, limiter := range r.limiters {
		wait := limiter.When(item)
		r.locked(func() { r.longest = max(r.longest, wait) })
	}
	var longest time.Duration
	r.locked(func() { longest = r.longest })
	return longest
}

func (r *MaxOfRateLimiter[T]) locked(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	do()
}
