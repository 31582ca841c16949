//go:build ignore

// Mistake: Pop only moves an index, and the array in front of it grows with every item that ever went through
//   the queue.
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
	q.head++
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) busy() bool {
	return len(q.queue) > q.head || len(q.processing) > 0
}
