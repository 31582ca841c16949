// Package delayingqueue is lab 11 with a plain map that is searched for its earliest
// moment, a channel without room, and a heartbeat that notices the end of a drain.
package delayingqueue

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DelayingQueue is a work queue with AddAfter, after client-go's delaying queue.
type DelayingQueue[T comparable] struct {
	kit.Queue[T] // given: every method that is not written below is this queue's own

	incoming chan entry[T]
	ctx      context.Context
	cancel   context.CancelFunc
}

var _ kit.DelayingQueue[string] = (*DelayingQueue[string])(nil)

// New returns a delaying queue over q, and owns q from then on.
func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{Queue: q, incoming: make(chan entry[T])}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	go d.loop()
	return d
}

// AddAfter adds item to the queue underneath when duration has passed since the call.
func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	at := time.Now().Add(duration)
	if d.ctx.Err() != nil || d.Queue.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Queue.Add(item)
		return
	}
	select {
	case <-d.ctx.Done():
	case d.incoming <- entry[T]{item, at}:
	}
}

// ShutDown shuts the queue underneath down and drops all that waits.
func (d *DelayingQueue[T]) ShutDown() {
	d.cancel()
	d.Queue.ShutDown()
}

// ShutDownWithDrain drops all that waits, and drains the queue underneath.
func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.Queue.ShutDownWithDrain()
}

type entry[T comparable] struct {
	item T
	at   time.Time
}

func (d *DelayingQueue[T]) loop() {
	waiting := map[T]time.Time{}
	heartbeat := time.NewTicker(30 * time.Second)
	defer heartbeat.Stop()
	for {
		var first entry[T]
		for item, at := range waiting {
			if first.at.IsZero() || at.Before(first.at) {
				first = entry[T]{item, at}
			}
		}
		wait := time.Until(first.at)
		if len(waiting) == 0 {
			wait = time.Hour
		}
		timer := time.NewTimer(max(wait, 0))
		select {
		case <-d.ctx.Done():
			timer.Stop()
			return
		case <-heartbeat.C:
		case e := <-d.incoming:
			if at, ok := waiting[e.item]; !ok || e.at.Before(at) {
				waiting[e.item] = e.at
			}
		case <-timer.C:
			if len(waiting) > 0 && d.ctx.Err() == nil && !d.Queue.ShuttingDown() {
				delete(waiting, first.item)
				d.Queue.Add(first.item)
			}
		}
		timer.Stop()
		if d.Queue.ShuttingDown() {
			d.cancel()
			return
		}
	}
}
