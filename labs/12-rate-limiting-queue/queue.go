package ratelimitingqueue

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

var _ kit.RateLimitingQueue[string] = (*RateLimitingQueue[string])(nil)

// RateLimitingQueue is a delaying queue that asks a rate limiter how long a
// failed item has to wait. Make one with NewRateLimitingQueue. All methods may be
// called from any goroutine, and none holds a lock while it calls the limiter or the
// delaying queue.
//
// Everything but the three methods below is the delaying queue's own and goes
// there unchanged. In particular, Add and AddAfter never call the limiter and count
// nothing: an item added by an event goes at once even if it is backing off, and
// if it then fails again, its wait doubles again (kubernetes#112325). And
// an item added by AddAfter comes after exactly that time, however strict the
// limiter is. The queue itself keeps nothing of an item: only the limiter and the delaying
// queue remember items.
type RateLimitingQueue[T comparable] struct {
	kit.DelayingQueue[T]

	// The other fields are yours.
}

// NewRateLimitingQueue makes a rate-limiting queue on top of queue, and calls neither
// limiter nor queue. It leaves no goroutine running, and nor does any method of the new
// queue. Its ShutDown and ShutDownWithDrain are those of queue.
func NewRateLimitingQueue[T comparable](limiter kit.RateLimiter[T], queue kit.DelayingQueue[T]) *RateLimitingQueue[T] {
	panic(kit.TODO("NewRateLimitingQueue"))
}

// AddRateLimited asks the limiter once how long item has to wait, and hands item to
// the delaying queue's AddAfter with exactly that time, even if it is 0 or negative. It does
// not wait for that time, and returns when AddAfter has returned. This holds whatever state
// item is in, and after ShutDown, too: what becomes of item then is the delaying queue's
// business.
func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	panic(kit.TODO("RateLimitingQueue.AddRateLimited"))
}

// Forget tells the limiter to forget item and does nothing more: an item that waits or
// is queued still comes, and an item that a worker holds still needs its Done.
func (q *RateLimitingQueue[T]) Forget(item T) {
	panic(kit.TODO("RateLimitingQueue.Forget"))
}

// NumRequeues returns the limiter's number for item, whatever the limiter counts.
func (q *RateLimitingQueue[T]) NumRequeues(item T) int {
	panic(kit.TODO("RateLimitingQueue.NumRequeues"))
}
