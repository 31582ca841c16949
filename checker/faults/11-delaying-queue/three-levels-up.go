//go:build ignore

// Mistake: A heap is not deep: an entry that moves forward goes up by three levels at most.
// Killed by: moved-forward-in-the-heap
// Verdict: wrong-answer

package delayingqueue

import "container/heap"

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
		return
	}
	if in.readyAt.Before(known.readyAt) {
		known.readyAt = in.readyAt
		for i, level := known.index, 0; i > 0 && level < 3; level++ {
			parent := (i - 1) / 2
			if !w.heap.Less(i, parent) {
				break
			}
			w.heap.Swap(i, parent)
			i = parent
		}
	}
}
