//go:build ignore

// Mistake: An add first makes ready what is due, so that its own key comes behind it. Nobody is woken for those:
//   the timer does that, it seems. But the timer finds nothing left to do.
// Killed by: many-become-ready-at-once
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) Add(item T) {
	q.collect()
	q.add(item, 0, 0)
}

func (q *PriorityQueue[T]) collect() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for now := time.Now(); q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now); {
		e := heap.Pop(&q.waiting).(*entry[T])
		e.stage, e.order = ready, q.place()
		if e.locked {
			q.parked++
			continue
		}
		heap.Push(&q.ready, e)
	}
}
