//go:build ignore

// Mistake: An item whose moment comes while a worker has it is not added: somebody is looking at it anyway.
// Killed by: again-after-firing
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
	held     sync.Map
}

func (d *DelayingQueue[T]) Get() (item T, shutdown bool) {
	item, shutdown = d.Queue.Get()
	if !shutdown {
		d.held.Store(item, true)
	}
	return item, shutdown
}

func (d *DelayingQueue[T]) Done(item T) {
	d.held.Delete(item)
	d.Queue.Done(item)
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		item := w.pop()
		if _, busy := d.held.Load(item); !busy {
			d.Add(item)
		}
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
