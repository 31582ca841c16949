//go:build ignore

// Mistake: Entries are appended, and the first in the slice is taken for the earliest.
// Killed by: in-order-of-moments
// Verdict: wrong-answer

package delayingqueue

import "container/heap"

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		w.heap.Push(e)
		return
	}
	if in.readyAt.Before(known.readyAt) {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
