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
// value too, if it equals itself (NaN does not). Make one with New. Where the comments
// of kit.Queue and kit.RateLimitingQueue say something else (of Len, Get, ShutDown and
// NumRequeues), those of this file hold.
//
// An added key is waiting until its time has come, and ready from exactly then on. A
// timer or a goroutine that has to run at that instant may still be on its way then.
// Get hands out the ready key with the highest priority; of several, the one that
// has been ready, with that priority, for longest. A key that Get has
// handed out is locked until Done: it can be added meanwhile, and it can become
// ready, but it is not handed out. A locked key does not block others. Of a key that is
// neither queued nor locked the queue keeps nothing; what is left in it at ShutDown may
// stay there and go with it.
type PriorityQueue[T comparable] struct {
	// The fields are yours.
}

// New makes an empty queue. limiter decides how long an item that is added rate
// limited waits; it is not nil. Whatever the queue starts, timers too, ShutDown
// ends: before it returns, or soon after.
func New[T comparable](limiter kit.RateLimiter[T]) *PriorityQueue[T] {
	panic(kit.TODO("New"))
}

// AddWithOpts adds items, in their order, each with a time from which it is ready
// (now, or later by o.After or by what the limiter says of it; kit.AddOpts says which of
// the two counts) and with a priority. It does not block. Without items, and after
// ShutDown, it does nothing. It may keep the slice and o.Priority while one of the items
// is queued or locked, as controller-runtime's does for a moment, so the caller leaves
// both as they are, and so does the queue. Whether an o.After below zero outdoes the
// limiter is left open: in controller-runtime's it does. A getter may take the first item
// before the last is added. A delay counts from some moment of the call or soon after it,
// which need not be the same for all items.
//
// A key that is in the queue already stays there once, with the higher of both
// priorities and the earlier of both times: adding a key again never lowers its
// priority or puts it off, and a waiting key that is added without delay is ready at
// once, and comes only once. A ready key whose priority rises goes behind those that
// have the higher priority already; one whose priority does not rise keeps its
// place. Keys that are added without delay become ready one after the other, even if
// the clock does not move between two adds. Two orders are left open: where a waiting
// key that an add makes ready early stands among the others of its priority, and the
// order of keys whose times come at the same instant, also against one that is added
// without delay just then.
//
// A locked key that is added starts afresh: with this time and this priority,
// whatever its priority was when it was handed out. It is in the queue from then
// on, and further adds count as they do for any key that is.
//
// The limiter is asked once for every item that is added rate limited, in their order,
// whether the key is in the queue or not. A limit of zero or less is no delay. The queue
// may hold a lock while it asks, as controller-runtime's does, or not: the limiter must
// not call the queue, and while it is being asked other calls may have to wait.
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

// Forget tells the rate limiter to forget item. It takes nothing out of the queue.
func (q *PriorityQueue[T]) Forget(item T) {
	panic(kit.TODO("PriorityQueue.Forget"))
}

// NumRequeues returns the rate limiter's number for item.
func (q *PriorityQueue[T]) NumRequeues(item T) int {
	panic(kit.TODO("PriorityQueue.NumRequeues"))
}

// Len returns how many keys are ready. A locked key counts if it was added again and
// is ready: it needs another round. Waiting keys do not count, and a key that is
// handed out does not count as such.
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
// dropped: controller-runtime drops them. A key that waits is not handed out before its
// time then either. Whether a Get may still hand out a key when another has said
// shutdown is left open, for instance a key that was locked meanwhile: client-go's may.
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

// ShutDown ends the queue: it ignores further adds, and no Get blocks from then on.
// Done may still be called, and Len: what it returns then is left open. An add that is
// under way meanwhile may count as one before ShutDown.
// It is called once; what a second call does, of ShutDown or ShutDownWithDrain, is left
// open, and controller-runtime's panics.
func (q *PriorityQueue[T]) ShutDown() {
	panic(kit.TODO("PriorityQueue.ShutDown"))
}

// ShutDownWithDrain is ShutDown. Whether it returns before all locked keys are done is
// left open: controller-runtime's does.
func (q *PriorityQueue[T]) ShutDownWithDrain() {
	panic(kit.TODO("PriorityQueue.ShutDownWithDrain"))
}

// ShuttingDown reports whether ShutDown was called.
func (q *PriorityQueue[T]) ShuttingDown() bool {
	panic(kit.TODO("PriorityQueue.ShuttingDown"))
}
