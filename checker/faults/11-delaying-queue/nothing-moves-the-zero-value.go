//go:build ignore

// Mistake: The zero value stands for no item where an entry moves forward: it keeps its first moment.
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
	var none T
	if in.item != none && in.readyAt.Before(known.readyAt) {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
