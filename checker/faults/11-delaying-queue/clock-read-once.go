//go:build ignore

// Mistake: The clock is read once for all that is due: what comes due while the queue underneath is slow waits for the next timer.
// Killed by: in-order-of-moments
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	now := time.Now()
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(now) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(w.armed.Sub(now))
	}
}
