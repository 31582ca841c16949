// Package delayingqueue is lab 11 with two goroutines: one knows what waits and until
// when, the other does nothing but add, so that a slow queue underneath keeps nobody
// from AddAfter.
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

	in   chan entry[T]
	out  chan T
	stop chan struct{}
	end  func()
}

var _ kit.DelayingQueue[string] = (*DelayingQueue[string])(nil)

// New returns a delaying queue over q, and owns q from then on.
func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{Queue: q, in: make(chan entry[T], 1), out: make(chan T), stop: make(chan struct{})}
	d.end = sync.OnceFunc(func() { close(d.stop) })
	var both sync.WaitGroup
	both.Go(d.schedule)
	both.Go(d.add)
	return d
}

// AddAfter adds item to the queue underneath when duration has passed since the call.
func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	e := entry[T]{item, time.Now().Add(duration)}
	select {
	case <-d.stop:
		return
	default:
	}
	if duration <= 0 {
		d.Queue.Add(item)
		return
	}
	select {
	case d.in <- e:
	case <-d.stop:
	}
}

// ShutDown shuts the queue underneath down and drops all that waits.
func (d *DelayingQueue[T]) ShutDown() {
	d.end()
	d.Queue.ShutDown()
}

// ShutDownWithDrain drops all that waits, and drains the queue underneath.
func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDownWithDrain()
}

type entry[T comparable] struct {
	item T
	at   time.Time
}

// schedule keeps what waits, the latest first, and offers the last one to add once its
// moment has come.
func (d *DelayingQueue[T]) schedule() {
	var waiting []entry[T]
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		var out chan T
		var next T
		if n := len(waiting); n > 0 {
			last := waiting[n-1]
			if wait := time.Until(last.at); wait > 0 {
				timer.Reset(wait)
			} else {
				out, next = d.out, last.item
			}
		}
		select {
		case <-d.stop:
			return
		case <-timer.C:
		case out <- next:
			n := len(waiting) - 1
			waiting[n] = entry[T]{}
			waiting = waiting[:n]
		case e := <-d.in:
			if i := slices.IndexFunc(waiting, func(o entry[T]) bool { return o.item == e.item }); i >= 0 {
				if !e.at.Before(waiting[i].at) {
					continue
				}
				waiting[i] = e
			} else {
				waiting = append(waiting, e)
			}
			slices.SortStableFunc(waiting, func(a, b entry[T]) int { return b.at.Compare(a.at) })
		}
	}
}

func (d *DelayingQueue[T]) add() {
	for {
		select {
		case <-d.stop:
			return
		case item := <-d.out:
			select {
			case <-d.stop:
				return
			default:
			}
			d.Queue.Add(item)
		}
	}
}
