//go:build ignore

// Mistake: A later call replaces the moment, whichever is earlier: every event pushes the retry further away.
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
	if !in.readyAt.Equal(known.readyAt) {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
