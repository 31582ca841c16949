//go:build ignore

// Mistake: At its very moment an item is not ready yet, and the timer is set to zero again and again.
// Killed by: adds-when-ready
// Verdict: timeout

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && w.heap[0].readyAt.Before(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
