package fake

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// WorkQueue is a kit.PriorityQueue, and so each of the queues of kit: plain, slow, and with a
// memory of what was said to it. An item that is added again while it is delayed keeps the
// earlier of the two times, as with client-go; a plain Add is one more delivery.
type WorkQueue[T comparable] struct {
	t       *conform.T
	actor   *conform.Actor
	limiter kit.RateLimiter[T]

	mu         sync.Mutex // guards everything below
	changed    sync.Cond
	waiting    []T       // in the order of arrival
	dirty      map[T]int // the priority of all that wait, or will after Done
	processing map[T]bool
	delayed    map[T]*delay
	shut       bool
	calls      []QueueCall[T]
}

var _ kit.PriorityQueue[string] = (*WorkQueue[string])(nil)

// QueueCall is one call of a method of a WorkQueue, in the words of the plain one: Get is also
// GetWithPriority, when it returns an item.
type QueueCall[T comparable] struct {
	Method   string // "Add", "AddAfter", "AddRateLimited", "Forget", "Get", "Done", "ShutDown"
	Item     T
	After    time.Duration // of an AddAfter
	Priority int           // of an Add of whatever kind, or of what Get has returned
	Held     bool          // somebody was working on the item when the call came
	At       time.Duration // from the beginning of the case
}

type delay struct {
	timer    *time.Timer
	at       time.Time
	priority int
}

// NewWorkQueue is an empty queue with a rate limiter.
func NewWorkQueue[T comparable](t *conform.T, limiter kit.RateLimiter[T]) *WorkQueue[T] {
	q := &WorkQueue[T]{
		t: t, actor: t.Named("queue"), limiter: limiter,
		dirty: map[T]int{}, processing: map[T]bool{}, delayed: map[T]*delay{},
	}
	q.changed.L = &q.mu
	return q
}

// Put adds items as the case itself: there is no call of it.
func (q *WorkQueue[T]) Put(priority int, items ...T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, item := range items {
		q.add(item, priority)
	}
}

// Calls are all calls since the last TakeCalls, the oldest first.
func (q *WorkQueue[T]) Calls() []QueueCall[T] {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.calls)
}

// TakeCalls is Calls, and forgets them.
func (q *WorkQueue[T]) TakeCalls() []QueueCall[T] {
	q.mu.Lock()
	defer q.mu.Unlock()
	calls := q.calls
	q.calls = nil
	return calls
}

// Take takes out all that waits, with priorities.
func (q *WorkQueue[T]) Take() map[T]int {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := map[T]int{}
	for _, item := range q.waiting {
		all[item] = q.dirty[item]
	}
	q.waiting = nil
	clear(q.dirty)
	return all
}

// Held are the items that were handed out and are not done.
func (q *WorkQueue[T]) Held() []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Collect(maps.Keys(q.processing))
}

// Idle blocks until nothing waits, is delayed or is being worked on.
func (q *WorkQueue[T]) Idle() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting)+len(q.processing)+len(q.delayed) > 0 {
		q.changed.Wait()
	}
}

// said keeps a call, and writes it down with what came back. The lock is held.
func (q *WorkQueue[T]) said(c QueueCall[T], back string) {
	c.Held, c.At = q.processing[c.Item], q.t.Elapsed()
	q.calls = append(q.calls, c)
	q.actor.Call("%s", c.text()).Returned("%s", back)
	if c.Method == "Done" && !c.Held {
		q.actor.Breaks("Done(%v) was called, and nobody works on it", c.Item)
	}
}

// text is a call as it is written in Go, but for a priority, which it names where there is one.
func (c QueueCall[T]) text() string {
	switch c.Method {
	case "Get", "ShutDown":
		return c.Method + "()" // what Get hands out is its answer
	case "AddAfter":
		return fmt.Sprintf("AddAfter(%v, %v%s)", c.Item, c.After, urgency(c.Priority))
	}
	return fmt.Sprintf("%s(%v%s)", c.Method, c.Item, urgency(c.Priority))
}

func urgency(priority int) string {
	if priority == 0 {
		return ""
	}
	return fmt.Sprintf(", priority %d", priority)
}

// add puts an item into the line. The lock is held.
func (q *WorkQueue[T]) add(item T, priority int) {
	if q.shut {
		return
	}
	if old, ok := q.dirty[item]; ok {
		q.dirty[item] = max(old, priority)
		return
	}
	q.dirty[item] = priority
	if !q.processing[item] {
		q.waiting = append(q.waiting, item)
		q.changed.Broadcast()
	}
}

// addAfter puts an item into the line later. The lock is held.
func (q *WorkQueue[T]) addAfter(item T, after time.Duration, priority int) {
	if after <= 0 {
		q.add(item, priority)
		return
	}
	if q.shut {
		return
	}
	at := time.Now().Add(after)
	if old := q.delayed[item]; old != nil {
		if !at.Before(old.at) {
			return
		}
		old.timer.Stop()
	}
	d := &delay{at: at, priority: priority}
	d.timer = time.AfterFunc(after, func() { q.fire(item, d) })
	q.delayed[item] = d
}

func (q *WorkQueue[T]) fire(item T, d *delay) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.delayed[item] != d {
		return
	}
	delete(q.delayed, item)
	q.add(item, d.priority)
	q.changed.Broadcast()
}

// Add marks item as needing work.
func (q *WorkQueue[T]) Add(item T) { q.AddWithOpts(kit.AddOpts{}, item) }

// AddAfter adds item later.
func (q *WorkQueue[T]) AddAfter(item T, after time.Duration) {
	q.AddWithOpts(kit.AddOpts{After: after}, item)
}

// AddRateLimited adds item when the rate limiter allows.
func (q *WorkQueue[T]) AddRateLimited(item T) { q.AddWithOpts(kit.AddOpts{RateLimited: true}, item) }

// AddWithOpts adds items as o says.
func (q *WorkQueue[T]) AddWithOpts(o kit.AddOpts, items ...T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := QueueCall[T]{Method: "Add", After: o.After}
	if o.Priority != nil {
		c.Priority = *o.Priority
	}
	if o.After != 0 {
		c.Method = "AddAfter"
	}
	for _, item := range items {
		c.Item = item
		after := o.After
		if o.RateLimited {
			c.Method, after = "AddRateLimited", q.limiter.When(item)
			if o.After > 0 {
				after = min(after, o.After)
			}
		}
		back := ""
		if o.RateLimited {
			back = fmt.Sprintf("comes after %v", after)
		}
		q.said(c, back)
		q.addAfter(item, after, c.Priority)
	}
}

// Forget tells the rate limiter that item needs no more retries.
func (q *WorkQueue[T]) Forget(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.said(QueueCall[T]{Method: "Forget", Item: item}, "")
	q.limiter.Forget(item)
}

// NumRequeues is what the rate limiter says.
func (q *WorkQueue[T]) NumRequeues(item T) int {
	return conform.Do(q.actor, func() int { return q.limiter.NumRequeues(item) }, "NumRequeues(%v)", item)
}

// Get hands out an item.
func (q *WorkQueue[T]) Get() (item T, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return item, shutdown
}

// GetWithPriority hands out the most urgent item, and of several the one that came first.
func (q *WorkQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 {
		if q.shut {
			q.actor.Call("Get()").Returned("shut down")
			return item, 0, true
		}
		q.changed.Wait()
	}
	item = slices.MaxFunc(q.waiting, func(a, b T) int { return cmp.Compare(q.dirty[a], q.dirty[b]) })
	q.waiting = slices.Delete(q.waiting, slices.Index(q.waiting, item), slices.Index(q.waiting, item)+1)
	priority = q.dirty[item]
	delete(q.dirty, item)
	q.said(QueueCall[T]{Method: "Get", Item: item, Priority: priority}, fmt.Sprint(item)+urgency(priority))
	q.processing[item] = true
	return item, priority, false
}

// Done says that the work on item has ended.
func (q *WorkQueue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.said(QueueCall[T]{Method: "Done", Item: item}, "")
	delete(q.processing, item)
	if _, ok := q.dirty[item]; ok && !slices.Contains(q.waiting, item) {
		q.waiting = append(q.waiting, item)
	}
	q.changed.Broadcast()
}

// Len is how many items wait.
func (q *WorkQueue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// ShutDown ends the queue. What is delayed is lost.
func (q *WorkQueue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.said(QueueCall[T]{Method: "ShutDown"}, "")
	q.shut = true
	for _, d := range q.delayed {
		d.timer.Stop()
	}
	clear(q.delayed)
	q.changed.Broadcast()
}

// ShutDownWithDrain ends the queue and blocks until it is idle.
func (q *WorkQueue[T]) ShutDownWithDrain() {
	q.actor.Do(func() { q.ShutDown(); q.Idle() }, "ShutDownWithDrain()")
}

// ShuttingDown reports whether the queue was ended.
func (q *WorkQueue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shut
}
