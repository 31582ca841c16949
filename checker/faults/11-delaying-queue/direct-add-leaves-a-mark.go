//go:build ignore

// Mistake: An item that is added directly should not come once more, so its entry is marked as dead and thrown
//   away at its moment; an AddAfter that comes before is dropped, for the item waits already.
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

	mu   sync.Mutex
	wait map[T]bool
	dead map[T]bool
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		wait:     map[T]bool{},
		dead:     map[T]bool{},
	}
	go d.loop()
	return d
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	d.mark(item, duration <= 0)
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) mark(item T, now bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case !now:
		d.wait[item] = true
	case d.wait[item]:
		d.dead[item] = true
	}
}

func (d *DelayingQueue[T]) lives(item T) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	dead := d.dead[item]
	delete(d.wait, item)
	delete(d.dead, item)
	return !dead
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		if item := w.pop(); d.lives(item) {
			d.Add(item)
		}
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
