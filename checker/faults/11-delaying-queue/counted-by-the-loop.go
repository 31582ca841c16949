//go:build ignore

// Mistake: The duration is sent, and the loop turns it into a moment when it receives it.
// Killed by: counts-from-the-call
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"time"
)

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Time{}.Add(duration)}:
	case <-d.stop:
	}
}

func (w *waiting[T]) put(in delayed[T]) {
	in.readyAt = time.Now().Add(in.readyAt.Sub(time.Time{}))
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
