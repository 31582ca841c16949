package kit

import "time"

// Queue is a work queue (client-go workqueue.TypedInterface, which satisfies it as
// it is). All methods may be called from any goroutine.
type Queue[T comparable] interface {
	// Add marks item as needing work.
	Add(item T)
	// Len is how many items wait to be taken. Items being worked on do not count.
	Len() int
	// Get blocks until there is an item to work on, or the queue is shut down and
	// empty: then shutdown is true and item means nothing. Whoever gets an item must
	// call Done with it; that may queue it again even after a ShutDown.
	Get() (item T, shutdown bool)
	// Done says that the work on item has ended. An item that was added meanwhile
	// is queued again.
	Done(item T)
	// ShutDown ignores all further Adds and lets Get hand out what is left.
	ShutDown()
	// ShutDownWithDrain is ShutDown, and blocks until what was queued or being
	// worked on is done.
	ShutDownWithDrain()
	// ShuttingDown reports whether ShutDown or ShutDownWithDrain was called.
	ShuttingDown() bool
}

// DelayingQueue is a Queue that can add later (workqueue.TypedDelayingInterface).
type DelayingQueue[T comparable] interface {
	Queue[T]
	// AddAfter adds item once duration has passed.
	AddAfter(item T, duration time.Duration)
}

// RateLimitingQueue is a DelayingQueue that decides itself how much later
// (workqueue.TypedRateLimitingInterface).
type RateLimitingQueue[T comparable] interface {
	DelayingQueue[T]
	// AddRateLimited adds item once the rate limiter says that it may go.
	AddRateLimited(item T)
	// Forget tells the rate limiter that item needs no more retries. It takes
	// nothing out of the queue.
	Forget(item T)
	// NumRequeues is how often item was added rate limited since it was forgotten.
	NumRequeues(item T) int
}

// RateLimiter says how long an item must wait (workqueue.TypedRateLimiter).
type RateLimiter[T comparable] interface {
	// When counts one more try of item and says how long it has to wait.
	When(item T) time.Duration
	// Forget drops what is known of item.
	Forget(item T)
	// NumRequeues is how many tries of item were counted.
	NumRequeues(item T) int
}
