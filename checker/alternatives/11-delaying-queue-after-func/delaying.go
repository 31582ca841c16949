// Package delayingqueue is lab 11 without a goroutine of its own: a sorted slice under a
// lock, and one time.AfterFunc that adds what is ready, with the lock given back for
// each Add.
package delayingqueue

import (
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DelayingQueue is a work queue with AddAfter, after client-go's delaying queue.
type DelayingQueue[T comparable] struct {
	kit.Queue[T] // given: every method that is not written below is this queue's own

	mu      sync.Mutex
	waiting []entry[T] // by moment
	timer   *time.Timer
	firing  bool // somebody is adding what is ready
	down    bool
}

var _ kit.DelayingQueue[string] = (*DelayingQueue[string])(nil)

// New returns a delaying queue over q, and owns q from then on.
func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	return &DelayingQueue[T]{Queue: q}
}

// AddAfter adds item to the queue underneath when duration has passed since the call.
func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	at := time.Now().Add(duration)
	d.mu.Lock()
	if d.down {
		d.mu.Unlock()
		return
	}
	if duration <= 0 {
		d.mu.Unlock()
		d.Queue.Add(item)
		return
	}
	defer d.mu.Unlock()
	old := slices.IndexFunc(d.waiting, func(e entry[T]) bool { return e.item == item })
	if old >= 0 {
		if !at.Before(d.waiting[old].at) {
			return
		}
		d.waiting = slices.Delete(d.waiting, old, old+1)
	}
	i, _ := slices.BinarySearchFunc(d.waiting, at, func(e entry[T], t time.Time) int { return e.at.Compare(t) })
	d.waiting = slices.Insert(d.waiting, i, entry[T]{item, at})
	d.arm()
}

// ShutDown shuts the queue underneath down and drops all that waits.
func (d *DelayingQueue[T]) ShutDown() {
	d.drop()
	d.Queue.ShutDown()
}

// ShutDownWithDrain drops all that waits, and drains the queue underneath.
func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.drop()
	d.Queue.ShutDownWithDrain()
}

type entry[T comparable] struct {
	item T
	at   time.Time
}

// arm sets the timer to the first moment.
func (d *DelayingQueue[T]) arm() {
	if d.firing || len(d.waiting) == 0 {
		return
	}
	wait := time.Until(d.waiting[0].at)
	if d.timer == nil {
		d.timer = time.AfterFunc(wait, d.fire)
		return
	}
	d.timer.Reset(wait)
}

// fire adds what is ready, one by one and without the lock.
func (d *DelayingQueue[T]) fire() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.firing {
		return
	}
	d.firing = true
	for len(d.waiting) > 0 && !d.waiting[0].at.After(time.Now()) {
		item := d.waiting[0].item
		d.waiting = slices.Delete(d.waiting, 0, 1)
		d.mu.Unlock()
		d.Queue.Add(item)
		d.mu.Lock()
	}
	d.firing = false
	d.arm()
}

func (d *DelayingQueue[T]) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.down = true
	d.waiting = nil
	if d.timer != nil {
		d.timer.Stop()
	}
}
