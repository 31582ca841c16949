//go:build ignore

// Mistake: A moment that is a nanosecond earlier is as good as the same, and the entry stays as it is.
// Killed by: a-sooner-item-is-not-late
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
	if known.readyAt.Sub(in.readyAt) > 1 {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
