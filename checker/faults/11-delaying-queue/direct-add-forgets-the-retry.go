//go:build ignore

// Mistake: AddAfter with no delay adds the item, and has the loop forget what waits for it after that. A worker that has
//   taken the item meanwhile, and delayed it, loses its retry.
// Killed by: again-before-add-returns
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"time"
)

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	in := delayed[T]{item, time.Now().Add(duration)}
	if duration <= 0 {
		d.Add(item)
		in.readyAt = time.Time{} // forget it
	}
	select {
	case d.incoming <- in:
	case <-d.stop:
	}
}

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	switch {
	case in.readyAt.IsZero():
		if ok {
			heap.Remove(&w.heap, known.index)
			delete(w.entries, in.item)
		}
	case !ok:
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
	case in.readyAt.Before(known.readyAt):
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
