//go:build ignore

// Mistake: The timer is set only if its moment is still to come. If it comes between the look at the heap and this
//   one, nothing wakes the loop.
// Killed by: many-producers-at-once
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		if wait := time.Until(w.armed); wait > 0 {
			timer.Reset(wait)
		}
	}
}
