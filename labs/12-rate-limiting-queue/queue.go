package ratelimitingqueue

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

var _ kit.RateLimitingQueue[string] = (*RateLimitingQueue[string])(nil)

// RateLimitingQueue is a delaying queue that asks a rate limiter how long a
// failed item has to wait. Make one with NewRateLimitingQueue. All methods may be
// called from any goroutine.
//
// Everything but the three methods below is the delaying queue's own and goes
// there unchanged. In particular, Add and AddAfter never ask the limiter and count
// nothing: an item added by an event goes at once even if it is backing off, and
// if it then fails again, its wait doubles again (kubernetes#112325). And
// an item added by AddAfter comes after exactly that time, however strict the
// limiter is. The queue itself keeps nothing of an item: what there is to know of one,
// the limiter and the delaying queue know.
type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]

	// The other fields are yours.
}

// NewRateLimitingQueue makes a rate-limiting queue on top of queue. It
// starts no goroutine of its own. Shutting it down shuts down queue.
func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	panic(kit.TODO("NewRateLimitingQueue"))
}

// AddRateLimited asks the limiter once how long item has to wait, and hands item to
// the delaying queue's AddAfter with that time. It does not wait for that time, and returns
// when AddAfter has returned. All of this is so in any state of item and after ShutDown,
// too: what becomes of item then is the delaying queue's business.
func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	panic(kit.TODO("RateLimitingQueue.AddRateLimited"))
}

// Forget tells the limiter to forget item and does nothing more: an item that waits or
// is queued still comes, and an item that a worker holds still needs its Done.
func (q *RateLimitingQueue[T]) Forget(item T) {
	panic(kit.TODO("RateLimitingQueue.Forget"))
}

// NumRequeues returns the limiter's number for item.
func (q *RateLimitingQueue[T]) NumRequeues(item T) int {
	panic(kit.TODO("RateLimitingQueue.NumRequeues"))
}
