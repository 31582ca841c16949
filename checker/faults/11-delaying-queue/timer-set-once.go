//go:build ignore

// Mistake: The timer is set only while it is not running, so a sooner item waits for a later one's.
// Killed by: a-sooner-item-is-not-late
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && w.armed.IsZero() {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
