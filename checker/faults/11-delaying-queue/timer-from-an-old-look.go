//go:build ignore

// Mistake: The clock is read once a round, before the Adds, and the timer is set from that: after a slow Add it fires late by as much.
// Killed by: counts-from-the-call
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	now := time.Now()
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(w.armed.Sub(now))
	}
}
