//go:build ignore

// Mistake: The loop waits five minutes for a slow Add, and then goes on with the next item beside it.
// Killed by: in-order-of-moments
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		item := w.pop()
		done := make(chan struct{})
		go func() {
			defer close(done)
			d.Add(item)
		}()
		patience := time.NewTimer(5 * time.Minute)
		select {
		case <-done:
		case <-patience.C:
		}
		patience.Stop()
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
