//go:build ignore

// Mistake: What is due together is taken out together, and forgotten when it has been added. A worker that was quicker loses its retry, if there was
//   more than one.
// Killed by: again-before-add-returns
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

	mu    sync.Mutex
	known map[T]time.Time
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		known:    map[T]time.Time{},
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
	moment := time.Now().Add(duration)
	if !d.sooner(item, moment) {
		return
	}
	select {
	case d.incoming <- delayed[T]{item, moment}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) sooner(item T, moment time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.known[item]; ok && !moment.Before(known) {
		return false
	}
	d.known[item] = moment
	return true
}

func (d *DelayingQueue[T]) forget(items ...T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, item := range items {
		delete(d.known, item)
	}
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		var due []T
		for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
			due = append(due, w.pop())
		}
		if len(due) == 1 {
			d.forget(due[0])
		}
		for _, item := range due {
			d.Add(item)
		}
		if len(due) > 1 {
			d.forget(due...)
		}
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
