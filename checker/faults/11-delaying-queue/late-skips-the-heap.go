//go:build ignore

// Mistake: An item that is due already when the loop receives it is added directly, and its entry from before
//   stays. client-go does so.
// Killed by: late-and-still-once
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"time"
)

func (w *waiting[T]) put(in delayed[T]) {
	if !in.readyAt.After(time.Now()) {
		heap.Push(&w.heap, &entry[T]{delayed: in})
		return
	}
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
		return
	}
	if in.readyAt.Before(known.readyAt) {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
