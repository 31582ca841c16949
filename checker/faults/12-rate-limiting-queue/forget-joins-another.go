//go:build ignore

// Mistake: Forget returns at once while another Forget of the same item is under way, even if the item has failed since.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]

	busy sync.Map
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) Forget(item T) {
	if _, busy := q.busy.LoadOrStore(item, true); busy {
		return
	}
	defer q.busy.Delete(item)
	q.limiter.Forget(item)
}
