// Package priorityqueue is lab 13: a work queue that hands out urgent keys
// first. Live events go before the periodic resync of everything, and a key that
// both have added is worked on once.
//
// It is controller-runtime's pkg/controller/priorityqueue, the queue of every
// controller built with it.
package priorityqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// AddOpts says how items are added: after how long, rate limited or not, and how
// urgent they are.
type AddOpts = kit.AddOpts

var _ kit.PriorityQueue[string] = (*PriorityQueue[string])(nil)

// PriorityQueue is a work queue with priorities. It holds a key at most once. It
// knows whether the key waits, when it may go, and how urgent it is.
// All methods may be called from any goroutine. Any value of T may be a key, its zero
// value too, if it can be compared and equals itself (a slice in an interface cannot be
// compared, and NaN does not equal itself). Make one with New. Where the comments here
// differ from those of kit.Queue and kit.RateLimitingQueue, the comments here hold.
//
// An added key is waiting until its time has come, and ready from that instant on. A call
// at that very instant, or soon after it, may still find it waiting, because the timer or
// goroutine that makes it ready may not have run yet: then a key that is added meanwhile
// may go first. Keys that wait become ready in the order of their times, however late
// that timer runs. Get hands out the ready key with the highest priority; of keys with
// the same priority, the one that has been ready with that priority for longest. A key
// that Get has handed out is locked until Done: it can be added meanwhile, and it can
// become ready, but it is not handed out. A locked key does not block others. Its place
// in the order counts from when it became ready, not from Done. The queue keeps nothing
// of a key that is neither queued nor locked, not even in the unused part of an array,
// before or behind what a slice shows of it, and no empty list for the priority that it
// had. Keys that are left at ShutDown may stay until the queue itself is collected.
type PriorityQueue[T comparable] struct {
	// The fields are yours.
}

// New makes an empty queue. limiter decides how long an item that is added rate
// limited waits. It is not nil, and the queue may call it from several goroutines at
// once. ShutDown ends whatever the queue has started, timers included: before it returns
// or soon after, and not only when a delay is over.
func New[T comparable](limiter kit.RateLimiter[T]) *PriorityQueue[T] {
	panic(kit.TODO("New"))
}

// AddWithOpts adds items, in their order, each with a time from which it is ready (now,
// or later by o.After or by what the limiter says of it; kit.AddOpts says which of the
// two counts) and with a priority. It does not block. When it returns, its items are in
// the queue: Len counts those that are ready, and Get can hand them out. There is one
// exception: the limiter may be asked after the call has returned, as
// controller-runtime's queue does; items that are added rate limited are then in the
// queue as soon as it has answered. Without items, and after ShutDown, it does nothing,
// and does not ask the limiter. A getter may take the first item before the last is
// added. A delay starts at some moment during the call, or soon after it, not
// necessarily the same for all items.
//
// The queue may keep the slice of items and o.Priority until all of the items have been
// handed out and are done. The caller must not change either, and the queue does not.
//
// A key that is in the queue already stays there once, with the higher of both
// priorities and the earlier of both times: adding a key again never lowers its
// priority or puts it off, and a waiting key that is added without delay is ready at
// once, and is handed out only once. Priority and time do not depend on each other: an
// urgent add with a long delay raises the priority at once, and leaves the time as it
// was. An add that names no priority has priority 0, here too. A ready key whose priority
// rises goes behind those that have the higher priority already; one whose priority does
// not rise keeps its place. Keys that are added without delay become ready one after the
// other, even if the clock does not move between two adds. Three orders are left open:
//   - where a waiting key that an add makes ready early stands among the others of its
//     priority;
//   - which goes first of keys whose times come at the same instant;
//   - which goes first of a key whose time comes and one that is added without delay at
//     that instant.
//
// A locked key that is added starts afresh: with this time and this priority,
// whatever its priority was when it was handed out. From then on it is in the queue, and
// further adds change it as they change any other key there.
//
// The limiter is asked once for every item that is added rate limited, in their order,
// whether the key is in the queue or not. A limit of zero or less is no delay, even if
// o.After is set. If o.RateLimited is set and o.After is below zero, it is left open
// which of the two counts, and the limiter is asked all the same: controller-runtime's
// queue then ignores what it says. The queue may hold a lock while it asks, as
// controller-runtime's does, or not: the limiter must not call the queue, and while it is
// being asked other calls may have to wait.
func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	panic(kit.TODO("PriorityQueue.AddWithOpts"))
}

// Add is AddWithOpts with no options.
func (q *PriorityQueue[T]) Add(item T) {
	panic(kit.TODO("PriorityQueue.Add"))
}

// AddAfter is AddWithOpts with After.
func (q *PriorityQueue[T]) AddAfter(item T, after time.Duration) {
	panic(kit.TODO("PriorityQueue.AddAfter"))
}

// AddRateLimited is AddWithOpts with RateLimited.
func (q *PriorityQueue[T]) AddRateLimited(item T) {
	panic(kit.TODO("PriorityQueue.AddRateLimited"))
}

// Forget tells the rate limiter to forget item, after ShutDown too. No other method does
// that. It takes nothing out of the queue.
func (q *PriorityQueue[T]) Forget(item T) {
	panic(kit.TODO("PriorityQueue.Forget"))
}

// NumRequeues returns the rate limiter's number for item, after ShutDown too.
func (q *PriorityQueue[T]) NumRequeues(item T) int {
	panic(kit.TODO("PriorityQueue.NumRequeues"))
}

// Len returns how many keys are ready. A locked key counts if it was added again and
// is ready: it needs another round. Waiting keys do not count, and a key does not count
// merely because a worker holds it.
func (q *PriorityQueue[T]) Len() int {
	panic(kit.TODO("PriorityQueue.Len"))
}

// GetWithPriority blocks until a key can be handed out, takes it out of the queue
// and locks it. It returns the key and its priority. The caller must call Done with
// the key.
//
// After ShutDown it never blocks, and calls that block while ShutDown is called
// return. shutdown is true when the caller should stop; item and priority mean
// nothing then. Keys that are still queued at ShutDown may be handed out first or
// dropped, all or some of them: controller-runtime drops them. A key that waits at
// ShutDown is not handed out before its time; whether it is handed out after that is
// left open. So is whether a Get may still hand out a key after another has returned
// shutdown, for instance one that was locked until then: client-go's may.
func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	panic(kit.TODO("PriorityQueue.GetWithPriority"))
}

// Get is GetWithPriority without the priority.
func (q *PriorityQueue[T]) Get() (item T, shutdown bool) {
	panic(kit.TODO("PriorityQueue.Get"))
}

// Done unlocks item. If it was added and became ready meanwhile, it can be handed
// out now. Done with a key that is not locked does nothing. Any goroutine may call it.
func (q *PriorityQueue[T]) Done(item T) {
	panic(kit.TODO("PriorityQueue.Done"))
}

// ShutDown ends the queue: it ignores further adds, and no Get blocks from then on. Done
// may still be called, and Len: what it returns then is left open. Of an add that is
// running when ShutDown is called, or has returned and has not asked the limiter yet,
// all, some or none of the items may be added, and the limiter may be asked for any of
// them. ShutDown is called once; what a second call does, of ShutDown or
// ShutDownWithDrain, is left open, and controller-runtime's panics.
func (q *PriorityQueue[T]) ShutDown() {
	panic(kit.TODO("PriorityQueue.ShutDown"))
}

// ShutDownWithDrain is ShutDown. Whether it returns before all locked keys are done is
// left open: controller-runtime's does. If it waits for them, the queue is shut down from
// the beginning of that wait.
func (q *PriorityQueue[T]) ShutDownWithDrain() {
	panic(kit.TODO("PriorityQueue.ShutDownWithDrain"))
}

// ShuttingDown reports whether ShutDown was called.
func (q *PriorityQueue[T]) ShuttingDown() bool {
	panic(kit.TODO("PriorityQueue.ShuttingDown"))
}
