//go:build ignore

// Mistake: What is overdue must not wait any longer for one slow Add after the other, so each gets a goroutine: several
//   are added at once, in any order.
// Killed by: in-order-of-moments
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		if w.heap[0].readyAt.Before(time.Now()) {
			go d.Add(w.pop())
			continue
		}
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
