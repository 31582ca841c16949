// Package delayingqueue is lab 11 with a map of moments under a lock, and with a
// goroutine that there is only while something waits. It also makes use of what the
// contract leaves open: an item that is added directly no longer waits.
package delayingqueue

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DelayingQueue is a work queue with AddAfter, after client-go's delaying queue.
type DelayingQueue[T comparable] struct {
	kit.Queue[T] // given: every method that is not written below is this queue's own

	mu      sync.RWMutex
	waiting map[T]time.Time
	running bool
	sooner  chan struct{} // an earlier moment came
	stop    chan struct{}
	down    bool
}

var _ kit.DelayingQueue[string] = (*DelayingQueue[string])(nil)

// New returns a delaying queue over q, and owns q from then on.
func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	return &DelayingQueue[T]{
		Queue:   q,
		waiting: map[T]time.Time{},
		sooner:  make(chan struct{}, 1),
		stop:    make(chan struct{}),
	}
}

// AddAfter adds item to the queue underneath when duration has passed since the call.
func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if duration <= 0 {
		if d.forget(item) {
			d.Queue.Add(item)
		}
		return
	}
	at := time.Now().Add(duration)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.down {
		return
	}
	if old, ok := d.waiting[item]; ok && !at.Before(old) {
		return
	}
	d.waiting[item] = at
	if !d.running {
		d.running = true
		go d.run()
		return
	}
	select {
	case d.sooner <- struct{}{}:
	default:
	}
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

// Add adds item now.
func (d *DelayingQueue[T]) Add(item T) {
	d.forget(item)
	d.Queue.Add(item)
}

// forget drops the moment of item and reports whether the queue is still up.
func (d *DelayingQueue[T]) forget(item T) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.waiting, item)
	return !d.down
}

func (d *DelayingQueue[T]) drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.down {
		close(d.stop)
	}
	d.down = true
	clear(d.waiting)
}

// run lives for as long as something waits.
func (d *DelayingQueue[T]) run() {
	for {
		item, wait, ok := d.first()
		if !ok {
			return
		}
		if wait <= 0 {
			d.Queue.Add(item)
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-d.sooner:
		case <-d.stop:
		}
		timer.Stop()
	}
}

// first finds who is next, and takes it out if its moment has come.
func (d *DelayingQueue[T]) first() (item T, wait time.Duration, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.down || len(d.waiting) == 0 {
		d.running = false
		return item, 0, false
	}
	var next time.Time
	for i, at := range d.waiting {
		if !ok || at.Before(next) {
			item, next, ok = i, at, true
		}
	}
	if wait = time.Until(next); wait <= 0 {
		delete(d.waiting, item)
	}
	return item, wait, true
}
