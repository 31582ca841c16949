//go:build ignore

// Mistake: An item that moves forward gets a second entry, and the old one is skipped when its moment comes. Until
//   then it stays, and each call leaves one more.
// Killed by: one-entry-one-timer
// Verdict: wrong-answer
// Without: waiting.pop

package delayingqueue

import (
	"container/heap"
	"time"
)

func (w *waiting[T]) put(in delayed[T]) {
	if known, ok := w.entries[in.item]; ok && !in.readyAt.Before(known.readyAt) {
		return
	}
	e := &entry[T]{delayed: in}
	w.entries[in.item] = e
	heap.Push(&w.heap, e)
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		e := heap.Pop(&w.heap).(*entry[T])
		if w.entries[e.item] == e {
			delete(w.entries, e.item)
			d.Add(e.item)
		}
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}
