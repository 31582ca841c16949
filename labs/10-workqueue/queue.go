// Package workqueue is lab 10: the queue between the event handlers and the workers
// of a controller. A key that is added many times is worked on once, and no two
// workers ever hold the same key.
package workqueue

import "github.com/controllerbook/controllerbook/labs/kit"

// Queue is a first-in-first-out queue of items that need work, with the semantics
// of client-go's workqueue.Typed where these comments say nothing else. Every method may
// be called from any goroutine, and calls that overlap have the effect of the same calls
// made one after the other, in some order: each takes effect at one moment between its
// start and its return. (ShutDownWithDrain shuts the queue down at one moment, and returns
// at a later one.) Only Get and ShutDownWithDrain ever wait for another caller, and only for
// what their comments say. They wait in a sync.Cond or on a channel, and hold no mutex
// meanwhile that another call needs: nobody stands in line for a lock that is held for long.
//
// Any value of T may be an item, its zero value too, except one that is not equal to
// itself (NaN) or that cannot be compared (an interface value that holds a slice). Two
// items are the same if == says so. Where two equal values differ in some other way, as 0.0
// and -0.0 do, Get may return either.
//
// An item is queued from Add, or from the Done that queues it again, until Get hands it
// out, and is being processed from then until its Done. An item that is added while it is
// being processed is dirty, and not queued: Done will queue it again. (A set that you
// call dirty may hold what is queued, too.) The queue keeps nothing of an item that is neither
// queued nor being processed, not even its memory: the item can be garbage collected. The
// queue's own tables need not shrink, but they do not grow with every item that goes through.
//
// What a goroutine did before it called Add happens before the Get that hands the
// item out returns, also if the item was queued or dirty already. What a worker did before
// it called Done happens before the item is handed out again, and before a drain that
// waited for that Done returns. So data that belongs to one item needs no lock.
//
// If the queue starts goroutines of its own, they have ended, or are about to end, by the
// time ShutDown or ShutDownWithDrain returns: none of them still waits for anything then.
// Make a queue with New; the zero Queue need not work.
type Queue[T comparable] struct {
	// The fields are yours.
}

var _ kit.Queue[string] = (*Queue[string])(nil)

// New returns an empty queue. A new queue is small, less than half a megabyte: its room
// grows with what is added. That is so, too, where one item takes a kilobyte.
func New[T comparable]() *Queue[T] {
	panic(kit.TODO("New"))
}

// Add marks item as needing work. An item that is not known to the queue is put at
// its tail, and one goroutine that waits in Get is woken. An item that is queued
// already stays where it stands. An item that is being processed is only marked
// dirty: it is not queued before its Done. Once ShutDown or ShutDownWithDrain has been
// called, Add does nothing. Add never waits for a worker to take or to finish an item.
func (q *Queue[T]) Add(item T) {
	panic(kit.TODO("Queue.Add"))
}

// Len is how many items are queued. Items that are being processed do not count,
// dirty or not. The number is for information: other goroutines may have added or
// taken items by the time the caller looks at it.
func (q *Queue[T]) Len() int {
	panic(kit.TODO("Queue.Len"))
}

// Get takes the item at the head of the queue, which is being processed from then
// on, and returns it and false. A worker that gets an item must call Done with it.
//
// While nothing is queued Get waits, however many other goroutines wait with it. A
// waiting Get sleeps, and no part of the queue ever wakes up periodically, whether to check
// or to measure, not even while items are being processed. When an item is queued, one
// waiting Get goes on at that moment; if another goroutine is quicker and takes the item, it
// waits again. More of them may be woken, as long as one gets the item and the others wait
// again. When the queue is shut down, every waiting Get goes on at that moment.
// While nothing is queued and the queue is shutting down Get
// returns the zero value and true: the worker that called it should end. What is
// queued when the queue is shut down is still handed out.
//
// After a shutdown Get never waits, not even for items that are being processed and
// dirty: the worker that holds such an item will queue it with Done and find it
// with its own next Get.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	panic(kit.TODO("Queue.Get"))
}

// Done says that the work on item has ended. If item is dirty it is put at the tail
// of the queue, once, however often it was added meanwhile, and one goroutine that
// waits in Get is woken; this is so even when the queue is shutting down. Like Add,
// it never waits for a worker.
//
// Done is for items that Get has handed out and whose Done has not been called yet; any
// goroutine may call it. With any other item it is a mistake of the caller, and nothing
// is promised.
func (q *Queue[T]) Done(item T) {
	panic(kit.TODO("Queue.Done"))
}

// ShutDown makes the queue ignore every further Add and wakes all goroutines that
// wait in Get. It waits for no worker, and it may be called by a worker, more than
// once, and after ShutDownWithDrain. Every ShutDown, not only the first, ends all drains of
// this queue that were called before it: they return.
func (q *Queue[T]) ShutDown() {
	panic(kit.TODO("Queue.ShutDown"))
}

// ShutDownWithDrain shuts the queue down as ShutDown does, even if there is nothing to wait
// for, but ends no other drain. Then it blocks for as long as an item is being processed,
// or until ShutDown is called. Once nothing is queued and nothing is being processed it
// returns. While it blocks it sleeps, as Get does, and does not poll. A queue may be drained
// again: each drain waits for the workers anew.
//
// Some behaviour is left open, where client-go's code and its documentation disagree or
// promise nothing. While items are queued and none is being processed a drain may go on
// waiting for them or return. Where several goroutines drain at once, the end of the
// work has to wake one of them, and need not wake more (kubernetes#141079): the others
// may sleep on until ShutDown. A drain that begins after ShutDown itself was called may
// return at once, or wait as any other does. A drain that ShutDown has ended, but that has
// not returned yet when another drain begins, may wait on with that one.
//
// A worker that calls it while it holds an item waits for itself, until ShutDown.
func (q *Queue[T]) ShutDownWithDrain() {
	panic(kit.TODO("Queue.ShutDownWithDrain"))
}

// ShuttingDown reports whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	panic(kit.TODO("Queue.ShuttingDown"))
}
