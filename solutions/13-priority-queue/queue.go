// Package priorityqueue is lab 13: a work queue that hands out what is urgent
// first. Live events go before the periodic resync of everything, and a key that
// both have asked for is worked on once.
//
// It is controller-runtime's pkg/controller/priorityqueue, the queue of every
// controller built with it.
package priorityqueue

import (
	"container/heap"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// AddOpts says how items are added: after how long, rate limited or not, and how
// urgent they are.
type AddOpts = kit.AddOpts

var _ kit.PriorityQueue[string] = (*PriorityQueue[string])(nil)

// PriorityQueue is a work queue with priorities. The stub's documentation is the
// contract.
//
// One lock guards everything, and every method holds it for a few comparisons
// only. It is tempting to let a goroutine own the state and hand keys to the
// callers of Get over a channel; controller-runtime does so, and once blocked for
// ever on that hand-off with its lock held, because the receiver had left
// (controller-runtime#3538). Here the getter takes the key itself, under the lock,
// so there is no hand-off that could fail: a condition variable only says "look
// again".
type PriorityQueue[T comparable] struct {
	limiter kit.RateLimiter[T]

	mu       sync.Mutex // guards the fields below
	grown    *sync.Cond // signalled once for each key that enters ready; broadcast at ShutDown
	entries  map[T]*entry[T]
	ready    line[T] // by priority: ready keys that are not locked
	waiting  line[T] // by time: keys whose time has not come
	parked   int     // ready keys that are locked: in no line until Done
	order    uint64  // the last place given out
	timer    *time.Timer
	armed    time.Time // what the timer is set to; zero if to nothing
	shutdown bool
}

// New makes an empty queue. It starts no goroutine: what has to happen later is
// left to one timer.
func New[T comparable](limiter kit.RateLimiter[T]) *PriorityQueue[T] {
	q := &PriorityQueue[T]{
		limiter: limiter,
		entries: map[T]*entry[T]{},
		ready:   line[T]{before: (*entry[T]).moreUrgent},
		waiting: line[T]{before: (*entry[T]).earlier},
	}
	q.grown = sync.NewCond(&q.mu)
	return q
}

// AddWithOpts adds items, each by itself: what the limiter says of one must not
// stick to the next (controller-runtime#3103).
//
// The limiter is asked before the lock is taken. It is somebody else's code; it
// may be slow, and it may call this queue.
func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
}

// delay asks the limiter, where it has to be asked. After the shutdown it is not: the add
// will do nothing, and must not count either.
func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited || q.ShuttingDown() {
		return o.After
	}
	limited := q.limiter.When(item)
	if o.After > 0 {
		return min(o.After, limited)
	}
	return limited
}

func (q *PriorityQueue[T]) add(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
	e := q.entries[item]
	if e == nil {
		e = &entry[T]{key: item}
		q.entries[item] = e
	}
	if e.stage == absent {
		e.priority = priority
		q.enter(e, delay)
		return
	}
	q.raise(e, priority)
	if e.stage == waiting {
		q.hasten(e, delay)
	}
}

// enter puts a key into the queue that is not in it.
func (q *PriorityQueue[T]) enter(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		q.makeReady(e)
		return
	}
	e.stage, e.readyAt, e.order = waiting, time.Now().Add(delay), q.place()
	heap.Push(&q.waiting, e)
	q.arm()
}

// raise gives a queued key a higher priority. It goes to the back there: those
// that were urgent before it have waited longer for it.
func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority <= e.priority {
		return
	}
	e.priority = priority
	if e.stage != ready {
		return // the waiting line does not go by priority
	}
	e.order = q.place()
	if !e.locked {
		heap.Fix(&q.ready, e.index)
	}
}

// hasten moves the time of a waiting key forward, never back.
func (q *PriorityQueue[T]) hasten(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		heap.Remove(&q.waiting, e.index)
		q.makeReady(e)
		return
	}
	if at := time.Now().Add(delay); at.Before(e.readyAt) {
		e.readyAt = at
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}

// makeReady takes a key that is in no line and makes it ready, at the back of its
// priority.
func (q *PriorityQueue[T]) makeReady(e *entry[T]) {
	e.stage, e.order = ready, q.place()
	if e.locked {
		q.parked++
		return
	}
	q.offer(e)
}

// offer lets getters have e and wakes one for it. One signal for each key keeps
// this true: while anybody sleeps, at least as many getters are awake and on their
// way as there are keys. A getter that wakes and finds nothing has lost its key to
// one that never slept, and goes back to sleep.
func (q *PriorityQueue[T]) offer(e *entry[T]) {
	heap.Push(&q.ready, e)
	q.grown.Signal()
}

func (q *PriorityQueue[T]) place() uint64 {
	q.order++
	return q.order
}

// arm sets the one timer to the time of the first key that waits. A timer for
// each key would be simpler, and a hundred thousand timers after a resync; one
// that is not set again when an earlier key comes would let that key wait for the
// later one. The lock is held.
func (q *PriorityQueue[T]) arm() {
	if q.waiting.Len() == 0 {
		return
	}
	first := q.waiting.entries[0]
	if first.readyAt.Equal(q.armed) {
		return
	}
	q.armed = first.readyAt
	if q.timer == nil {
		q.timer = time.AfterFunc(time.Until(first.readyAt), q.promote)
		return
	}
	q.timer.Reset(time.Until(first.readyAt))
}

// promote runs when the timer fires and makes everything ready whose time has
// come. It may run late, or for a time at which nothing is due any longer: so it goes
// by the clock and not by the reason for which it was called.
//
// Each round looks at the first of those that are left. To walk along the line and
// take entries out of it at once would skip some: taking one out moves others
// (controller-runtime#3060).
func (q *PriorityQueue[T]) promote() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
	now := time.Now()
	for q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
	q.armed = time.Time{} // it has fired
	q.arm()
}

// Add is AddWithOpts with no options.
func (q *PriorityQueue[T]) Add(item T) { q.add(item, 0, 0) }

// AddAfter is AddWithOpts with After.
func (q *PriorityQueue[T]) AddAfter(item T, after time.Duration) { q.add(item, 0, after) }

// AddRateLimited is AddWithOpts with RateLimited.
func (q *PriorityQueue[T]) AddRateLimited(item T) { q.AddWithOpts(AddOpts{RateLimited: true}, item) }

// Forget tells the rate limiter to forget item.
func (q *PriorityQueue[T]) Forget(item T) { q.limiter.Forget(item) }

// NumRequeues is the rate limiter's number for item.
func (q *PriorityQueue[T]) NumRequeues(item T) int { return q.limiter.NumRequeues(item) }

// Len is how many keys are ready, locked ones included.
func (q *PriorityQueue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.ready.Len() + q.parked
}

// GetWithPriority blocks until a key can be handed out, and locks it.
func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ready.Len() == 0 && !q.shutdown {
		q.grown.Wait()
	}
	if q.shutdown {
		return item, 0, true // what is left is dropped, as in controller-runtime: a restart lists everything again
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}

// Get is GetWithPriority without the priority.
func (q *PriorityQueue[T]) Get() (item T, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return item, shutdown
}

// Done unlocks item, and offers it again if it became ready meanwhile.
func (q *PriorityQueue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[item]
	if e == nil || !e.locked {
		return
	}
	e.locked = false
	switch e.stage {
	case absent:
		delete(q.entries, item)
	case ready:
		q.parked--
		q.offer(e)
	}
}

// ShutDown ends the queue. All getters have to leave, so all are woken.
func (q *PriorityQueue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutdown = true
	if q.timer != nil {
		q.timer.Stop()
	}
	q.grown.Broadcast()
}

// ShutDownWithDrain is ShutDown: keys that are worked on need nothing from the
// queue, and a caller that wants to wait for the workers waits for the workers.
func (q *PriorityQueue[T]) ShutDownWithDrain() { q.ShutDown() }

// ShuttingDown reports whether ShutDown was called.
func (q *PriorityQueue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shutdown
}
