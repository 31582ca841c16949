//go:build ignore

// Mistake: The queue counts how many keys each priority had, and drops none of the counts: there are only a few priorities, are there not?
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

import (
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
	seen     map[int]int
}

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
		q.mu.Lock()
		if q.seen == nil {
			q.seen = map[int]int{}
		}
		q.seen[priority] += len(items)
		q.mu.Unlock()
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
}
