//go:build ignore

// Mistake: The slice of the latest batch is kept in a field, to be looked at in a debugger, and with it all of its keys.
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
	latest   []T
}

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	if len(items) > 1 {
		q.mu.Lock()
		q.latest = items
		q.mu.Unlock()
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
}
