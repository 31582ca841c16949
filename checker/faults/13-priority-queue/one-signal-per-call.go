//go:build ignore

// Mistake: An add signals once when all keys are added: a call that adds three keys wakes one worker.
// Killed by: each-key-wakes-a-getter
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
	q.grown.Signal()
}

func (q *PriorityQueue[T]) offer(e *entry[T]) {
	heap.Push(&q.ready, e)
}

func (q *PriorityQueue[T]) promote() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
	now := time.Now()
	for q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
	q.grown.Signal()
	q.armed = time.Time{}
	q.arm()
}

func (q *PriorityQueue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[item]
	if e == nil || !e.locked {
		return
	}
	e.locked = false
	switch e.stage {
	case absent:
		delete(q.entries, item)
	case ready:
		q.parked--
		q.offer(e)
		q.grown.Signal()
	}
}
