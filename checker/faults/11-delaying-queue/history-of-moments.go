//go:build ignore

// Mistake: The loop keeps the moment of each item that it has added, for a metric.
// Killed by: one-entry-one-timer
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"time"
)

type waiting[T comparable] struct {
	heap    byMoment[T]
	entries map[T]*entry[T]
	armed   time.Time
	past    []time.Time
}

func (w *waiting[T]) pop() T {
	e := heap.Pop(&w.heap).(*entry[T])
	delete(w.entries, e.item)
	w.past = append(w.past, e.readyAt)
	return e.item
}
