// Package delayingqueue is lab 11: a work queue to which items can be added later.
// With it, "try again in five seconds" costs one entry in a heap, and not a sleeping
// goroutine.
package delayingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DelayingQueue is a work queue with AddAfter, after client-go's delaying queue.
// Every method may be called from any goroutine. Any value of T may be an item, its zero
// value too, if it can be compared and equals itself (a slice in an interface cannot be
// compared, and NaN does not equal itself). Two items are the same if == says so.
//
// The queue underneath, which New is given, does everything for items that are ready: Add, Len,
// Get, Done and ShuttingDown go straight to it. This one holds the items that wait for their
// moment. It keeps one entry for each waiting item and one timer for all of them, however often
// AddAfter is called and however many items have waited before. (A heartbeat may tick beside the
// timer. A heap or slice may keep its capacity, and stale values in it.) As an exception, calls
// that come while the queue underneath is slow may be kept until it is quick again, in any number,
// several for one item too, but not each by a goroutine of its own.
//
// Its methods never hold a lock while they call the queue underneath, whose Add
// may be slow. You may rely on it that this Add never panics and never calls a method of this
// queue.
type DelayingQueue[T comparable] struct {
	kit.Queue[T] // given: every method that is not written below is this queue's own

	// The other fields are yours.
}

var _ kit.DelayingQueue[string] = (*DelayingQueue[string])(nil)

// New returns a delaying queue over q, and owns q from then on: nobody else shuts
// it down. The goroutines of this queue end as soon as ShutDown is called or, if only
// ShutDownWithDrain is, at the latest a minute after that has returned. If one of them is inside
// an Add of q at that time, these limits count from the return of that Add; if it then goes on to
// add overdue items, from the return of the last of those Adds.
func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	panic(kit.TODO("New"))
}

// AddAfter adds item to the queue underneath when duration has passed since the
// call: at that moment and not later, as long as the queue underneath is quick.
// With a duration of zero or less the item has been added when AddAfter returns,
// whether it was waiting or not. Every duration is allowed: math.MinInt64 is less than
// zero, and math.MaxInt64 is 292 years.
//
// An item waits once. If AddAfter is called for an item that is already waiting, the
// earlier of the two moments counts and the later is dropped. (client-go keeps both if the
// earlier one has passed when its loop receives the call. Yours does not.) Once it has been
// added it can be delayed again: a worker may take it, and delay it, before Add of the queue
// underneath returns, and that delay counts. Items that waited are added in the order of their
// moments, one after the other; the order of items with the same moment is left open.
//
// Where the queue underneath is slow to add, AddAfter may block for as long. The
// moment is counted from the call all the same, and an item whose moment has
// passed meanwhile is added without further delay. For an AddAfter that is called during a slow
// Add, two things are open. (1) Where it comes among the other overdue items. (2) If the same item
// already waits for a moment that is overdue when that Add returns: it is added for the earlier
// moment in any case, and may be added once more for the later. (x waits for 5 s, an Add is slow
// until 10 s, and at 6 s comes AddAfter(x, 1s): x is added at 10 s, once or twice.)
// An Add that a caller waits for, in Add or in AddAfter with no delay, may be slow too: it
// delays neither a waiting item nor another caller's Add. (Another AddAfter with no delay may block
// for as long.)
//
// Once ShutDown has returned, or ShutDownWithDrain has shut the queue underneath down, AddAfter
// does nothing: it does not even call Add of that queue. A call that overlaps with the shutdown
// may still take effect. A call that blocks returns: at once when ShutDown is called; if only
// ShutDownWithDrain is, at the latest a minute after the slow Add has returned, even while the
// drain goes on.
//
// The method Add of this queue need not look at waiting items. Whether an item that was
// delayed, and then added directly, by Add or with a duration of zero or less, is added once
// more at its moment is left open: client-go adds it (kubernetes#126027).
func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	panic(kit.TODO("DelayingQueue.AddAfter"))
}

// ShutDown shuts the queue underneath down and drops all waiting items: none of them is added
// later. (Two kinds of item may still reach the queue underneath, which ignores them: an item
// whose moment comes in the very instant of the call; and, if an Add is under way, items that
// are overdue when it returns, or become so while these are passed on.) It makes every call of
// AddAfter that blocks return, and it does not wait for an Add of the queue underneath that is
// under way. An AddAfter with no delay that is inside that Add may stay until it returns. You
// may call ShutDown of the queue underneath first, and drop items and release callers only
// after it has returned. The memory of the dropped items need not be freed before the queue
// itself is.
//
// ShutDown may be called more than once, at the same time, and while ShutDownWithDrain is
// under way or after it. When any call of ShutDown returns, the queue underneath has been
// shut down; a later call may wait for the first.
func (d *DelayingQueue[T]) ShutDown() {
	panic(kit.TODO("DelayingQueue.ShutDown"))
}

// ShutDownWithDrain drops all waiting items as ShutDown does, calls ShutDownWithDrain of the
// queue underneath, and returns when that does. It does not wait for an Add that is under way.
// It may be called more than once, at the same time and after ShutDown: each call makes a call
// of its own underneath, and waits for no other. It does not call ShutDown of the queue
// underneath, which would end drains. ShutDown of this one, which may be called meanwhile,
// reaches the queue underneath and so ends the wait; a second ShutDown need not reach it, for
// client-go passes on only the first.
func (d *DelayingQueue[T]) ShutDownWithDrain() {
	panic(kit.TODO("DelayingQueue.ShutDownWithDrain"))
}
