//go:build ignore

// Mistake: After a change the entry is compared with its neighbour above, once; a heap is believed to be
//   sorted.
// Killed by: matches-the-model
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
		if up := (known.index - 1) / 2; w.heap.Less(known.index, up) {
			w.heap.Swap(known.index, up)
		}
	}
}
