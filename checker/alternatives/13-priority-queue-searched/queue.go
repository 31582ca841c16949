// Package priorityqueue is lab 13 without a heap: Get searches all keys for the best
// one, a key is ready when the clock says so, each key has a timer of its own, and the
// getter that came last is woken first.
package priorityqueue

import (
	"container/list"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// AddOpts says how items are added.
type AddOpts = kit.AddOpts

var _ kit.PriorityQueue[string] = (*PriorityQueue[string])(nil)

// PriorityQueue is a work queue with priorities.
type PriorityQueue[T comparable] struct {
	limiter kit.RateLimiter[T]

	mu      sync.Mutex
	keys    map[T]*key
	locked  map[T]bool
	getters list.List // of chan struct{}
	drains  []chan struct{}
	number  int
	down    bool
}

// New makes an empty queue.
func New[T comparable](limiter kit.RateLimiter[T]) *PriorityQueue[T] {
	return &PriorityQueue[T]{limiter: limiter, keys: map[T]*key{}, locked: map[T]bool{}}
}

// AddWithOpts adds items, in their order, each with a time from which it is ready (now,
// or later by o.After or by what the limiter says of it) and with a priority.
func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	if q.ShuttingDown() {
		return
	}
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		after := o.After
		if o.RateLimited {
			if limited := q.limiter.When(item); after <= 0 || limited < after {
				after = limited
			}
		}
		q.add(item, priority, max(after, 0))
	}
}

// Add is AddWithOpts with no options.
func (q *PriorityQueue[T]) Add(item T) {
	q.AddWithOpts(AddOpts{}, item)
}

// AddAfter is AddWithOpts with After.
func (q *PriorityQueue[T]) AddAfter(item T, after time.Duration) {
	q.AddWithOpts(AddOpts{After: after}, item)
}

// AddRateLimited is AddWithOpts with RateLimited.
func (q *PriorityQueue[T]) AddRateLimited(item T) {
	q.AddWithOpts(AddOpts{RateLimited: true}, item)
}

// Forget tells the rate limiter to forget item.
func (q *PriorityQueue[T]) Forget(item T) {
	q.limiter.Forget(item)
}

// NumRequeues is the rate limiter's number for item.
func (q *PriorityQueue[T]) NumRequeues(item T) int {
	return q.limiter.NumRequeues(item)
}

// Len is how many keys are ready, locked ones included.
func (q *PriorityQueue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, now := 0, time.Now()
	for _, k := range q.keys {
		if !k.since.After(now) {
			n++
		}
	}
	return n
}

// GetWithPriority blocks until a key can be handed out, takes it out of the queue and
// locks it.
func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.down {
		var best *key
		now := time.Now()
		for i, k := range q.keys {
			if !q.locked[i] && !k.since.After(now) && (best == nil || k.before(best)) {
				item, best = i, k
			}
		}
		if best != nil {
			if best.timer.Stop() {
				q.wake() // this one was awake for another key, which has none to wake now
			}
			delete(q.keys, item)
			q.locked[item] = true
			return item, best.priority, false
		}
		wake := make(chan struct{})
		q.getters.PushFront(wake)
		q.mu.Unlock()
		<-wake
		q.mu.Lock()
	}
	return item, 0, true
}

// Get is GetWithPriority without the priority.
func (q *PriorityQueue[T]) Get() (item T, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return
}

// Done unlocks item.
func (q *PriorityQueue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.locked[item] {
		return
	}
	delete(q.locked, item)
	if k := q.keys[item]; k != nil && !k.since.After(time.Now()) {
		q.wake()
	}
	if len(q.locked) == 0 {
		for _, d := range q.drains {
			close(d)
		}
		q.drains = nil
	}
}

// ShutDown ends the queue.
func (q *PriorityQueue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.down = true
	for _, k := range q.keys {
		k.timer.Stop()
	}
	clear(q.keys)
	for q.getters.Len() > 0 {
		q.wake()
	}
}

// ShutDownWithDrain is ShutDown.
func (q *PriorityQueue[T]) ShutDownWithDrain() {
	q.ShutDown()
	q.mu.Lock()
	idle := make(chan struct{})
	if len(q.locked) == 0 {
		close(idle)
	} else {
		q.drains = append(q.drains, idle)
	}
	q.mu.Unlock()
	<-idle
}

// ShuttingDown reports whether ShutDown was called.
func (q *PriorityQueue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.down
}

// key is what is known of one.
type key struct {
	priority int
	since    time.Time // from when on it is ready, with this priority
	number   int       // of keys that are ready since the same moment the lower goes first
	timer    *time.Timer
}

func (k *key) before(o *key) bool {
	if k.priority != o.priority {
		return k.priority > o.priority
	}
	if !k.since.Equal(o.since) {
		return k.since.Before(o.since)
	}
	return k.number < o.number
}

func (q *PriorityQueue[T]) add(item T, priority int, after time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down {
		return
	}
	now := time.Now()
	at := now.Add(after)
	q.number++
	k := q.keys[item]
	if k == nil {
		q.keys[item] = &key{priority, at, q.number, time.AfterFunc(after, func() { q.come(item) })}
		return
	}
	ready := !k.since.After(now)
	if priority > k.priority {
		k.priority = priority
		if ready {
			k.since, k.number = now, q.number
		}
	}
	if !ready && at.Before(k.since) {
		k.since, k.number = at, q.number
		k.timer.Reset(after)
	}
}

// come is called when item has become ready.
func (q *PriorityQueue[T]) come(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.wake()
}

// wake lets the one go on that came last.
func (q *PriorityQueue[T]) wake() {
	if e := q.getters.Front(); e != nil {
		close(q.getters.Remove(e).(chan struct{}))
	}
}
