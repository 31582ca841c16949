//go:build ignore

// Mistake: A moment that has passed no longer counts, so a later one takes its place, and the item is not added now.
// Killed by: late-and-still-once
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"time"
)

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
		d.receive(w)
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
		return
	}
	if in.readyAt.Before(known.readyAt) || !known.readyAt.After(time.Now()) {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
