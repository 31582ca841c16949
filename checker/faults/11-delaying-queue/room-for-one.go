//go:build ignore

// Mistake: When an Add has returned and the channel is full, one of the callers that found no room is let go on, although
//   there is room for all by then.
// Killed by: counts-from-the-call
// Verdict: wrong-answer

package delayingqueue

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	stopOnce sync.Once
	room     chan struct{}
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		room:     make(chan struct{}, 1),
	}
	go d.loop()
	return d
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Add(item)
		return
	}
	in := delayed[T]{item, time.Now().Add(duration)}
	for {
		select {
		case d.incoming <- in:
			return
		default:
		}
		select {
		case <-d.room:
		case <-d.stop:
			return
		}
	}
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
		full := len(d.incoming) == cap(d.incoming)
		d.receive(w)
		if full {
			d.room <- struct{}{}
		}
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
