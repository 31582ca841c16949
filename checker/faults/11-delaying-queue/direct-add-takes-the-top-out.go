//go:build ignore

// Mistake: To take out an item that is added directly, its moment becomes now, so that it is the first, and the first is
//   taken out. While the queue underneath is slow, another is overdue and comes before it.
// Killed by: counts-from-the-call
// Verdict: wrong-answer
// Without: DelayingQueue.receive

package delayingqueue

import (
	"container/heap"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	stop     chan struct{}
	stopOnce sync.Once
	wake     chan struct{}

	mu sync.Mutex // guards w
	w  waiting[T]
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue: q,
		stop:  make(chan struct{}),
		wake:  make(chan struct{}, 1),
		w:     waiting[T]{entries: make(map[T]*entry[T])},
	}
	go d.loop()
	return d
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.forget(item)
		d.Add(item)
		return
	}
	d.mu.Lock()
	d.w.put(delayed[T]{item, time.Now().Add(duration)})
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// forget takes out an item that waits.
func (d *DelayingQueue[T]) forget(item T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.w.entries[item]; e != nil {
		e.readyAt = time.Now()
		heap.Fix(&d.w.heap, e.index)
		d.w.pop()
	}
}

func (d *DelayingQueue[T]) loop() {
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	for {
		d.release(&d.w, timer)
		select {
		case <-d.stop:
			return
		case <-timer.C:
		case <-d.wake:
		}
	}
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(w.heap) > 0 {
		if wait := time.Until(w.heap[0].readyAt); wait > 0 {
			timer.Reset(wait)
			return
		}
		item := w.pop()
		d.mu.Unlock()
		d.Add(item)
		d.mu.Lock()
	}
}
