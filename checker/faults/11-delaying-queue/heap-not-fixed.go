//go:build ignore

// Mistake: The moment of an entry is changed in place, and the heap is no longer a heap. Upstream's own tests
//   pass.
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
	}
}
