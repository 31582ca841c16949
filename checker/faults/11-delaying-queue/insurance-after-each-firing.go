//go:build ignore

// Mistake: After each firing a second timer is made for what is next, as insurance, and nothing stops it: what waits for long
//   has a timer for each item that came before it.
// Killed by: one-entry-one-timer
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	fired := false
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
		fired = true
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
		if fired {
			time.AfterFunc(time.Until(w.armed), func() { d.Len() })
		}
	}
}
