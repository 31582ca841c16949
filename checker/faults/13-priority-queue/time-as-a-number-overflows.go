//go:build ignore

// Mistake: The time at which a key is due is kept as a Duration since the queue was first used, and with the longest delay the
//   sum overflows: the key is due at once. (time.Time.Add has room for it.)
// Killed by: waits-its-time
// Verdict: wrong-answer

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
	parked   int
	order    uint64
	timer    *time.Timer
	armed    time.Time
	shutdown bool
	born     time.Time
}

func (q *PriorityQueue[T]) enter(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		q.makeReady(e)
		return
	}
	if q.born.IsZero() {
		q.born = time.Now()
	}
	due := time.Since(q.born) + delay
	e.stage, e.readyAt, e.order = waiting, q.born.Add(due), q.place()
	heap.Push(&q.waiting, e)
	q.arm()
}
