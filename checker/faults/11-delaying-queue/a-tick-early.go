//go:build ignore

// Mistake: Whatever is due within the next second is added now: it saves a timer.
// Killed by: adds-when-ready
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	now := time.Now()
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(now.Add(time.Second)) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(w.armed.Sub(now))
	}
}
