//go:build ignore

// Mistake: A timer measures how long items have been queued, every 500 ms while there are any.
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
	age          time.Duration

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	if q.timer == nil {
		q.timer = time.AfterFunc(500*time.Millisecond, q.measure)
	}
	q.work.Signal()
}

func (q *Queue[T]) measure() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 || q.shuttingDown {
		q.timer = nil
		return
	}
	q.age += time.Duration(len(q.queue)) * 500 * time.Millisecond
	q.timer.Reset(500 * time.Millisecond)
}
