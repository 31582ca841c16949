//go:build ignore

// Mistake: Done holds a lock while the delaying queue does its part, and that may call back.
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
	done    sync.Mutex
}

func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	return &RateLimitingQueue[T]{DelayingQueue: queue, limiter: limiter}
}

func (q *RateLimitingQueue[T]) Done(item T) {
	q.done.Lock()
	defer q.done.Unlock()
	q.DelayingQueue.Done(item)
}
