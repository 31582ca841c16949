//go:build ignore

// Mistake: What has fired stays in the map, and the next call finds it there and does nothing.
// Killed by: again-after-firing
// Verdict: wrong-answer

package delayingqueue

import "container/heap"

func (w *waiting[T]) pop() T {
	e := heap.Pop(&w.heap).(*entry[T])
	return e.item
}
