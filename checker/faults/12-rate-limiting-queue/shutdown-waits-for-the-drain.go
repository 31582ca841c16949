//go:build ignore

// Mistake: ShutDown and ShutDownWithDrain share a lock: ShutDown cannot end a drain, which holds it.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: deadlock

package ratelimitingqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]
	limiter kit.RateLimiter[T]
	ending  sync.Mutex
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) ShutDown() {
	q.ending.Lock()
	defer q.ending.Unlock()
	q.DelayingQueue.ShutDown()
}

func (q *RateLimitingQueue[T]) ShutDownWithDrain() {
	q.ending.Lock()
	defer q.ending.Unlock()
	q.DelayingQueue.ShutDownWithDrain()
}
