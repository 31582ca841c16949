//go:build ignore

// Mistake: Keys are announced to waiting getters over an unbuffered channel with the lock held; the getter
//   needs that lock, or has left at ShutDown, and nobody receives (controller-runtime#3538).
// Killed by: shutdown-with-a-backlog
// Verdict: deadlock

package priorityqueue

import (
	"container/heap"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type PriorityQueue[T comparable] struct {
	limiter kit.RateLimiter[T]

	mu       sync.Mutex
	grown    *sync.Cond
	entries  map[T]*entry[T]
	ready    line[T]
	waiting  line[T]
	come     chan struct{}
	getters  int
	parked   int
	order    uint64
	timer    *time.Timer
	armed    time.Time
	shutdown bool
}

func New[T comparable](limiter kit.RateLimiter[T]) *PriorityQueue[T] {
	q := &PriorityQueue[T]{
		limiter: limiter,
		entries: map[T]*entry[T]{},
		come:    make(chan struct{}),
		ready:   line[T]{before: (*entry[T]).moreUrgent},
		waiting: line[T]{before: (*entry[T]).earlier},
	}
	q.grown = sync.NewCond(&q.mu)
	return q
}

func (q *PriorityQueue[T]) offer(e *entry[T]) {
	heap.Push(&q.ready, e)
	if q.getters > 0 {
		q.come <- struct{}{}
	}
}

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ready.Len() == 0 && !q.shutdown {
		q.getters++
		q.mu.Unlock()
		<-q.come
		q.mu.Lock()
		q.getters--
	}
	if q.shutdown {
		return item, 0, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}

func (q *PriorityQueue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutdown = true
	if q.timer != nil {
		q.timer.Stop()
	}
	close(q.come)
}
