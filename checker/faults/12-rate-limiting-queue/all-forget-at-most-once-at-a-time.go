//go:build ignore

// Mistake: A limiter of limiters tells nobody to forget an item while another Forget of it is under way.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type MaxOfRateLimiter[T comparable] struct {
	limiters []kit.RateLimiter[T]
	busy     sync.Map
}

func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	return &MaxOfRateLimiter[T]{limiters: limiters}
}

func (r *MaxOfRateLimiter[T]) Forget(item T) {
	if _, busy := r.busy.LoadOrStore(item, true); busy {
		return
	}
	defer r.busy.Delete(item)
	for _, limiter := range r.limiters {
		limiter.Forget(item)
	}
}
