//go:build ignore

// Mistake: Pop moves an index, which goes back to the front only when the queue runs empty. In one that never does the
//   array grows with every item.
// Killed by: forgets-what-is-done
// Verdict: wrong-answer

package workqueue

import "sync"

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      []T // the items to hand out, in order, from head on
	head       int
	dirty      set[T]
	processing set[T]

	shuttingDown bool
	calledOff    int

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) enqueue(item T) {
	q.queue = append(q.queue, item)
	q.work.Signal()
}

func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.queue) - q.head
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == q.head && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == q.head {
		return item, true
	}
	var zero T
	item, q.queue[q.head] = q.queue[q.head], zero
	if q.head++; q.head == len(q.queue) {
		q.queue, q.head = q.queue[:0], 0
	}
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) busy() bool {
	return len(q.queue) > q.head || len(q.processing) > 0
}
