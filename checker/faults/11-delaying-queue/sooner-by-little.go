//go:build ignore

// Mistake: To set the timer anew is not worth it for less than a millisecond.
// Killed by: a-sooner-item-is-not-late
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) == 0 || w.heap[0].readyAt.Equal(w.armed) {
		return
	}
	sooner := w.armed.Sub(w.heap[0].readyAt)
	if !w.armed.IsZero() && sooner > 0 && sooner < time.Millisecond {
		return
	}
	w.armed = w.heap[0].readyAt
	timer.Reset(time.Until(w.armed))
}
