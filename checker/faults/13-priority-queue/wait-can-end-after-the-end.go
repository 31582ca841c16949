//go:build ignore

// Mistake: After ShutDown nothing enters the queue. A key that waits is in it, so an add still makes it ready, and a queue that hands
//   out what is left hands it out.
// Killed by: shutdown-releases-everyone
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) add(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[item]
	if q.shutdown && (e == nil || e.stage != waiting) {
		return
	}
	if e == nil {
		e = &entry[T]{key: item}
		q.entries[item] = e
	}
	if e.stage == absent {
		e.priority = priority
		q.enter(e, delay)
		return
	}
	q.raise(e, priority)
	if e.stage == waiting {
		q.hasten(e, delay)
	}
}

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ready.Len() == 0 && !q.shutdown {
		q.grown.Wait()
	}
	if q.ready.Len() == 0 {
		return item, 0, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}
