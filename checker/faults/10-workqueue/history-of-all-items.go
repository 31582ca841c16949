//go:build ignore

// Mistake: Every item ever seen stays in a map, with false for those that are done: keys of deleted objects
//   add up for ever.
// Killed by: forgets-what-is-done
// Verdict: wrong-answer

package workqueue

import "sync"

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]
	seen       map[T]bool

	shuttingDown bool
	calledOff    int

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	if q.seen == nil {
		q.seen = make(map[T]bool)
	}
	q.seen[item] = true
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	q.seen[item] = false
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
