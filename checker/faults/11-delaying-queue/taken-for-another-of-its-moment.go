//go:build ignore

// Mistake: The entry that moves forward is looked up by its moment, and others have the same one.
// Killed by: moved-forward-in-the-heap
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"slices"
)

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
		return
	}
	if in.readyAt.Before(known.readyAt) {
		i := slices.IndexFunc(w.heap, func(e *entry[T]) bool { return e.readyAt.Equal(known.readyAt) })
		w.heap[i].readyAt = in.readyAt
		heap.Fix(&w.heap, i)
	}
}
