//go:build ignore

// Mistake: A limiter of limiters answers NumRequeues with the result of another one of the same item, if that is under way.
// Killed by: max-of-asks-all
// Verdict: deadlock

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type MaxOfRateLimiter[T comparable] struct {
	limiters []kit.RateLimiter[T]
	calls    sync.Map
}

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	return &MaxOfRateLimiter[T]{limiters: limiters}
}

func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	call, joined := r.calls.LoadOrStore(item, sync.OnceValue(func() int {
		most := 0
		for _, limiter := range r.limiters {
			most = max(most, limiter.NumRequeues(item))
		}
		return most
	}))
	if !joined {
		defer r.calls.Delete(item)
	}
	return call.(func() int)()
}
