//go:build ignore

// Mistake: The later moments of an item that waits are noted with its entry, and nobody reads them.
// Killed by: one-entry-one-timer
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"time"
)

type entry[T any] struct {
	delayed[T]
	index int
	later []time.Time
}

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
		return
	}
	if !in.readyAt.Before(known.readyAt) {
		known.later = append(known.later, in.readyAt)
		return
	}
	known.readyAt = in.readyAt
	heap.Fix(&w.heap, known.index)
}
