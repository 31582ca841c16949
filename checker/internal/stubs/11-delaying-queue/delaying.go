// Package delayingqueue is lab 11: a work queue to which items can be added later.
// With it, "try again in five seconds" costs one entry in a heap, and not a sleeping
// goroutine.
package delayingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DelayingQueue is a work queue with AddAfter, after client-go's delaying queue.
// Every method may be called from any goroutine.
//
// The queue underneath, which New is given, does everything for items that are ready:
// Add, Len, Get, Done and ShuttingDown go straight to it. This
// one holds the items that wait for their moment. It keeps one entry for each waiting
// item and one timer for all of them, however often AddAfter is called and however many
// items have waited before. (A heartbeat may tick beside the timer. A heap or slice may keep
// its capacity, and stale values in it.) Calls that come while the queue underneath is slow may be
// kept until it is quick again, but not each by a goroutine of its own.
//
// Its methods never hold a lock while they call the queue underneath, whose Add
// may be slow.
type DelayingQueue[T comparable] struct {
	kit.Queue[T] // given: every method that is not written below is this queue's own

	// The other fields are yours.
}

var _ kit.DelayingQueue[string] = (*DelayingQueue[string])(nil)

// New returns a delaying queue over q, and owns q from then on: nobody else shuts
// it down. A goroutine that New starts ends with ShutDown, and at the latest a minute
// after ShutDownWithDrain has returned. If it is in an Add of q by then, it ends, or the
// minute begins, when that returns.
func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	panic(kit.TODO("New"))
}

// AddAfter adds item to the queue underneath when duration has passed since the
// call: at that moment and not later, as long as the queue underneath is quick.
// With a duration of zero or less the item has been added when AddAfter returns,
// whether it was waiting or not. The longest duration, math.MaxInt64, is 292 years.
//
// An item waits once. If AddAfter is called for an item that is already waiting, the
// earlier of the two moments counts and the later is dropped. Once it has been
// added it can be delayed again, and a worker may have taken it, and delay it, before
// Add of the queue underneath returns. Items are added in the order of their moments,
// one after the other; the order of items with the same moment is left open.
//
// Where the queue underneath is slow to add, AddAfter may block for as long. The
// moment is counted from the call all the same, and an item whose moment has
// passed meanwhile is added without further delay. Left open is where an item comes
// among others that are overdue if AddAfter was called for it meanwhile, and whether an
// item that is overdue by the time the slow Add returns, and was delayed once more
// meanwhile, comes a second time.
//
// After ShutDown or ShutDownWithDrain was called AddAfter does nothing, and a call
// that blocks returns. (Nothing: it does not even call Add of the queue underneath.) With a
// drain a call that blocks may take until a minute after the queue underneath is quick again.
//
// Add need not look at waiting items. Whether an item that was delayed, and then
// added directly, by Add or with a duration of zero or less, is added once more at its
// moment is left open: client-go adds it (kubernetes#126027).
func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	panic(kit.TODO("DelayingQueue.AddAfter"))
}

// ShutDown shuts the queue underneath down and drops all waiting items: none of them
// is added later. (An item that is overdue, then or when an Add that is under way
// returns, may still reach the queue underneath, which ignores it.) It makes every call
// of AddAfter that blocks return, and it does not wait for an Add of the queue underneath
// that is under way. An AddAfter with no delay that is inside that Add may stay until it
// returns. All this may come after ShutDown of the queue underneath has returned.
//
// ShutDown may be called more than once, at the same time, and while ShutDownWithDrain is
// under way or after it. When any call of ShutDown returns, the queue underneath has been
// shut down; a later call may wait for the first.
func (d *DelayingQueue[T]) ShutDown() {
	panic(kit.TODO("DelayingQueue.ShutDown"))
}

// ShutDownWithDrain drops all waiting items as ShutDown does. It drains the queue underneath,
// and waits for no Add of it that is under way: it blocks until ShutDownWithDrain of that queue
// returns. It may be called more than once, at the same time and after ShutDown, and blocks so
// each time. It does not call ShutDown of the queue underneath, which would end drains.
// ShutDown of this one, which may be called meanwhile, reaches the queue underneath and so ends
// the wait; whether one does that comes after an earlier ShutDown is left open, for client-go
// forwards only the first.
func (d *DelayingQueue[T]) ShutDownWithDrain() {
	panic(kit.TODO("DelayingQueue.ShutDownWithDrain"))
}
