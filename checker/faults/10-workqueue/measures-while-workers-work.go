//go:build ignore

// Mistake: A timer measures unfinished work every second, and runs only while a worker holds something.
// Killed by: get-waits-asleep
// Verdict: wrong-answer

package workqueue

import (
	"sync"
	"time"
)

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]

	shuttingDown bool
	calledOff    int
	timer        *time.Timer
	unfinished   int

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) measure() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unfinished += len(q.processing)
	if len(q.processing) > 0 && !q.shuttingDown {
		q.timer.Reset(time.Second)
	}
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
	q.dirty.remove(item)
	if !q.shuttingDown {
		if q.timer != nil {
			q.timer.Stop()
		}
		q.timer = time.AfterFunc(time.Second, q.measure)
	}
	return item, false
}

func (q *Queue[T]) shutDown() {
	q.shuttingDown = true
	if q.timer != nil {
		q.timer.Stop()
	}
	q.work.Broadcast()
}
