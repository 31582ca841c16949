//go:build ignore

// Mistake: An item that is already waiting is left alone, even if it is wanted sooner now.
// Killed by: earliest-wins
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
	if in.readyAt.Before(known.readyAt) && false {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
