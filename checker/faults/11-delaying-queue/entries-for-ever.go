//go:build ignore

// Mistake: The entry of an item that was added stays in the map, to be used again: one for each item that ever waited.
// Killed by: one-entry-one-timer
// Verdict: wrong-answer

package delayingqueue

import "container/heap"

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		known = &entry[T]{index: -1}
		w.entries[in.item] = known
	}
	if known.index < 0 {
		known.delayed = in
		heap.Push(&w.heap, known)
		return
	}
	if in.readyAt.Before(known.readyAt) {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}

func (w *waiting[T]) pop() T {
	e := heap.Pop(&w.heap).(*entry[T])
	e.index = -1
	return e.item
}
