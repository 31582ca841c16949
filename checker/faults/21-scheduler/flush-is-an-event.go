//go:build ignore

// Mistake: A pod that is tried again after five minutes is moved like one that an event has woken, and so it counts as an event for
//   those in flight.
// Killed by: flushed-after-five-minutes
// Verdict: wrong-answer

package scheduler

import (
	"math"
	"time"
)

func (q *queue) flush(now time.Time) time.Duration {
	next := time.Duration(math.MaxInt64)
	for _, h := range []*podHeap{&q.backoff, &q.unschedulable} {
		for len(h.entries) > 0 && !now.Before(h.entries[0].until) {
			if h == &q.unschedulable {
				q.events++
			}
			q.move(h.entries[0], now)
		}
		if len(h.entries) > 0 {
			next = min(next, h.entries[0].until.Sub(now))
		}
	}
	return next
}
