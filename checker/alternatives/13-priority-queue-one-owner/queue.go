// Package priorityqueue is lab 13 with one owner: a goroutine that keeps two sorted
// slices, runs every call's function in turn, and hands keys to getters over channels
// with room for one.
package priorityqueue

import (
	"slices"
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
	cmds    chan func(*owner[T])
	stop    chan struct{}
	owner   *owner[T]
	stopped sync.WaitGroup
}

// New makes an empty queue.
func New[T comparable](limiter kit.RateLimiter[T]) *PriorityQueue[T] {
	q := &PriorityQueue[T]{
		limiter: limiter,
		cmds:    make(chan func(*owner[T])),
		stop:    make(chan struct{}),
		owner:   &owner[T]{known: map[T]*known[T]{}, locked: map[T]bool{}, timer: time.NewTimer(time.Hour)},
	}
	q.stopped.Go(func() { q.owner.run(q.cmds, q.stop) })
	return q
}

// AddWithOpts adds items, in their order, each with a time from which it is ready (now,
// or later by o.After or by what the limiter says of it) and with a priority.
func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	if q.ShuttingDown() || len(items) == 0 {
		return
	}
	var priority int
	if o.Priority != nil {
		priority = *o.Priority
	}
	now := time.Now()
	when := make([]time.Time, 0, len(items))
	for _, item := range items {
		wait := max(o.After, 0)
		if o.RateLimited {
			if limited := max(q.limiter.When(item), 0); o.After <= 0 || limited < wait {
				wait = limited
			}
		}
		when = append(when, now.Add(wait))
	}
	items = slices.Clone(items)
	q.do(func(w *owner[T]) {
		for i, item := range items {
			w.add(item, priority, when[i])
		}
	})
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
	n := 0
	q.do(func(w *owner[T]) {
		for _, k := range w.known {
			if k.ready {
				n++
			}
		}
	})
	return n
}

// GetWithPriority blocks until a key can be handed out, takes it out of the queue and
// locks it.
func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	g := make(chan taken[T], 1)
	if !q.do(func(w *owner[T]) { w.getters = append(w.getters, g) }) {
		return item, 0, true
	}
	select {
	case t := <-g:
		return t.item, t.priority, false
	case <-q.stop:
	}
	q.stopped.Wait()
	select {
	case t := <-g: // it was handed out before the end
		return t.item, t.priority, false
	default:
		return item, 0, true
	}
}

// Get is GetWithPriority without the priority.
func (q *PriorityQueue[T]) Get() (item T, shutdown bool) {
	item, _, shutdown = q.GetWithPriority()
	return
}

// Done unlocks item.
func (q *PriorityQueue[T]) Done(item T) {
	q.do(func(w *owner[T]) { delete(w.locked, item) })
}

// ShutDown ends the queue.
func (q *PriorityQueue[T]) ShutDown() {
	close(q.stop)
	q.stopped.Wait()
}

// ShutDownWithDrain is ShutDown.
func (q *PriorityQueue[T]) ShutDownWithDrain() {
	q.ShutDown()
}

// ShuttingDown reports whether ShutDown was called.
func (q *PriorityQueue[T]) ShuttingDown() bool {
	select {
	case <-q.stop:
		return true
	default:
		return false
	}
}

// do has f done by the owner and reports whether there is one left to do it.
func (q *PriorityQueue[T]) do(f func(*owner[T])) bool {
	done := make(chan struct{})
	select {
	case q.cmds <- func(w *owner[T]) { f(w); close(done) }:
		<-done
		return true
	case <-q.stop:
		return false
	}
}

type taken[T comparable] struct {
	item     T
	priority int
}

type known[T comparable] struct {
	item     T
	priority int
	ready    bool
	at       time.Time
}

// owner is used by one goroutine only.
type owner[T comparable] struct {
	known   map[T]*known[T]
	locked  map[T]bool
	ready   []*known[T] // the most urgent first
	waiting []*known[T] // the next first
	getters []chan taken[T]
	timer   *time.Timer
}

func (w *owner[T]) run(cmds <-chan func(*owner[T]), stop <-chan struct{}) {
	defer w.timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-w.timer.C:
			w.promote()
		case cmd := <-cmds:
			w.promote()
			cmd(w)
		}
		w.promote()
		w.handOut()
		if len(w.waiting) > 0 {
			w.timer.Reset(time.Until(w.waiting[0].at))
		}
	}
}

func (w *owner[T]) add(item T, priority int, at time.Time) {
	k := w.known[item]
	if k == nil {
		k = &known[T]{item: item, priority: priority, at: at}
		w.known[item] = k
		w.wait(k)
		w.promote()
		return
	}
	raised := priority > k.priority
	k.priority = max(priority, k.priority)
	switch {
	case k.ready && raised:
		w.ready = remove(w.ready, k)
		w.makeReady(k)
	case !k.ready && at.Before(k.at):
		k.at = at
		w.waiting = remove(w.waiting, k)
		w.wait(k)
		w.promote()
	}
}

func (w *owner[T]) wait(k *known[T]) {
	i := slices.IndexFunc(w.waiting, func(o *known[T]) bool { return o.at.After(k.at) })
	if i < 0 {
		i = len(w.waiting)
	}
	w.waiting = slices.Insert(w.waiting, i, k)
}

func (w *owner[T]) makeReady(k *known[T]) {
	k.ready = true
	i := slices.IndexFunc(w.ready, func(o *known[T]) bool { return o.priority < k.priority })
	if i < 0 {
		i = len(w.ready)
	}
	w.ready = slices.Insert(w.ready, i, k)
}

func (w *owner[T]) promote() {
	now := time.Now()
	for len(w.waiting) > 0 && !w.waiting[0].at.After(now) {
		k := w.waiting[0]
		w.waiting = slices.Delete(w.waiting, 0, 1)
		w.makeReady(k)
	}
}

func (w *owner[T]) handOut() {
	for len(w.getters) > 0 {
		i := slices.IndexFunc(w.ready, func(k *known[T]) bool { return !w.locked[k.item] })
		if i < 0 {
			return
		}
		k := w.ready[i]
		w.ready = slices.Delete(w.ready, i, i+1)
		delete(w.known, k.item)
		w.locked[k.item] = true
		w.getters[0] <- taken[T]{k.item, k.priority}
		w.getters = slices.Delete(w.getters, 0, 1)
	}
}

func remove[E comparable](s []E, e E) []E {
	i := slices.Index(s, e)
	return slices.Delete(s, i, i+1)
}
