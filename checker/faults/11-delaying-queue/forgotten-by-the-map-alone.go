//go:build ignore

// Mistake: An item is struck from the map once more when Add has returned. A worker has delayed it again meanwhile, and that
//   entry stays in the heap, where nobody finds it: the item waits twice.
// Killed by: again-before-add-returns
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		item := w.pop()
		d.Add(item)
		d.receive(w)
		delete(w.entries, item)
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
