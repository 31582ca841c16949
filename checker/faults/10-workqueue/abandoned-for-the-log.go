//go:build ignore

// Mistake: A drain that is called off notes which items it left with their workers, for a log, and their Done does not
//   take them off the list.
// Killed by: forgets-what-is-done
// Verdict: wrong-answer

package workqueue

import "sync"

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]

	shuttingDown bool
	calledOff    int
	abandoned    []T

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
	for item := range q.processing {
		q.abandoned = append(q.abandoned, item)
	}
}
