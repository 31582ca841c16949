//go:build ignore

// Mistake: The timer is set for nothing that is a week away or more: a process does not live that long.
// Killed by: adds-when-ready
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) && time.Until(w.heap[0].readyAt) < 7*24*time.Hour {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
