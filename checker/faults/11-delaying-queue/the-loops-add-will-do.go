//go:build ignore

// Mistake: AddAfter with no delay waits for the Add of the same item that the loop is in, and takes it for its own. A worker that has the
//   item already loses what it asked for.
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

	mu     sync.Mutex
	adding T
	added  chan struct{}
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.mu.Lock()
		same, added := d.adding == item, d.added
		d.mu.Unlock()
		if added != nil && same {
			select {
			case <-added:
			case <-d.stop:
			}
			return
		}
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) addOne(item T) {
	added := make(chan struct{})
	d.mu.Lock()
	d.adding, d.added = item, added
	d.mu.Unlock()
	d.Add(item)
	d.mu.Lock()
	d.added = nil
	d.mu.Unlock()
	close(added)
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.addOne(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
