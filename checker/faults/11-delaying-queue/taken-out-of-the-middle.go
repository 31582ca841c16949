//go:build ignore

// Mistake: AddAfter with no delay has the loop forget what waits, and adds the item. The last of the heap gets the place in
//   the middle as it is, whatever is above it and below.
// Killed by: matches-the-model
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
		defer d.Add(item)
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
			last := len(w.heap) - 1
			w.heap.Swap(known.index, last)
			w.heap.Pop()
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
