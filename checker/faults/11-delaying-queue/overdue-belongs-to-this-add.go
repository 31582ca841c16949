//go:build ignore

// Mistake: What has come due for an item while Add was under way for it is taken to be done with that Add. A worker may
//   have taken the item meanwhile, and delayed it.
// Killed by: again-before-add-returns
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"time"
)

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		item := w.pop()
		d.Add(item)
		d.receive(w)
		if again, waits := w.entries[item]; waits && again.readyAt.Before(time.Now()) {
			heap.Remove(&w.heap, again.index)
			delete(w.entries, item)
		}
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
