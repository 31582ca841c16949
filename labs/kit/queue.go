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
	// empty: then shutdown is true, there is no item, and the worker should end. The
	// caller must call Done with an item that it got; that may queue it again even
	// after a ShutDown.
	Get() (item T, shutdown bool)
	// Done says that the work on item has ended. An item that was added meanwhile
	// is queued again.
	Done(item T)
	// ShutDown ignores all further Adds and lets Get hand out what is left.
	ShutDown()
	// ShutDownWithDrain ignores all further Adds, as ShutDown does, and may then block
	// until items that are being worked on are done, or ShutDown is called. Each queue
	// says itself what it waits for.
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
	// NumRequeues is what the rate limiter's NumRequeues says of item.
	NumRequeues(item T) int
}

// AddOpts says how items are added to a PriorityQueue (controller-runtime
// priorityqueue.AddOpts). The zero value is that of Add: at once, with priority 0.
type AddOpts struct {
	// After is how long the items have to wait before they are ready. Zero or less
	// is at once.
	After time.Duration
	// RateLimited asks the rate limiter, for each item by itself, how long it has
	// to wait. If After is greater than zero too, the shorter of both counts.
	RateLimited bool
	// Priority of the items: higher goes first, and nil is 0.
	Priority *int
}

// PriorityQueue is a RateLimitingQueue that hands out the most urgent item first
// (controller-runtime priorityqueue.PriorityQueue).
type PriorityQueue[T comparable] interface {
	RateLimitingQueue[T]
	// AddWithOpts adds items as o says.
	AddWithOpts(o AddOpts, items ...T)
	// GetWithPriority is Get, and says which priority the item has.
	GetWithPriority() (item T, priority int, shutdown bool)
}

// RateLimiter says how long an item must wait (workqueue.TypedRateLimiter).
type RateLimiter[T comparable] interface {
	// When counts one more try of item and says how long it has to wait.
	When(item T) time.Duration
	// Forget drops what is known of item.
	Forget(item T)
	// NumRequeues is how many tries of item were counted since it was last forgotten.
	NumRequeues(item T) int
}
